import { compensatedSum } from './sums.ts'

/** One point taken by a design, with everything a later reader needs to check and weigh it. */
export interface Draw {
  /** Position of the point in the masses that were given. */
  readonly index: number
  /**
   * `successive`: the chance of this point at this draw, given the draws before it. `multinomial`: its chance at
   * every draw. `bernoulli`: its chance of being in the round.
   */
  readonly probability: number
  /** 1 for the first draw of the round. Answers enter every estimate in this order. */
  readonly order: number
  readonly mass: number
  /** Total mass the draw was taken from: probability = mass / remaining, except for `bernoulli`. */
  readonly remaining: number
}

/** A draw as an engine returns it: the point by its id, and the scores that gave its mass, taken before its label was known. */
export interface PoolDraw extends Omit<Draw, 'index'> {
  readonly id: string
  readonly scores: readonly number[]
  /**
   * Scores of the model as its predictions are made of them, where those that gave the mass were others: of features of 8 bits, or of an earlier
   * model, in records of large pools that an earlier release began.
   */
  readonly predicting?: readonly number[]
}

/**
 * The total mass that each of some successive draws is taken from, given the masses in draw order and the mass that none of them has. From
 * behind: the last was taken from its own mass and what is left, the one before from more, … Nothing is subtracted, nothing cancels.
 */
export function remainingMasses(masses: ArrayLike<number>, left: number): Float64Array {
  const sum = compensatedSum()
  sum.add(left)
  const remaining = new Float64Array(masses.length)
  for (let k = masses.length - 1; k >= 0; k--) {
    sum.add(masses[k]!)
    remaining[k] = sum.total()
  }
  return remaining
}
