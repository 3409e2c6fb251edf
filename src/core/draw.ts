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
  /** Scores of the newest model, where the masses are those of an earlier one. */
  readonly latest?: readonly number[]
}
