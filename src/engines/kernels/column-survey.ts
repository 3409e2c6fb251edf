import { type Belief, emptyBelief, marginOf, type Reader, worstLoss } from '../../core/belief.ts'
import { marginBin, marginBins, noRanks } from '../../core/margins.ts'
import type { Profile } from '../../core/profile.ts'
import { type ControlTotals, lossMoments, type Survey } from '../../core/survey.ts'
import type { Mass } from '../../masses/mass.ts'
import { cellWidth, placesPerCell, type ScoreTable } from './score-table.ts'
import { beyond } from './settled-mass.ts'

export interface ColumnSurvey {
  readonly survey: Survey
  /** The largest mass in each cell. */
  readonly largest: Float64Array
  /** The mass of a point with these scores. */
  massAt(scores: ArrayLike<number>): number
}

/** How scores are read, of how many classes, and the mass wanted. */
interface ColumnQuestion {
  readonly columns: number
  readonly classes: number
  readonly loss: Reader
  readonly mass: Mass
  readonly controls: readonly Reader[]
}

/** Values of a function at all places of all cells. */
type Values = Float64Array

/** What a total may be wrong by, as a share of it, before points are added up one by one. It is far less: errors within a cell nearly cancel. */
const tolerance = 2e-5

/** The survey of scores that are columns; undefined for ranks, and where some function is not smooth enough within the cells. */
export function surveyColumns(table: ScoreTable, question: ColumnQuestion): ColumnSurvey | undefined {
  const { loss, mass, controls } = question
  const points = table.counts.reduce((sum, count) => sum + count, 0)
  if (points === 0 || mass.parts.some(({ of }) => of.rankPower)) return undefined
  const margins = marginsOf(table, question)
  const parts = valuesOf(table, question, loss, (belief) => mass.parts.map(({ of }) => of.value(belief, noRanks)))
  const massOf = mass.settle({ points, margins, totals: parts.map((values) => totalOf(table, values)) })
  const [masses, worst] = valuesOf(table, question, loss, (belief) => [massOf(belief), worstLoss(belief)]) as [Values, Values]
  const perMass = (values: Values) => values.map((value, place) => (masses[place]! > 0 ? value / masses[place]! : 0))
  const most = (values: Values) => largestOf(table, values).reduce((a, b) => Math.max(a, b), 0)
  const controlTotals = controls.map((control): ControlTotals => {
    const [mean, variance, down, up] = valuesOf(table, question, control, (belief) => {
      const { mean, variance, least, most } = lossMoments(belief)
      return [mean, variance, mean - least, most - mean]
    }) as [Values, Values, Values, Values]
    return {
      predictedLoss: totalOf(table, mean),
      predictedVariance: totalOf(table, perMass(variance)),
      largestDown: most(perMass(down)),
      largestUp: most(perMass(up)),
    }
  })
  const opposites = masses.map((mass) => -mass)
  const survey: Survey = {
    points,
    mass: totalOf(table, masses),
    largestMass: most(masses),
    smallestMass: -largestOf(table, opposites).reduce((a, b) => Math.max(a, b)),
    pseudoLoss: totalOf(table, worst),
    rootPseudoLoss: totalOf(table, worst.map(Math.sqrt)),
    largestPseudoLoss: most(worst),
    pseudoLossPerMass: totalOf(table, perMass(worst)),
    margins: Array.from(margins),
    controls: controlTotals,
  }
  const totals = [survey.mass, survey.pseudoLoss, survey.rootPseudoLoss, survey.pseudoLossPerMass]
  const isSmooth = [...totals, ...controlTotals.flatMap((own) => [own.predictedLoss, own.predictedVariance])].every(
    Number.isFinite,
  )
  if (!isSmooth) return undefined
  const belief = emptyBelief(question.classes)
  const massAt = (scores: ArrayLike<number>) => {
    loss.read(scores, belief)
    return massOf(belief)
  }
  return { survey, largest: largestOf(table, masses), massAt }
}

