import type { Reader } from '../core/belief.ts'
import type { Model } from '../core/model.ts'
import type { Now } from '../core/now.ts'
import type { Signal } from '../core/signal.ts'
import type { Engine } from '../engines/engine.ts'
import type { Store } from '../stores/store.ts'
import { FollowedRecord } from './followed-record.ts'

/** A record of learning that has not ended, and where its pool lies. */
export interface RunningSource {
  /** A store, or anything else that has its rounds and models. */
  readonly record: Pick<Store, 'rounds' | 'model'>
  readonly engine: Pick<Engine, 'compare' | 'features' | 'take'>
  /** How scores are read as probabilities: the learner's loss. */
  readonly loss: Reader
  readonly classes: readonly string[]
  /** Chance that all intervals, at every look and for every model, are right together. Default 0.95. */
  readonly level?: number
}

export interface Running {
  /**
   * What the record says of a model, whichever, as it stands. Null where it says nothing: no model that had learned was ever scored by random
   * draws, or every point has an answer.
   */
  look(model: Model, signal?: Signal): Promise<Now | null>
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
  }
}
