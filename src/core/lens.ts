import type { Belief, Reader } from './belief.ts'

/** Makes other scores of a model's scores, so that one kind of reader serves every kind of model. */
export interface Lens {
  readonly name: string
  /** Writes into and returns one array, over and over: read it at once. */
  see(scores: ArrayLike<number>): ArrayLike<number>
}

/** Scores as they are. */
export const plainly: Lens = { name: 'plain', see: (scores) => scores }

/** A reader that looks through a lens. */
export function through(lens: Lens, reader: Reader): Reader {
  if (lens === plainly) return reader
  return {
    name: `${reader.name} of ${lens.name}`,
    read: (scores: ArrayLike<number>, into: Belief) => reader.read(lens.see(scores), into),
  }
}
