import { type Belief, type Reader, worstLoss } from '../../core/belief.ts'
import { marginBins, noRanks } from '../../core/margins.ts'
import { lossMoments, type Survey } from '../../core/survey.ts'
import type { Census, Ingredient, Mass } from '../../masses/mass.ts'
import { type Beliefs, beliefsAt, nodesPerCell, places, placesPerCell } from './cell-beliefs.ts'
import { mostCells } from './score-cells.ts'
import { type ScoreQuadrature, sharesAt } from './score-quadrature.ts'
import { beyond, type SettledSum, settledSum } from './settled-mass.ts'

/** What to survey: a settled mass, the census it was settled by, and how scores are read for it and for what is measured. */
export interface CellQuestion {
  readonly mass: Mass
  readonly census: Census
  readonly massOf: (belief: Belief) => number
  readonly loss: Reader
  readonly controls: readonly Reader[]
}

export interface CellSurvey {
  readonly survey: Survey
  /** The largest mass in each occupied cell. */
  readonly largest: Float64Array
}

/** The values of a function at all places of all cells, as far as cells have points. */
type Values = Float64Array

const ones: Values = new Float64Array(2 * mostCells * placesPerCell).fill(1)

/** Filled anew by every survey: to ask for so much room takes longer than to fill it. */
const masses: Values = new Float64Array(ones.length)
const perMass: Values = new Float64Array(ones.length)

const worst: Ingredient = { name: 'worst', value: worstLoss }
const rootWorst: Ingredient = { name: 'root worst', value: (belief) => Math.sqrt(worstLoss(belief)) }

/** Of a loss: its mean, its variance, how far it may fall below the mean, and rise above. */
const mean = ofMoments('mean', ({ mean }) => mean)
const variance = ofMoments('variance', ({ variance }) => variance)
const down = ofMoments('down', ({ mean, least }) => mean - least)
const up = ofMoments('up', ({ mean, most }) => most - mean)

function ofMoments(name: string, read: (moments: ReturnType<typeof lossMoments>) => number): Ingredient {
  return { name, value: (belief) => read(lossMoments(belief)) }
}

/**
 * The survey with a settled mass; undefined where some function is not smooth enough within the cells. Largest and smallest values are
 * those of real points, or lie a little beyond them.
 */
export function surveyCells(quadrature: ScoreQuadrature, question: CellQuestion): CellSurvey | undefined {
  const { cells, occupied, points } = quadrature
  const { massOf, loss, census } = question
  const beliefs = beliefsAt(loss, cells)
  writeMasses(beliefs, quadrature, question)
  const largest = highestOf(quadrature, masses)
  const massAt = (score: number) => massOf(beliefs.of(score))
  const mostAt = (highest: Float64Array, valueAt: (score: number) => number) => largestOf(quadrature, highest, valueAt)
  const controls = question.controls.map((reader) => {
    const own = beliefsAt(reader, cells)
    const most = ({ value }: Ingredient, values: Values) =>
      beyond *
      mostAt(highestOf(quadrature, values, perMass), (score) => {
        const a = massAt(score)
        return a > 0 ? value(own.of(score), noRanks) / a : 0
      })
    return {
      predictedLoss: totalOf(quadrature, own.values(mean, occupied)),
      predictedVariance: totalOf(quadrature, own.values(variance, occupied), perMass),
      largestDown: most(down, own.values(down, occupied)),
      largestUp: most(up, own.values(up, occupied)),
    }
  })
  const worsts = beliefs.values(worst, occupied)
  const survey: Survey = {
    points,
    mass: totalOf(quadrature, masses),
    largestMass: beyond * mostAt(largest, massAt),
    smallestMass: -mostAt(highestOf(quadrature, masses, ones, -1), (score) => -massAt(score)) / beyond,
    pseudoLoss: totalOf(quadrature, worsts),
    rootPseudoLoss: totalOf(quadrature, beliefs.values(rootWorst, occupied)),
    largestPseudoLoss: beyond * mostAt(highestOf(quadrature, worsts), (score) => worstLoss(beliefs.of(score))),
    pseudoLossPerMass: totalOf(quadrature, worsts, perMass),
    margins: Array.from(census.margins),
    controls,
  }
  const totals = [survey.mass, survey.pseudoLoss, survey.rootPseudoLoss, survey.pseudoLossPerMass]
  const isSmooth = [...totals, ...controls.flatMap((own) => [own.predictedLoss, own.predictedVariance])].every(Number.isFinite)
  return isSmooth ? { survey, largest } : undefined
}

/** The sum of what an ingredient makes of each point; no number where it is not smooth enough within the cells. */
export function cellTotal(quadrature: ScoreQuadrature, loss: Reader, ingredient: Ingredient): number {
  return totalOf(quadrature, beliefsAt(loss, quadrature.cells).values(ingredient, quadrature.occupied))
}

