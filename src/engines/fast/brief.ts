import { type Belief, type Reader, worstLoss } from '../../core/belief.ts'
import { marginBins } from '../../core/margins.ts'
import { compensatedSum } from '../../core/sums.ts'
import { lossMoments, type Survey } from '../../core/survey.ts'
import type { Census, Ingredient, Mass } from '../../masses/mass.ts'
import { type Beliefs, beliefsAt, nodesPerCell, places, placesPerCell } from './beliefs.ts'
import type { Cells } from './cells.ts'
import { isNear, settledSums } from './settle.ts'

/**
 * The scores of a pool in brief. In every cell a few scores, its nodes, stand for all: with the right weights, a sum over them is the
 * sum over the points for every polynomial of degree 2, and what we add up is as good as one within a cell. The weights follow from the
 * sums of the scores and of their squares, so one pass over the pool is enough for every total.
 */
export interface Brief {
  readonly cells: Cells
  readonly points: number
  /** Cells that have points, those of negative scores first, and how many each has. */
  readonly occupied: Int32Array
  readonly counts: Float64Array
  /** Of each cell's nodes. */
  readonly weights: Float64Array
  /** Of each cell, the scores nearest to 0 and farthest from it: those of real points. */
  readonly ends: Float64Array
}

/** Numbers of a cell as src/kernels/tally.ts gathers them: which, how many points, Σr, Σr², the scores nearest to 0 and farthest. */
export const numbersPerCell = 6

const nodes = [...places.subarray(0, nodesPerCell)]

/** Coefficients of the polynomials that are 1 at one node and 0 at the others. */
const bases = nodes.map((own, q) => {
  let polynomial = [1]
  for (const [r, other] of nodes.entries()) {
    if (r === q) continue
    const next = new Array<number>(polynomial.length + 1).fill(0)
    for (const [k, coefficient] of polynomial.entries()) {
      next[k]! -= (coefficient * other) / (own - other)
      next[k + 1]! += coefficient / (own - other)
    }
    polynomial = next
  }
  return Float64Array.from(polynomial)
})

/** What each node contributes to the polynomial through all of them, at the places after the nodes. */
const shares = [sharesAt(places[nodesPerCell]!), sharesAt(places[nodesPerCell + 1]!)] as const

function sharesAt(place: number): readonly [number, number, number] {
  const [a, b, c] = bases.map((basis) => basis.reduceRight((sum, coefficient) => sum * place + coefficient, 0))
  return [a!, b!, c!]
}

/** From what was gathered of each slab. Undefined if a score lies beyond all cells, or is no number. */
export function briefOf(slabs: readonly Float64Array[], cells: Cells): Brief | undefined {
  const { count, edges, origins, units } = cells
  const gathered = slabs.length === 1 ? slabs[0]! : addUp(slabs, 2 * count)
  const occupied = new Int32Array(gathered.length / numbersPerCell)
  const counts = new Float64Array(occupied.length)
  const weights = new Float64Array(occupied.length * nodesPerCell)
  const ends = new Float64Array(occupied.length * 2)
  let points = 0
  for (let c = 0; c < occupied.length; c++) {
    const from = numbersPerCell * c
    occupied[c] = gathered[from]!
    const cell = occupied[c]! % count
    if (cell === count - 1) return undefined
    const number = gathered[from + 1]!
    const sum = gathered[from + 2]!
    const squares = gathered[from + 3]!
    counts[c] = number
    points += number
    ends[2 * c] = gathered[from + 4]!
    ends[2 * c + 1] = gathered[from + 5]!
    // A place r lies at a + b·r, from −1 to 1 across the cell.
    const half = (edges[cell + 1]! - edges[cell]!) / 2
    const a = (origins[cell]! - edges[cell]!) / half - 1
    const b = units[cell]! / half
    const first = number * a + b * sum
    const second = number * a * a + 2 * a * b * sum + b * b * squares
    for (let q = 0; q < nodesPerCell; q++) {
      const basis = bases[q]!
      weights[c * nodesPerCell + q] = basis[0]! * number + basis[1]! * first + basis[2]! * second
    }
  }
  return { cells, points, occupied, counts, weights, ends }
}

