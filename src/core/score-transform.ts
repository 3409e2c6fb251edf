import type { Belief, Reader } from './belief.ts'
import type { Formula } from './formula.ts'

/** Makes other scores of a model's scores, so that one kind of reader serves every kind of model. */
export interface Lens {
  readonly name: string
  /** Writes into and returns one array, over and over: read it at once. */
  see(scores: ArrayLike<number>): ArrayLike<number>
  /** The same as formulas, for engines that see where the pool lies. */
  express?(scores: readonly Formula[]): readonly Formula[]
}

/** Scores as they are. */
export const plainly: Lens = { name: 'plain', see: (scores) => scores, express: (scores) => scores }

/** A reader that looks through a lens. */
export function through(lens: Lens, reader: Reader): Reader {
  if (lens === plainly) return reader
  const { express: seeing } = lens
  const { express: reading } = reader
  return {
    name: `${reader.name} of ${lens.name}`,
    read: (scores: ArrayLike<number>, into: Belief) => reader.read(lens.see(scores), into),
    ...(seeing && reading && { express: (scores: readonly Formula[], classes: number) => reading(seeing(scores), classes) }),
  }
}
