import { AlisError, requireInput } from './errors.ts'
import type { FeatureRows } from './features.ts'
import type { Formula } from './formula.ts'
import * as f from './formula.ts'
import { identityOf } from './hash.ts'
import { frozenChoice, type LearnerChoice } from './learner-choice.ts'
import { memoize } from './memoize.ts'
import { sign } from './numbers.ts'
import { scoreVotes, type TreesModel, treesModel, voteCounter, voteShapeOf } from './trees-model.ts'

/**
 * A linear model: one row of weights for two classes, K rows for K. What every engine can score, in WASM or in SQL.
 * Frozen all the way down; `JSON.stringify` is its file format; `id` is the SHA-256 of everything else.
 */
export interface LinearModel {
  readonly kind: 'linear'
  readonly id: string
  /** The loss it was fitted with, which also says how its scores are read as probabilities. */
  readonly loss: string
  /** Two classes: negative first, positive second. */
  readonly classes: readonly string[]
  readonly weights: readonly (readonly number[])[]
  readonly intercepts: readonly number[]
  /** How its learner was chosen, where one was. */
  readonly choice?: LearnerChoice
}

export function linearModel(parts: Omit<LinearModel, 'kind' | 'id'>): LinearModel {
  const { loss, classes, weights, intercepts, choice } = parts
  const rows = classes.length === 2 ? 1 : classes.length
  requireInput(
    classes.length >= 2 && weights.length === rows && intercepts.length === rows,
    `model: ${classes.length} classes need ${rows} rows of weights, got ${weights.length}`,
  )
  requireInput(
    [...weights.flat(), ...intercepts].every(Number.isFinite),
    'model: every weight must be a finite number, got one that is not',
  )
  const content = {
    kind: 'linear' as const,
    loss,
    classes: Object.freeze([...classes]),
    weights: Object.freeze(weights.map((row) => Object.freeze([...row]))),
    intercepts: Object.freeze([...intercepts]),
    ...(choice && { choice: frozenChoice(choice) }),
  }
  return Object.freeze({ ...content, id: identityOf(content) })
}

/** The model that knows nothing: every score is 0. What a learner returns before the first label. */
export function blankModel(loss: string, classes: readonly string[], columns: number): LinearModel {
  const rows = classes.length === 2 ? 1 : classes.length
  const weights = Array.from({ length: rows }, () => new Array<number>(columns).fill(0))
  return linearModel({ loss, classes, weights, intercepts: new Array<number>(rows).fill(0) })
}

/** A model that was fitted to features: all of it is here. */
export type LearnedModel = LinearModel | TreesModel

/** Reads a model back from its JSON, and refuses one whose content does not match its id. */
export function modelFromJson(json: unknown): LearnedModel {
  const given = json as LearnedModel
  const isKnown = given?.kind === 'linear' || given?.kind === 'trees'
  requireInput(isKnown, `model: kind must be "linear" or "trees", got ${JSON.stringify(given?.kind)}`)
  const model = given.kind === 'linear' ? linearModel(given) : treesModel(given)
  requireInput(model.id === given.id, `model: content must match its id ${given.id}, got ${model.id}`, 'The file was changed.')
  return model
}

/**
 * Any other model: its scores are the columns of the pool themselves, refreshed by their owner. `id` is the identity
 * the owner gives it; `classes` are the outcomes that are possible for a point.
 */
export interface ColumnModel {
  readonly kind: 'columns'
  readonly id: string
  readonly classes: readonly string[]
  /** What it is called where it was fitted. */
  readonly name?: string
  /** How many columns, that is, scores of a point. */
  readonly columns: number
}

export type Model = LearnedModel | ColumnModel

/** Whether scores are sums of weighted features: what SQL can score, and what has a boundary to be settled. */
export const isLinear = (model: Model): model is LinearModel => model.kind === 'linear'

