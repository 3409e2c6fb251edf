import { emptyBelief } from '../../core/belief.ts'
import type { FeatureRows } from '../../core/features.ts'
import { memoize } from '../../core/memoize.ts'
import { isLinear, type LearnedModel, type LinearModel, type Model, scorerOf, scoresPerPoint } from '../../core/model.ts'
import { mostFormFeatures, type QuadraticForm } from '../../core/quadratic-form.ts'
import type { Stream } from '../../core/randomness.ts'
import type { Survey } from '../../core/survey.ts'
import type { SurveyRequest } from '../engine.ts'
import { surveyCells } from './cell-survey.ts'
import { censusOfStatistics, surveyOfStatistics } from './class-statistics.ts'
import { formulasOf, isSoftmax, isSoftmaxError, settledFormula } from './mass-formula.ts'
import { packTrees } from './packed-trees.ts'
import { type Cells, cellsFor } from './score-cells.ts'
import { censusOf, quadratureOf, type ScoreQuadrature } from './score-quadrature.ts'
import type { Labelling } from './slab-classes.ts'
import type { SlabPasses, SlabPool } from './slab-passes.ts'

/** A pool in slabs, and what is kept from one question to the next. */
export interface SurveyedPool {
  readonly slabs: SlabPool
  readonly passes: SlabPasses
  /** The features as they are. */
  readonly features: FeatureRows
  /** Whether scores in 32 bits are as near to the exact ones as they should be: not where large products cancel. */
  readonly isPrecise: (model: LinearModel) => boolean
  /** The model and cells of the last quadrature; undefined if cells do not speak for its scores. */
  latest?: { readonly model: Model; readonly cells: Cells; readonly quadrature: ScoreQuadrature | undefined } | undefined
}

export function surveyedPool(slabs: SlabPool, passes: SlabPasses, features: FeatureRows): SurveyedPool {
  const isPrecise = memoize((model: LinearModel) => slabs.scales !== undefined || areFloatsPrecise(passes, features, model))
  return { slabs, passes, features, isPrecise }
}

/** Goes by some points. Bytes are not asked about: they have scores of their own. */
function areFloatsPrecise(passes: SlabPasses, features: FeatureRows, model: LinearModel): boolean {
  const exact = exactScorer(features, model)
  const floats = model.weights.map((_, k) => passes.floatScorer(model, k))
  const some = Array.from({ length: 16 }, (_, k) => Math.floor(((k + 0.5) * features.rows) / 16))
  return some.every((row) =>
    exact(row).every((score, k) => Math.abs(floats[k]!(row) - score) <= 2 ** -16 * (1 + Math.abs(score))),
  )
}

/** Scores of single points, as they are. */
export function exactScorer(features: FeatureRows, model: Model): (row: number) => number[] {
  const score = scorerOf(model)
  const own = new Float64Array(scoresPerPoint(model))
  return (row) => {
    score(features, row, own)
    return [...own]
  }
}

/** The same of features as bytes: what masses and totals are made of. */
export function roughScorer({ passes }: SurveyedPool, model: LinearModel): (row: number) => number[] {
  const scorers = model.weights.map((_, k) => passes.floatScorer(model, k))
  return (row) => scorers.map((score) => score(row))
}

export function takeRow(pool: SurveyedPool, row: number): void {
  if (!pool.passes.take(row)) return
  pool.latest = undefined
}

/** A survey, and a way to find the few points that can be drawn. */
export interface PoolSurvey {
  readonly survey: Survey
  /** How many points have some mass, at most. */
  readonly drawable: number
  /** Rows of all points whose key can be at most `limit`; undefined if they are too many. */
  candidates(limit: number, stream: Stream): Promise<number[] | undefined>
  /** The mass of a point, as it is in the total. */
  massAt(row: number): number
}

const mostClasses = 256 // slabs have room for their intercepts, and the reference for the others

/** Undefined where the way of the reference is the only one. */
export async function surveyOf(pool: SurveyedPool, question: SurveyRequest): Promise<PoolSurvey | undefined> {
  const { model, forms = [] } = question
  if (!canScore(pool, model)) return undefined
  if (forms.length === 0 && isLinear(model) && model.weights.length === 1) return surveyByCells(pool, question, model)
  return forms.length === 0 || (hasForms(pool, forms) && forms.length === 2)
    ? surveyByStatistics(pool, question, model)
    : undefined
}

/** Whether kernels make the scores of a model. */
export function canScore(pool: SurveyedPool, model: Model): model is LearnedModel {
  if (scoresPerPoint(model) > mostClasses) return false
  return isLinear(model) || (model.kind === 'trees' && areFloats(pool) && packTrees(model) !== undefined)
}