/** The settled mass, and 1 over it or 0: from tables, if it says how it is made of its parts. */
function writeMasses(beliefs: Beliefs, { occupied }: ScoreQuadrature, { mass, census, massOf }: CellQuestion): void {
  const sum = settledSum(mass, census)
  const bins = beliefs.bins(occupied) // which has all beliefs read
  if (sum) {
    writeByBin(sum, occupied, bins)
    for (const [j, { of }] of mass.parts.entries())
      if (!of.rankPower) addScaled(beliefs.values(of, occupied), sum.scales[j]!, occupied)
  }
  for (let c = 0; c < occupied.length; c++) {
    const from = occupied[c]! * placesPerCell
    for (let place = from; place < from + placesPerCell; place++) {
      if (!sum) masses[place] = massOf(beliefs.at(place))
      const a = masses[place]!
      perMass[place] = a > 0 ? 1 / a : 0
    }
  }
}

/** masses ← the parts that go by margin bin */
function writeByBin({ ranks, scales }: SettledSum, occupied: Int32Array, bins: Float64Array): void {
  const byBin = new Float64Array(marginBins)
  for (const [j, own] of ranks.entries())
    if (own) for (let bin = 0; bin < marginBins; bin++) byBin[bin]! += scales[j]! * own[bin]!
  for (let c = 0; c < occupied.length; c++) {
    const from = occupied[c]! * placesPerCell
    const own = byBin[bins[occupied[c]!]!]!
    for (let place = from; place < from + placesPerCell; place++) masses[place] = own
  }
}

/** masses ← masses + scale · table */
function addScaled(table: Values, scale: number, occupied: Int32Array): void {
  for (let c = 0; c < occupied.length; c++) {
    const from = occupied[c]! * placesPerCell
    for (let place = from; place < from + placesPerCell; place++) masses[place]! += scale * table[place]!
  }
}

/** What a total may be wrong by, as a share of it, before points are added up one by one. It is far less: errors within a cell nearly cancel. */
const tolerance = 2e-5

/** What each node contributes to the polynomial through all of them, at the place after the nodes. */
const [u, v, w] = sharesAt(places[nodesPerCell]!)

/** The sum of a function, times another, over the pool; no number where it is not smooth enough within the cells. */
function totalOf({ occupied, counts, weights }: ScoreQuadrature, values: Values, factors: Values = ones): number {
  let sum = 0
  let error = 0
  let size = 0
  for (let c = 0; c < occupied.length; c++) {
    const from = placesPerCell * occupied[c]!
    const at = nodesPerCell * c
    const x = values[from]! * factors[from]!
    const y = values[from + 1]! * factors[from + 1]!
    const z = values[from + 2]! * factors[from + 2]!
    const other = values[from + 3]! * factors[from + 3]!
    sum += weights[at]! * x + weights[at + 1]! * y + weights[at + 2]! * z
    error += counts[c]! * Math.abs(u * x + v * y + w * z - other)
    size += counts[c]! * Math.abs(other)
  }
  return error <= tolerance * size ? sum : Number.NaN
}

/** The largest value of a function, times another, in each cell; of its opposite, if so told. */
function highestOf({ occupied }: ScoreQuadrature, values: Values, factors: Values = ones, sign: 1 | -1 = 1): Float64Array {
  const highest = new Float64Array(occupied.length)
  for (let c = 0; c < highest.length; c++) {
    const from = placesPerCell * occupied[c]!
    const x = sign * values[from]! * factors[from]!
    const y = sign * values[from + 1]! * factors[from + 1]!
    const z = sign * values[from + 2]! * factors[from + 2]!
    const other = sign * values[from + 3]! * factors[from + 3]!
    highest[c] = Math.max(x, y, z, other)
  }
  return highest
}

/**
 * The largest value of a function, which is at most so high in each cell: that of a real point, as a rule at an end of a cell. Where it
 * rises between the ends of a cell its peak there is taken, so that no point lies above.
 */
function largestOf({ ends, occupied }: ScoreQuadrature, highest: Float64Array, valueAt: (score: number) => number): number {
  if (occupied.length === 0) return 0
  let most = Number.NEGATIVE_INFINITY
  let first = 0
  for (let c = 1; c < occupied.length; c++) if (highest[c]! > highest[first]!) first = c
  const tryCell = (c: number) => {
    const [low, high] = [ends[2 * c]!, ends[2 * c + 1]!]
    const [atLow, atHigh] = [valueAt(low), valueAt(high)]
    most = Math.max(most, atLow, atHigh)
    const little = 1e-3 * (high - low)
    if (valueAt(low + little) > atLow && valueAt(high - little) > atHigh) most = Math.max(most, peakBetween(low, high, valueAt))
  }
  tryCell(first)
  for (let c = 0; c < occupied.length; c++) if (highest[c]! > most + 1e-9 * Math.abs(most)) tryCell(c)
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