/** Whether a model was fitted to features, and not taken over from elsewhere. */
export const isLearned = (model: Model): model is LearnedModel => model.kind !== 'columns'

/** How its learner was chosen, where one was. */
export const choiceOf = (model: Model): LearnerChoice | undefined => (isLearned(model) ? model.choice : undefined)

/** Features of a row that it scores. */
export function widthOf(model: Model): number {
  if (model.kind === 'linear') return model.weights[0]!.length
  return model.kind === 'trees' ? model.width : model.columns
}

/** Reads a model of any kind back from a record. */
export function keptModel(json: unknown): Model {
  const given = json as Model
  return given?.kind === 'columns' ? given : modelFromJson(json)
}

/** Scores of a point: one for two classes and K for K, or as many as there are columns. */
export function scoresPerPoint(model: Model): number {
  if (model.kind === 'linear') return model.weights.length
  if (model.kind === 'columns') return model.columns
  return model.classes.length === 2 ? 1 : model.classes.length
}

/** Writes the scores of one row into `into`, from position `at` on. */
export type Scorer = (features: FeatureRows, row: number, into: Float64Array, at?: number) => void

/** Rows of weights and their intercepts: a column is a score with one weight of 1. */
export function weightsOf(model: Model): Pick<LinearModel, 'weights' | 'intercepts'> {
  if (model.kind === 'linear') return model
  if (model.kind === 'trees') {
    const hint = 'Use --learner linear, or keep the pool in memory: --engine memory.'
    throw new AlisError('bad-input', 'model: one that is linear in the features is required in a database, got trees', hint)
  }
  const positions = Array.from({ length: model.columns }, (_, k) => k)
  return { weights: positions.map((k) => positions.map((j) => (j === k ? 1 : 0))), intercepts: positions.map(() => 0) }
}

/** One scorer for one model: some models have more weights than a round has points to score. */
export const scorerOf: (model: Model) => Scorer = memoize(newScorer)

function newScorer(model: Model): Scorer {
  return model.kind === 'trees' ? treesScorer(model) : linearScorer(model)
}

function treesScorer(model: TreesModel): Scorer {
  const count = voteCounter(model)
  const shape = voteShapeOf(model)
  const sums = new Float64Array(shape.classes)
  const own = new Float64Array(model.width)
  const { weights: rows = [], intercepts = [] } = model.beside ?? {}
  const weights = rows.map(doublesOf)
  return (features, row, into, at = 0) => {
    own.fill(0)
    features.addInPlace(row, 1, own)
    count(own, sums)
    scoreVotes(shape, sums, 0, into, at)
    for (let k = 0; k < weights.length; k++) into[at + k]! += shape.scale * (features.dot(row, weights[k]!) + intercepts[k]!)
  }
}

function linearScorer(model: Model): Scorer {
  const { intercepts, weights: rows } = weightsOf(model)
  const weights = rows.map(doublesOf)
  return (features, row, into, at = 0) => {
    for (let k = 0; k < weights.length; k++) into[at + k] = features.dot(row, weights[k]!) + intercepts[k]!
  }
}

/** In a plain loop: the weights of a model are frozen, and everything else takes several times as long with that. */
function doublesOf(row: readonly number[]): Float64Array {
  const doubles = new Float64Array(row.length)
  for (let j = 0; j < row.length; j++) doubles[j] = row[j]!
  return doubles
}

/** The class a model predicts from its scores; ties go to the positive class, or to the first of K. */
export function predictedClass(scores: ArrayLike<number>): number {
  if (scores.length === 1) return sign(scores[0]!) === 1 ? 1 : 0
  let best = 0
  for (let k = 1; k < scores.length; k++) if (scores[k]! > scores[best]!) best = k
  return best
}

export function predictedClassFormula(scores: readonly Formula[]): Formula {
  return scores.length === 1 ? f.ifAtLeast(scores[0]!, 0, 1, 0) : f.place(...scores)
}
