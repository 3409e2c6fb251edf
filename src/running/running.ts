import type { Reader } from '../core/belief.ts'
import type { Model } from '../core/model.ts'
import type { Now } from '../core/now.ts'
import type { Signal } from '../core/signal.ts'
import type { Engine } from '../engines/engine.ts'
import type { Store } from '../stores/store.ts'
import { FollowedRecord } from './followed-record.ts'
import { type GivenPrediction, GivenPredictions } from './given-predictions.ts'

/** A record of learning that has not ended, and where its pool lies. */
export interface RunningSource {
  /** A store, or anything else that has its rounds and models. */
  readonly record: Pick<Store, 'rounds' | 'model'>
  readonly engine: Pick<Engine, 'compare' | 'features' | 'take' | 'predictions'>
  /** How scores are read as probabilities: the learner's loss. */
  readonly loss: Reader
  readonly classes: readonly string[]
  /** Chance that all intervals, at every look and for every model, are right together. Default 0.95. */
  readonly level?: number
}

/** The error of predictions from elsewhere. */
export interface GivenNow extends Now {
  /** What the value rests on: their own confidence, or the chances that the model has which the last draws were made with. */
  readonly expected: 'by themselves' | 'by the last model'
  /** Points without an answer to which that model gives another class. */
  readonly differing: number
}

export interface Running {
  /**
   * What the record says of a model, whichever, as it stands. Null where it says nothing: no model that had learned was ever scored by random
   * draws, or every point has an answer.
   */
  look(model: Model, signal?: Signal): Promise<Now | null>
  /**
   * The same of predictions that were made elsewhere, also with these answers: one for every point without an answer, of a point once, and of points with an
   * answer if they are at hand. Every model on record is asked for its predictions of the whole pool.
   */
  about(predictions: Iterable<GivenPrediction>, signal?: Signal): Promise<GivenNow | null>
}

/**
 * How good is a model now, from the answers it has learned from: the running certificate. Writes nothing; looks again follow the record, and
 * models that were compared are not compared again.   @see docs/equations.md#running
 */
export function running({ record, ...source }: RunningSource): Running {
  const followed = new FollowedRecord({ ...source, modelOf: (id) => record.model(id) })
  return {
    async look(model, signal) {
      await followed.read(await record.rounds(), signal)
      return followed.look(model, signal)
    },
    async about(predictions, signal) {
      const given = new GivenPredictions(predictions, source.classes)
      await followed.read(await record.rounds(), signal)
      return followed.lookAt(given, signal)
    },
  }
}