function addUp(slabs: readonly Float64Array[], cells: number): Float64Array {
  const total = new Float64Array(numbersPerCell * cells)
  const occupied = new Set<number>()
  for (const gathered of slabs)
    for (let from = 0; from < gathered.length; from += numbersPerCell) {
      const to = numbersPerCell * gathered[from]!
      const isFirst = !occupied.has(to)
      occupied.add(to)
      const [near, far] = [gathered[from + 4]!, gathered[from + 5]!]
      total[to] = gathered[from]!
      for (let k = 1; k <= 3; k++) total[to + k]! += gathered[from + k]!
      if (isFirst || Math.abs(near) < Math.abs(total[to + 4]!)) total[to + 4] = near
      if (isFirst || Math.abs(far) > Math.abs(total[to + 5]!)) total[to + 5] = far
    }
  return total.filter((_, k) => occupied.has(k - (k % numbersPerCell)))
}

/** The mean score of each cell, and how many points it has. */
export function meansOf({ cells, occupied, counts, weights }: Brief): { scores: Float64Array; counts: Float64Array } {
  const scores = Float64Array.from(occupied, (index, c) => {
    let sum = 0
    for (let q = 0; q < nodesPerCell; q++) sum += weights[c * nodesPerCell + q]! * places[q]!
    const low = cells.edges[index % cells.count]!
    const high = cells.edges[(index % cells.count) + 1]!
    return (index < cells.count ? -1 : 1) * ((low + high) / 2 + ((high - low) / 2) * (sum / counts[c]!))
  })
  return { scores, counts }
}

/** The values of a function at the places of all occupied cells, one after the other. */
type Values = Float64Array

const rooms: Float64Array[] = []
let roomsInUse = 0

/** Room for values, used again by the next look: to ask for it anew takes longer than to fill it. */
function roomFor({ length }: { readonly length: number }): Values {
  const known = rooms[roomsInUse]
  const room = known && known.length >= length ? known : new Float64Array(2 * length)
  rooms[roomsInUse++] = room
  return room.subarray(0, length)
}

/** From a table that has the values of `kinds` functions for every cell, one function after the other. */
function valuesFrom(table: Float64Array, { occupied }: Brief, kind = 0, kinds = 1): Values {
  const values = roomFor({ length: occupied.length * placesPerCell })
  for (let c = 0, to = 0; c < occupied.length; c++) {
    const from = (occupied[c]! * kinds + kind) * placesPerCell
    for (let q = 0; q < placesPerCell; q++) values[to++] = table[from + q]!
  }
  return values
}

/** The same, divided by the mass; 0 where there is none. */
function perMassFrom(table: Float64Array, { occupied }: Brief, masses: Values, kind = 0, kinds = 1): Values {
  const values = roomFor(masses)
  for (let c = 0, to = 0; c < occupied.length; c++) {
    const from = (occupied[c]! * kinds + kind) * placesPerCell
    for (let q = 0; q < placesPerCell; q++, to++) values[to] = masses[to]! > 0 ? table[from + q]! / masses[to]! : 0
  }
  return values
}

/** What a total may be wrong by, as a share of it, before points are added up one by one. It is far less: errors within a cell nearly cancel. */
const tolerance = 1e-5

/** The sum of a function over the pool; no number where it is not smooth enough within the cells. */
function totalOf({ occupied, counts, weights }: Brief, values: Values): number {
  const sum = compensatedSum()
  let error = 0
  let size = 0
  const [[u0, u1, u2], [v0, v1, v2]] = shares
  for (let c = 0; c < occupied.length; c++) {
    const from = placesPerCell * c
    const at = nodesPerCell * c
    const a = values[from]!
    const b = values[from + 1]!
    const d = values[from + 2]!
    const low = values[from + 3]!
    const high = values[from + 4]!
    sum.add(weights[at]! * a + weights[at + 1]! * b + weights[at + 2]! * d)
    error += counts[c]! * (Math.abs(u0 * a + u1 * b + u2 * d - low) + Math.abs(v0 * a + v1 * b + v2 * d - high))
    size += counts[c]! * (Math.abs(low) + Math.abs(high))
  }
  return error <= tolerance * size ? sum.total() : Number.NaN
}