/** The first scores that stand for those of the pool, and how many points each stands for. */
export function profileOfColumns({ weights, places }: ScoreTable): Profile {
  const used = Array.from(weights.keys()).filter((node) => weights[node]! > 0)
  const scoreOf = (node: number) => places[placesPerCell * (node >> 1) + (node & 1 ? 3 : 1)]!
  return { scores: Float64Array.from(used, scoreOf), counts: Float64Array.from(used, (node) => weights[node]!) }
}

/** Some functions of a belief at all places of cells that have points. */
function valuesOf(
  table: ScoreTable,
  { columns, classes }: ColumnQuestion,
  reader: Reader,
  read: (belief: Belief) => readonly number[],
): Values[] {
  const { counts, places } = table
  const belief = emptyBelief(classes)
  const scores = new Float64Array(columns)
  const all: Values[] = []
  for (let place = 0; place < places.length; place++) {
    const cell = Math.floor(place / placesPerCell)
    if (counts[cell] === 0) continue
    table.writeScores(cell, places[place]!, scores)
    reader.read(scores, belief)
    for (const [k, value] of read(belief).entries()) {
      all[k] ??= new Float64Array(places.length)
      all[k][place] = value
    }
  }
  return all
}

/** The sum of a function over all points; no number where the parabola through nodes and mean is not near enough at the ends of cells. */
function totalOf({ counts, weights, places }: ScoreTable, values: Values): number {
  let sum = 0
  let error = 0
  let size = 0
  for (let cell = 0; cell < counts.length; cell++) {
    const count = counts[cell]!
    if (count === 0) continue
    const at = placesPerCell * cell
    const [x, y, z] = [values[at + 1]!, values[at + 2]!, values[at + 3]!]
    sum += weights[2 * cell]! * x + weights[2 * cell + 1]! * z
    size += count * Math.abs(y)
    const [low, middle, high] = [places[at + 1]!, places[at + 2]!, places[at + 3]!]
    if (!(low < middle && middle < high)) continue // all the same
    const [left, right] = [(y - x) / (middle - low), (z - y) / (high - middle)]
    const bend = (right - left) / (high - low)
    const offAt = (place: number) =>
      Math.abs(x + (places[place]! - low) * (left + (places[place]! - middle) * bend) - values[place]!)
    error += count * Math.max(offAt(at), offAt(at + 4))
  }
  return error <= tolerance * size ? sum : Number.NaN
}

/**
 * What no value in a cell lies above, cell by cell; −∞ where it has no points. At its ends there are points, so what is largest there is
 * one of theirs; a peak may lie between other places.
 */
function largestOf({ counts }: ScoreTable, values: Values): Float64Array {
  const atPeak = beyond + cellWidth ** 2 / 16
  return Float64Array.from(counts, (count, cell) => {
    if (count === 0) return Number.NEGATIVE_INFINITY
    const [first, low, middle, high, last] = values.subarray(placesPerCell * cell, placesPerCell * (cell + 1))
    const [end, inner] = [Math.max(first!, last!), Math.max(low!, middle!, high!)]
    const most = Math.max(end, inner)
    return most + (inner > end ? atPeak - 1 : beyond - 1) * Math.abs(most)
  })
}

/** How many points have a margin in each bin: found by halving, as the margin rises or falls along most cells. */
function marginsOf(table: ScoreTable, { columns, classes, loss }: ColumnQuestion): Float64Array {
  const margins = new Float64Array(marginBins)
  const belief = emptyBelief(classes)
  const scores = new Float64Array(columns)
  for (let cell = 0; cell < table.counts.length; cell++) {
    const own = table.scoresOf(cell)
    const binAt = (k: number) => {
      table.writeScores(cell, own[k]!, scores)
      loss.read(scores, belief)
      return marginBin(marginOf(belief))
    }
    const count = (first: number, last: number, firstBin: number, lastBin: number): void => {
      const middle = (first + last) >> 1
      const bin = binAt(middle)
      if (last - first <= 1 || (firstBin === bin && bin === lastBin)) {
        margins[firstBin]! += middle - first + 1
        if (last > middle) margins[lastBin]! += last - middle
        return
      }
      count(first, middle, firstBin, bin)
      margins[bin]! -= 1 // counted on both sides
      count(middle, last, bin, lastBin)
    }
    if (own.length > 0) count(0, own.length - 1, binAt(0), binAt(own.length - 1))
  }
  return margins
}
