import { emptyBelief, type Reader } from '../core/belief.ts'
import type { PoolDraw } from '../core/draw.ts'
import { requireInput } from '../core/errors.ts'
import type { FeatureRows } from '../core/features.ts'
import { type Model, predictedClass, widthOf } from '../core/model.ts'
import type { QuadraticForm } from '../core/quadratic-form.ts'
import type { Stream } from '../core/randomness.ts'
import type { Signal } from '../core/signal.ts'
import type { StratifiedPool, Stratify } from '../core/strata.ts'
import type { Survey } from '../core/survey.ts'
import type { Design } from '../designs/design.ts'
import type { Mass } from '../masses/mass.ts'
import type { Selector } from '../strategies/selector.ts'

/** What to survey the pool with: a model, how its scores are read, and the mass wanted. */
export interface SurveyRequest {
  readonly model: Model
  /** How scores are read for the mass: the learner's loss. */
  readonly loss: Reader
  readonly mass: Mass
  /** How scores are read for what is measured: for a classifier, `[errorOf(loss)]`. The survey has totals for each. */
  readonly controls: readonly Reader[]
  /** Beliefs then hold the values of these, in that order. All look at as many features. */
  readonly forms?: readonly QuadraticForm[]
}

export interface DrawRequest extends SurveyRequest {
  readonly design: Design
  /** Chooses the points in place of the design. An engine that cannot run it refuses. */
  readonly selector?: Selector
  readonly size: number
  readonly stream: Stream
}

/** The draws of a round, in draw order, and the survey their probabilities rest on. */
export interface DrawResult {
  readonly draws: readonly PoolDraw[]
  readonly survey: Survey
}

/** A model, how its scores are read, and earlier models to compare it with. All of them have the same classes. */
export interface CompareRequest extends Pick<SurveyRequest, 'model' | 'loss'> {
  readonly earlier: readonly Model[]
}

/** A model beside earlier ones, over the points that may still be drawn. */
export interface Comparison {
  readonly points: number
  /** Σ g, g what the model expects of its own error. */
  readonly predictedError: number
  /** For each of the earlier models: how many points the two put into different classes; null where its classes are not known any more. */
  readonly differing: readonly (number | null)[]
}

/** What people see of a point: its columns, by name. */
export interface Content {
  readonly id: string
  readonly fields: Readonly<Record<string, string>>
}

export interface Prediction {
  readonly id: string
  /** Position of the predicted class. */
  readonly label: number
  readonly probabilities: readonly number[]
}

/** Reads the scores of points as predictions. */
export function predictionReader(model: Model, loss: Reader): (id: string, scores: ArrayLike<number>) => Prediction {
  const belief = emptyBelief(model.classes.length)
  return (id, scores) => {
    loss.read(scores, belief)
    return { id, label: predictedClass(scores), probabilities: [...belief.probabilities] }
  }
}

/** Refuses a model made for other features. */
export function requireWidth(model: Model, columns: number): void {
  const needed = widthOf(model)
  requireInput(needed === columns, `model: ${columns} features are required, those of the pool, got ${needed}`)
}

/** Refuses models that cannot be compared: of another width, or with other classes. */
export function requireComparable({ model, earlier }: CompareRequest, columns: number): void {
  for (const each of [model, ...earlier]) {
    requireWidth(each, columns)
    requireInput(
      each.classes.length === model.classes.length,
      `model: ${model.classes.length} classes are required to compare it, got ${each.classes.length}`,
    )
  }
}

/**
 * Where the pool lives and is scored. Work is sent to it: a model and a mass go in, a few draws and totals come out.
 * **No column as long as the pool crosses this interface**, so a pool may lie in memory, in files or on a cluster.
 *
 * Points are named by id. The same seed draws the same points on every engine, up to floating point; `memory` is the
 * reference, and the contract suite is what all of them pass.
 */
export interface Engine {
  readonly name: string
  /** Points in the pool, drawn or not. */
  readonly size: number
  /** Features of a point: how long a model's weights must be. */
  readonly columns: number
  /** One pass over the points that may still be drawn: what bounds, intervals and forecasts need. */
  survey(request: SurveyRequest, signal?: Signal): Promise<Survey>
  /**
   * Counts the points to which a model and earlier ones give different classes: those that `predictions` give. The classes of these models are kept until
   * the next comparison, and those of the model that was drawn with last; scores that were made for it are used by what is asked of the same model next.
   * Models that were fitted to features and whose classes are not kept are scored again. Columns are not: they may have been refreshed.
   */
  compare(request: CompareRequest, signal?: Signal): Promise<Comparison>
  /**
   * The pool with its points in strata, each read off the scores that the model gives to it: the same that `predictions` are made of. All points
   * are scored once, when the first answer is needed. What is taken here is taken from the engine, and the other way round.
   */
  stratified(model: Model, stratify: Stratify): StratifiedPool
  /** Refuses what it could not draw, before anything is paid for; an engine without can draw whatever it is asked to. */
  requireDrawable?(request: Pick<DrawRequest, 'mass' | 'design' | 'selector' | 'size'>): void
  /** Draws among the points that may still be drawn. Takes nothing: the caller records first, then takes. */
  draw(request: DrawRequest, signal?: Signal): Promise<DrawResult>
  /** These points may no longer be drawn: labelled, pending or withdrawn. Told once each, told again it changes nothing. */
  take(ids: readonly string[]): Promise<void>
  /** To train on: only ever the labelled ones. In the order of `ids`. */
  features(ids: readonly string[]): Promise<FeatureRows>
  /** To show. In the order of `ids`. */
  contents(ids: readonly string[]): Promise<readonly Content[]>
  /** The whole pool, in batches, for export and for tests. */
  predictions(model: Model, loss: Reader): AsyncIterable<readonly Prediction[]>
  close(): Promise<void>
}