/** The largest value in each cell, of the function or of its opposite. */
function highestOf(values: Values, sign: 1 | -1 = 1): Float64Array {
  const highest = new Float64Array(values.length / placesPerCell)
  for (let c = 0; c < highest.length; c++) {
    const from = placesPerCell * c
    let most = Number.NEGATIVE_INFINITY
    for (let q = 0; q < placesPerCell; q++) most = Math.max(most, sign * values[from + q]!)
    highest[c] = most
  }
  return highest
}

/** The census of a mass; undefined where a cell has points of several margin bins. Whether parts are smooth shows in the mass they make. */
export function censusOf(brief: Brief, loss: Reader, { parts }: Mass): Census | undefined {
  const { occupied, counts, weights, points, cells } = brief
  const beliefs = beliefsAt(loss, cells)
  const bins = beliefs.bins(occupied)
  const margins = new Float64Array(marginBins)
  for (let c = 0; c < occupied.length; c++) {
    const bin = bins[occupied[c]!]!
    if (bin < 0) return undefined
    margins[bin]! += counts[c]!
  }
  const totals = parts.map(({ of }) => {
    if (of.rankPower) return 0
    const values = beliefs.values(of, occupied)
    const sum = compensatedSum()
    for (let c = 0; c < occupied.length; c++) {
      const from = occupied[c]! * placesPerCell
      const at = nodesPerCell * c
      sum.add(weights[at]! * values[from]! + weights[at + 1]! * values[from + 1]! + weights[at + 2]! * values[from + 2]!)
    }
    return sum.total()
  })
  return { points, margins, totals }
}

/** values ← values + scale · table */
function addScaled(values: Values, table: Float64Array, scale: number, occupied: Int32Array): void {
  for (let c = 0, to = 0; c < occupied.length; c++) {
    const from = occupied[c]! * placesPerCell
    for (let q = 0; q < placesPerCell; q++) values[to++]! += scale * table[from + q]!
  }
}

/** The same with a table by margin bin. */
function addByBin(values: Values, table: Float64Array, scale: number, occupied: Int32Array, bins: Float64Array): void {
  for (let c = 0, to = 0; c < occupied.length; c++) {
    const own = scale * table[bins[occupied[c]!]!]!
    for (let q = 0; q < placesPerCell; q++) values[to++]! += own
  }
}

/** The settled mass: from tables, if it is the sum we take it for. */
function massesAt(beliefs: Beliefs, mass: Mass, census: Census, massOf: (belief: Belief) => number, { occupied }: Brief): Values {
  const bins = beliefs.bins(occupied)
  const tables = mass.parts.map(({ of }) => (of.rankPower ? undefined : beliefs.values(of, occupied)))
  const asked = (c: number, q: number) => massOf(beliefs.at(occupied[c]! * placesPerCell + q))
  const masses = roomFor({ length: occupied.length * placesPerCell })
  for (const { scales, ranks } of settledSums(mass, census)) {
    masses.fill(0)
    for (const [j, scale] of scales.entries()) {
      const table = tables[j]
      if (table) addScaled(masses, table, scale, occupied)
      else addByBin(masses, ranks[j]!, scale, occupied, bins)
    }
    if (occupied.every((_, c) => c % 32 > 0 || isNear(masses[c * placesPerCell]!, asked(c, 0)))) return masses
  }
  return masses.map((_, place) => asked(Math.floor(place / placesPerCell), place % placesPerCell))
}

const worstOf: Ingredient = { name: 'worst', value: worstLoss }
const rootWorstOf: Ingredient = { name: 'root worst', value: (belief) => Math.sqrt(worstLoss(belief)) }

export interface Look {
  readonly survey: Survey
  /** The largest mass in each cell of the brief. */
  readonly largest: Float64Array
}

/** Largest values are given with this much on top: scores are right to about six digits, and nothing may lie above. */
const margin = 1 + 2e-6

/**
 * The survey with a settled mass; undefined where some function is not smooth enough within the cells. Largest and smallest values are
 * those of real points, or lie a little beyond them.
 */
