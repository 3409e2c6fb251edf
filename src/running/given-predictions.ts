import type { Reader } from '../core/belief.ts'
import { AlisError, requireInput } from '../core/errors.ts'
import { isLearned, type Model } from '../core/model.ts'
import type { Signal } from '../core/signal.ts'
import type { Comparison, Engine } from '../engines/engine.ts'

/** What a model trained elsewhere says of a point. */
export interface GivenPrediction {
  readonly id: string
  readonly label: string
  /** The chance that it is right, as it says itself: of every point, or of none. */
  readonly confidence?: number | undefined
}

interface Pool {
  readonly engine: Pick<Engine, 'predictions'>
  readonly loss: Reader
  /** Whether a point has been drawn or given, and so can be drawn no more. */
  isDrawn(id: string): boolean
}

const unseen = -1

/** Predictions by the ids of their points, every one of a class that there is. */
export class GivenPredictions {
  readonly #rows = new Map<string, number>()
  readonly #labels: number[] = []
  readonly #confidences: number[] = []

  constructor(given: Iterable<GivenPrediction>, classes: readonly string[]) {
    const codes = new Map(classes.map((name, k) => [name, k]))
    for (const { id, label, confidence } of given) {
      const code = codes.get(label)
      if (this.#rows.has(id)) throw refused('one for each point', 'two', id)
      if (code === undefined) throw refused(`one of ${classes.join(', ')}`, JSON.stringify(label), id)
      this.#rows.set(id, this.#labels.push(code) - 1)
      if (confidence === undefined) continue
      if (!(confidence >= 0 && confidence <= 1))
        throw refused('a confidence in [0, 1]', `${confidence}`, id, 'A percentage? Divide it by 100.')
      this.#confidences.push(confidence)
    }
    const [some, all] = [this.#confidences.length, this.#labels.length]
    requireInput(some === 0 || some === all, `predictions: a confidence for all or for none is required, got ${some} for ${all}`)
  }

  get hasConfidence(): boolean {
    return this.#confidences.length > 0
  }

  /** The class of a point that has no answer, and so must have one here. */
  labelOf(id: string): number {
    return this.#labels[this.#rowOf(id)]!
  }

  /** What is expected of its error at a point; undefined where it does not say. */
  expectedAt(id: string): number | undefined {
    return this.hasConfidence ? 1 - this.#confidences[this.#rowOf(id)]! : undefined
  }

  #rowOf(id: string): number {
    const row = this.#rows.get(id)
    if (row === undefined) throw refused('one for every point without an answer', 'none', id)
    return row
  }

  /**
   * On how many points that may still be drawn they differ from each of some models, newest last. Where they say nothing of their own errors, these are
   * as likely as the newest of the models has it.
   */
  async beside(earlier: readonly Model[], pool: Pool, signal?: Signal): Promise<Comparison> {
    let [points, predictedError] = [0, 0]
    const differing: number[] = []
    for (const model of earlier.toReversed()) {
      const isNewest = differing.length === 0
      const seen = isNewest ? new Int8Array(this.#labels.length).fill(unseen) : undefined
      let others = 0
      for await (const batch of this.#predictedBy(model, pool)) {
        signal?.throwIfAborted()
        for (const { id, label, probabilities } of batch) {
          const row = this.#rows.get(id)
          if (row !== undefined && seen) seen[row] = 1
          if (pool.isDrawn(id)) continue
          const own = this.labelOf(id)
          if (own !== label) others++
          if (!isNewest) continue
          points++
          predictedError += this.expectedAt(id) ?? 1 - probabilities[own]!
        }
      }
      if (seen) this.#requireSeen(seen)
      differing.unshift(others)
    }
    return { points, predictedError, differing }
  }

  #predictedBy(model: Model, { engine, loss }: Pool): ReturnType<Engine['predictions']> {
    const required = 'record: one of models that were fitted is required, whose classes can be told again'
    requireInput(isLearned(model), `${required}, got scores in columns, which are refreshed`)
    return engine.predictions(model, loss)
  }

  #requireSeen(seen: Int8Array): void {
    const row = seen.indexOf(unseen)
    if (row < 0) return
    const [id] = [...this.#rows].find(([, k]) => k === row)!
    throw refused('one of a point of the pool', 'one', id, 'Rows that were set aside to test on are no part of the pool.')
  }
}

function refused(required: string, got: string, id: string, hint?: string): AlisError {
  return new AlisError('bad-input', `predictions: ${required} is required, got ${got} for ${JSON.stringify(id)}`, hint)
}
