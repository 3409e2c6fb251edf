import { type Belief, type Reader, worstLoss } from '../../core/belief.ts'
import { marginBins } from '../../core/margins.ts'
import { compensatedSum } from '../../core/sums.ts'
import { lossMoments, type Survey } from '../../core/survey.ts'
import type { Census, Ingredient, Mass } from '../../masses/mass.ts'
import { type Beliefs, beliefsAt, nodePlaces, nodesPerCell } from './beliefs.ts'
import type { Cells } from './cells.ts'
import { isNear, settledSums } from './settle.ts'

/**
 * The scores of a pool in brief. In every cell a few scores, its nodes, stand for all: with the right weights, a sum over them is the
 * sum over the points for every polynomial of degree 5, and what we add up is as good as one within a cell. The weights follow from the
 * sums of the powers of the scores, so one pass over the pool is enough for every total.
 */
export interface Brief {
  readonly cells: Cells
  readonly points: number
  /** Cells that have points, those of negative scores first, and how many each has. */
  readonly occupied: readonly number[]
  readonly counts: Float64Array
  /** Of each cell's nodes. */
  readonly weights: Float64Array
  /** Of each cell, the scores nearest to 0 and farthest from it: those of real points. */
  readonly ends: Float64Array
}

/** Coefficients of the polynomials that are 1 at one node and 0 at the others. */
const bases = Array.from(nodePlaces, (own, q) => {
  let polynomial = [1]
  for (const [r, other] of nodePlaces.entries()) {
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

/** From the cells as src/kernels/tally.ts leaves them, 8 numbers each. Undefined if a score lies beyond all cells, or is no number. */
export function briefOf(moments: Float64Array, cells: Cells): Brief | undefined {
  const { count } = cells
  const occupied: number[] = []
  for (let index = 0; index < 2 * count; index++) if (moments[8 * index]! > 0) occupied.push(index)
  if (occupied.some((index) => index % count === count - 1)) return undefined
  const counts = new Float64Array(occupied.length)
  const weights = new Float64Array(occupied.length * nodesPerCell)
  const ends = new Float64Array(occupied.length * 2)
  let points = 0
  for (let c = 0; c < occupied.length; c++) {
    const from = 8 * occupied[c]!
    const sign = occupied[c]! < count ? -1 : 1
    counts[c] = moments[from]!
    points += moments[from]!
    ends[2 * c] = sign * moments[from + 6]!
    ends[2 * c + 1] = -sign * moments[from + 7]!
    for (let q = 0; q < nodesPerCell; q++) {
      const basis = bases[q]!
      let weight = 0
      for (let k = 0; k < nodesPerCell; k++) weight += basis[k]! * moments[from + k]!
      weights[c * nodesPerCell + q] = weight
    }
  }
  return { cells, points, occupied, counts, weights, ends }
}

/** The mean score of each cell, and how many points it has. */
export function meansOf({ cells, occupied, counts, weights }: Brief): { scores: Float64Array; counts: Float64Array } {
  const scores = Float64Array.from(occupied, (index, c) => {
    let sum = 0
    for (let q = 0; q < nodesPerCell; q++) sum += weights[c * nodesPerCell + q]! * nodePlaces[q]!
    const low = cells.edges[index % cells.count]!
    const high = cells.edges[(index % cells.count) + 1]!
    return (index < cells.count ? -1 : 1) * ((low + high) / 2 + ((high - low) / 2) * (sum / counts[c]!))
  })
  return { scores, counts }
}

/** Writes the values of some functions, at a node or for a score. */
interface Functions {
  readonly width: number
  atNode(node: number, into: Float64Array): void
  at(score: number, into: Float64Array): void
  /** Told of the values at the ends of a cell, and at those nodes that lie between them. */
  visit?(cell: number, values: Float64Array, isNode: boolean): void
}

/** What a total may be wrong by, as a share of it, before we go back to adding up the points one by one. */
const tolerance = 1e-9

/** Sums over the pool of the first `summed` functions of a score; undefined where one is not smooth enough within the cells. */
function chanceSums(brief: Brief, functions: Functions, summed = functions.width): readonly number[] | undefined {
  const { cells, occupied, counts, weights, ends } = brief
  const { width } = functions
  const sums = Array.from({ length: summed }, compensatedSum)
  const sizes = new Float64Array(summed)
  const errors = new Float64Array(summed)
  const values = Array.from({ length: nodesPerCell }, () => new Float64Array(width))
  const own = new Float64Array(width)
  const cellSums = new Float64Array(summed)
  const shares = new Float64Array(nodesPerCell)
  for (let c = 0; c < occupied.length; c++) {
    const cell = occupied[c]! % cells.count
    const centre = (cells.edges[cell]! + cells.edges[cell + 1]!) / 2
    const half = (cells.edges[cell + 1]! - cells.edges[cell]!) / 2
    const low = (Math.abs(ends[2 * c]!) - centre) / half
    const high = (Math.abs(ends[2 * c + 1]!) - centre) / half
    cellSums.fill(0)
    if (counts[c]! <= 2) {
      // Its ends are all the points it has.
      for (let end = 0; end < 2; end++) {
        functions.at(ends[2 * c + end]!, own)
        functions.visit?.(c, own, false)
        for (let f = 0; f < summed; f++) cellSums[f]! += (counts[c]! / 2) * own[f]!
      }
      for (let f = 0; f < summed; f++) sums[f]!.add(cellSums[f]!)
      continue
    }
    for (let q = 0; q < nodesPerCell; q++) {
      const at = values[q]!
      functions.atNode(occupied[c]! * nodesPerCell + q, at)
      for (let f = 0; f < summed; f++) cellSums[f]! += weights[c * nodesPerCell + q]! * at[f]!
      if (nodePlaces[q]! >= low && nodePlaces[q]! <= high) functions.visit?.(c, at, true)
    }
    for (let f = 0; f < summed; f++) sums[f]!.add(cellSums[f]!)
    for (let end = 0; end < 2; end++) {
      functions.at(ends[2 * c + end]!, own)
      functions.visit?.(c, own, false)
      writeShares(end === 0 ? low : high, shares)
      for (let f = 0; f < summed; f++) {
        let through = 0
        for (let q = 0; q < nodesPerCell; q++) through += shares[q]! * values[q]![f]!
        errors[f]! += counts[c]! * Math.abs(through - own[f]!)
        sizes[f]! += counts[c]! * Math.abs(own[f]!)
      }
    }
  }
  const isFine = errors.every((error, f) => error <= tolerance * sizes[f]!)
  return isFine ? sums.map((sum) => sum.total()) : undefined
}

/** What each node contributes to the polynomial through all of them, at one place. */
function writeShares(place: number, into: Float64Array): void {
  for (let q = 0; q < nodesPerCell; q++) {
    const basis = bases[q]!
    let sum = 0
    for (let k = nodesPerCell - 1; k >= 0; k--) sum = sum * place + basis[k]!
    into[q] = sum
  }
}

/** The census of a mass; undefined where a cell has points of several margin bins. Whether parts are smooth shows in the mass they make. */
export function censusOf(brief: Brief, loss: Reader, { parts }: Mass): Census | undefined {
  const { occupied, counts, weights, points, cells } = brief
  const beliefs = beliefsAt(loss, cells)
  const margins = new Float64Array(marginBins)
  for (let c = 0; c < occupied.length; c++) {
    const bin = beliefs.bins[occupied[c]!]!
    if (bin < 0) return undefined
    margins[bin]! += counts[c]!
  }
  const totals = parts.map(({ of }) => {
    if (of.rankPower) return 0
    const values = beliefs.values(of)
    const sum = compensatedSum()
    for (let c = 0; c < occupied.length; c++) {
      let own = 0
      for (let q = 0; q < nodesPerCell; q++) own += weights[c * nodesPerCell + q]! * values[occupied[c]! * nodesPerCell + q]!
      sum.add(own)
    }
    return sum.total()
  })
  return { points, margins, totals }
}

/** The settled mass at the nodes: from tables, if it is the sum we take it for. The mass itself is asked at both ends of every cell. */
function massAtNodes(beliefs: Beliefs, mass: Mass, census: Census, massOf: (belief: Belief) => number, { occupied }: Brief) {
  const tables = mass.parts.map(({ of }) => (of.rankPower ? undefined : beliefs.values(of)))
  const sums = settledSums(mass, census).map(({ scales, ranks }) => (node: number) => {
    let sum = 0
    for (let j = 0; j < scales.length; j++)
      sum += scales[j]! * (tables[j]?.[node] ?? ranks[j]![beliefs.bins[Math.floor(node / nodesPerCell)]!]!)
    return sum
  })
  const asked = occupied.filter((_, c) => c % 32 === 0).map((cell) => cell * nodesPerCell)
  const isIt = (sum: (node: number) => number) => asked.every((node) => isNear(sum(node), massOf(beliefs.at(node))))
  return sums.find(isIt) ?? ((node: number) => massOf(beliefs.at(node)))
}

const worstOf: Ingredient = { name: 'worst', value: worstLoss }

export interface Look {
  readonly survey: Survey
  /** The largest mass in each cell of the brief. */
  readonly largest: Float64Array
}

/** The survey with a settled mass; undefined where the brief does not do. Largest and smallest values are those of real points, or lie beyond them. */
export function lookAt(
  brief: Brief,
  census: Census,
  mass: Mass,
  massOf: (belief: Belief) => number,
  loss: Reader,
  controls: readonly Reader[],
): Look | undefined {
  const beliefs = beliefsAt(loss, brief.cells)
  const others = controls.map((control) => beliefsAt(control, brief.cells))
  const extremes = 4 + 2 * controls.length // where largest values begin
  const width = extremes + 2 * controls.length
  const largest = new Float64Array(brief.occupied.length)
  const peaks = peaksOf(brief, width)
  let leastMass = Number.POSITIVE_INFINITY

  function writeOwn(a: number, worst: number, into: Float64Array): void {
    into[0] = a
    into[1] = worst
    into[2] = Math.sqrt(worst)
    into[3] = a > 0 ? worst / a : 0
  }
  function writeControl(k: number, mean: number, variance: number, least: number, most: number, into: Float64Array): void {
    const a = into[0]!
    into[4 + 2 * k] = mean
    into[5 + 2 * k] = a > 0 ? variance / a : 0
    into[extremes + 2 * k] = a > 0 ? (mean - least) / a : 0
    into[extremes + 1 + 2 * k] = a > 0 ? (most - mean) / a : 0
  }
  const worsts = beliefs.values(worstOf)
  const moments = others.map((other) => other.moments())
  const massAt = massAtNodes(beliefs, mass, census, massOf, brief)
  const functions: Functions = {
    width,
    atNode(node, into) {
      writeOwn(massAt(node), worsts[node]!, into)
      for (let k = 0; k < moments.length; k++) {
        const own = moments[k]!
        writeControl(k, own[4 * node]!, own[4 * node + 1]!, own[4 * node + 2]!, own[4 * node + 3]!, into)
      }
    },
    at(score, into) {
      const belief = beliefs.of(score)
      writeOwn(massOf(belief), worstLoss(belief), into)
      for (let k = 0; k < others.length; k++) {
        const { mean, variance, least, most } = lossMoments(others[k]!.of(score))
        writeControl(k, mean, variance, least, most, into)
      }
    },
    visit(c, values, isNode) {
      largest[c] = Math.max(largest[c]!, values[0]!)
      leastMass = Math.min(leastMass, values[0]!)
      peaks.visit(c, values, isNode)
    },
  }
  const sums = chanceSums(brief, functions, extremes)
  if (!sums) return undefined
  const most = (f: number) => peaks.highest(f, functions)
  const survey: Survey = {
    points: brief.points,
    mass: sums[0]!,
    largestMass: most(0),
    smallestMass: brief.points > 0 ? leastMass : 0,
    pseudoLoss: sums[1]!,
    rootPseudoLoss: sums[2]!,
    largestPseudoLoss: most(1),
    pseudoLossPerMass: sums[3]!,
    margins: Array.from(census.margins),
    controls: controls.map((_, k) => ({
      predictedLoss: sums[4 + 2 * k]!,
      predictedVariance: sums[5 + 2 * k]!,
      largestDown: most(extremes + 2 * k),
      largestUp: most(extremes + 1 + 2 * k),
    })),
  }
  return { survey, largest }
}

/**
 * The largest values of functions: those of real points, as a rule at an end of a cell. Where a function rises between the ends of a cell
 * its peak there is taken, so that no point lies above.
 */
function peaksOf({ occupied, ends }: Brief, width: number) {
  const byCell = () => Array.from({ length: width }, () => new Float64Array(occupied.length))
  const [atEnds, atNodes] = [byCell(), byCell()]
  return {
    visit(c: number, values: Float64Array, isNode: boolean): void {
      const known = isNode ? atNodes : atEnds
      for (let f = 0; f < width; f++) if (values[f]! > known[f]![c]!) known[f]![c] = values[f]!
    },
    highest(f: number, functions: Functions): number {
      const values = new Float64Array(width)
      const valueAt = (score: number) => {
        functions.at(score, values)
        return values[f]!
      }
      let most = 0
      for (const value of atEnds[f]!) if (value > most) most = value
      const enough = 0.999 * most
      for (let c = 0; c < occupied.length; c++) {
        const [end, node] = [atEnds[f]![c]!, atNodes[f]![c]!]
        if (Math.max(end, node) < enough || end === node) continue // far below, or the same throughout
        const [low, high] = [ends[2 * c]!, ends[2 * c + 1]!]
        const little = 1e-3 * (high - low)
        if (valueAt(low + little) > valueAt(low) && valueAt(high - little) > valueAt(high))
          most = Math.max(most, peakBetween(low, high, valueAt))
      }
      return most
    },
  }
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