export function lookAt(
  brief: Brief,
  census: Census,
  mass: Mass,
  massOf: (belief: Belief) => number,
  loss: Reader,
  readers: readonly Reader[],
): Look | undefined {
  roomsInUse = 0
  const { cells, occupied, points } = brief
  const beliefs = beliefsAt(loss, cells)
  const masses = massesAt(beliefs, mass, census, massOf, brief)
  const largest = highestOf(masses)
  const massFor = (score: number) => massOf(beliefs.of(score))
  const mostOf = (values: Values, valueAt: (score: number) => number) => margin * largestOf(brief, highestOf(values), valueAt)
  const perMass = (value: number, score: number) => {
    const a = massFor(score)
    return a > 0 ? value / a : 0
  }
  const controls = readers.map((reader) => {
    const own = beliefsAt(reader, cells)
    const table = own.moments(occupied)
    const perMassOf = (kind: number) => perMassFrom(table, brief, masses, kind, 4)
    return {
      predictedLoss: totalOf(brief, valuesFrom(table, brief, 0, 4)),
      predictedVariance: totalOf(brief, perMassOf(1)),
      largestDown: mostOf(perMassOf(2), (score) => {
        const { mean, least } = lossMoments(own.of(score))
        return perMass(mean - least, score)
      }),
      largestUp: mostOf(perMassOf(3), (score) => {
        const { mean, most } = lossMoments(own.of(score))
        return perMass(most - mean, score)
      }),
    }
  })
  const worsts = beliefs.values(worstOf, occupied)
  const worst = valuesFrom(worsts, brief)
  const survey: Survey = {
    points,
    mass: totalOf(brief, masses),
    largestMass: margin * largestOf(brief, largest, massFor),
    smallestMass: -largestOf(brief, highestOf(masses, -1), (score) => -massFor(score)),
    pseudoLoss: totalOf(brief, worst),
    rootPseudoLoss: totalOf(brief, valuesFrom(beliefs.values(rootWorstOf, occupied), brief)),
    largestPseudoLoss: mostOf(worst, (score) => worstLoss(beliefs.of(score))),
    pseudoLossPerMass: totalOf(brief, perMassFrom(worsts, brief, masses)),
    margins: Array.from(census.margins),
    controls,
  }
  const totals = [survey.mass, survey.pseudoLoss, survey.rootPseudoLoss, survey.pseudoLossPerMass]
  const isSmooth = [...totals, ...controls.flatMap((own) => [own.predictedLoss, own.predictedVariance])].every(Number.isFinite)
  return isSmooth ? { survey, largest } : undefined
}

/**
 * The largest value of a function, which is at most so high in each cell: that of a real point, as a rule at an end of a cell. Where it
 * rises between the ends of a cell its peak there is taken, so that no point lies above.
 */
function largestOf({ ends, occupied }: Brief, highest: Float64Array, valueAt: (score: number) => number): number {
  let most = Number.NEGATIVE_INFINITY
  let first = 0
  for (let c = 1; c < occupied.length; c++) if (highest[c]! > highest[first]!) first = c
  const look = (c: number) => {
    const [low, high] = [ends[2 * c]!, ends[2 * c + 1]!]
    const [atLow, atHigh] = [valueAt(low), valueAt(high)]
    most = Math.max(most, atLow, atHigh)
    const little = 1e-3 * (high - low)
    if (valueAt(low + little) > atLow && valueAt(high - little) > atHigh) most = Math.max(most, peakBetween(low, high, valueAt))
  }
  if (occupied.length === 0) return 0
  look(first)
  for (let c = 0; c < occupied.length; c++) if (highest[c]! > most + 1e-9 * Math.abs(most)) look(c)
  return most
}

/** The largest value between two scores of a function that rises to it and falls, by thirds. */
function peakBetween(low: number, high: number, valueAt: (score: number) => number): number {
  let most = 0
  for (let tries = 0; tries < 60; tries++) {
    const third = (high - low) / 3
    const [a, b] = [valueAt(low + third), valueAt(high - third)]
    most = Math.max(most, a, b)
    if (a < b) low += third
    else high -= third
  }
  return most
}
