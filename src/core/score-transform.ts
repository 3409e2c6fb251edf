import type { Belief, Reader } from './belief.ts'
import type { Formula } from './formula.ts'

/** Makes other scores of a model's scores, so that one kind of reader serves every kind of model. Its public name is `Lens`. */
export interface ScoreTransform {
  readonly name: string
  /** Writes into and returns one array, over and over: read it at once. */
  see(scores: ArrayLike<number>): ArrayLike<number>
  /** The same as formulas, for engines that compute where the pool lies. */
  express?(scores: readonly Formula[]): readonly Formula[]
}

/** Scores as they are. */
export const untransformed: ScoreTransform = { name: 'plain', see: (scores) => scores, express: (scores) => scores }

/** A reader of scores that are transformed first. */
export function readTransformed(transform: ScoreTransform, reader: Reader): Reader {
  if (transform === untransformed) return reader
  const { express: transforming } = transform
  const { express: reading } = reader
  return {
    name: `${reader.name} of ${transform.name}`,
    read: (scores: ArrayLike<number>, into: Belief) => reader.read(transform.see(scores), into),
    ...(transforming &&
      reading && { express: (scores: readonly Formula[], classes: number) => reading(transforming(scores), classes) }),
  }
}