const areFloats = ({ slabs }: SurveyedPool) => slabs.slabs.every(({ form }) => form.kind === 'floats')

/** Whether kernels make forms: they have room for no wider rows. */
const hasForms = (pool: SurveyedPool, forms: readonly QuadraticForm[]) =>
  areFloats(pool) && forms[0]![0]!.length <= mostFormFeatures + 1

/** Two classes: all from the quadrature, if it is a smooth function of the score. */
async function surveyByCells(pool: SurveyedPool, request: SurveyRequest, model: LinearModel): Promise<PoolSurvey | undefined> {
  const { loss, mass, controls } = request
  const { passes } = pool
  const quadrature = await quadratureFor(pool, model, cellsFor(loss))
  const census = quadrature && censusOf(quadrature, loss, mass)
  if (!census) return undefined
  const massOf = mass.settle(census)
  const found = surveyCells(quadrature, { census, mass, massOf, loss, controls })
  if (!found) return undefined
  const { cells, occupied, points } = quadrature
  const score = passes.floatScorer(model)
  const belief = emptyBelief(2)
  return {
    survey: found.survey,
    drawable: points,
    candidates(limit, stream) {
      const thresholds = new Int32Array(2 * cells.count) // no point is in another cell
      for (let c = 0; c < occupied.length; c++) thresholds[occupied[c]!] = thresholdFor(found.largest[c]!, limit)
      return passes.pickByCell(stream, thresholds)
    },
    massAt(row) {
      loss.read([score(row)], belief)
      return massOf(belief)
    },
  }
}

/** What the uniform of a point must be above for its key to be at most `limit`, in units of 2⁻³¹; `largest`: what its mass is at most. */
function thresholdFor(largest: number, limit: number): number {
  // −ln u ≥ 1 − u. The margins are for rounding, and for masses between the scores that were looked at.
  const least = largest > 0 ? Math.max(0, 1 - 1.01 * limit * largest) : 1
  return Math.floor(least * 2 ** 31) - 1
}

/** At most one pass over the features, and one if classes are wanted as well. */
export async function quadratureFor(
  pool: SurveyedPool,
  model: LinearModel,
  cells: Cells,
  labelling?: Labelling,
): Promise<ScoreQuadrature | undefined> {
  if (!labelling && pool.latest?.model === model && pool.latest.cells === cells) return pool.latest.quadrature
  const quadrature = pool.isPrecise(model) ? quadratureOf(await pool.passes.tally(model, cells, labelling), cells) : undefined
  pool.latest = { model, cells, quadrature }
  return quadrature
}

/** More classes, or quadratic forms: from the statistics of every point, if the mass is made of these. */
async function surveyByStatistics(
  pool: SurveyedPool,
  { loss, mass, controls, forms }: SurveyRequest,
  model: LearnedModel,
): Promise<PoolSurvey | undefined> {
  const { passes } = pool
  const { length } = model.classes
  const formulas = formulasOf(mass, forms?.length ?? 0)
  if (!formulas || !isSoftmax(loss, length) || !controls.every((control) => isSoftmaxError(control, length))) return undefined
  await makeStatistics(pool, model, forms)
  const census = censusOfStatistics(await passes.census(), formulas)
  const formula = settledFormula(mass, formulas, census)
  if (!formula) return undefined
  const survey = surveyOfStatistics(await passes.massTotals(formula), census, controls.length)
  if (!Number.isFinite(survey.mass)) return undefined // some score is no number: the reference says which
  return {
    survey,
    drawable: survey.points,
    // The margins are for rounding.
    candidates: (limit, stream) => passes.pickByMass(stream, 1.000001 * limit, 1.000001 * survey.largestMass),
    massAt: (row) => passes.massAt(row),
  }
}

/** The statistics of all points. Sparse rows, bytes and trees have scores in doubles. */
export function makeStatistics(
  pool: SurveyedPool,
  model: LearnedModel,
  forms?: readonly QuadraticForm[],
  labelling?: Labelling,
): Promise<void> {
  if (!isLinear(model)) return pool.passes.makeStatistics({ model, areFloats: false, forms }, labelling)
  const full = withBothScores(model)
  return pool.passes.makeStatistics({ model: full, areFloats: areFloats(pool) && pool.isPrecise(full), forms }, labelling)
}

/** A score for each of two classes, as kernels make statistics of those of all. */
const withBothScores = memoize((model: LinearModel): LinearModel => {
  const [weights] = model.weights
  if (!weights || model.weights.length > 1) return model
  return { ...model, weights: [weights.map(() => 0), weights], intercepts: [0, model.intercepts[0]!] }
})
