/** Signs of weights that have grown too uneven to trust. */
export interface WeightHealth {
  /** (Σw)²/Σw²: how many equally weighted labels would be as informative. */
  readonly effectiveSize: number
  /** The largest weight as a multiple of the mean weight. */
  readonly largest: number
}

export function weightHealth(weights: ArrayLike<number>): WeightHealth {
  let sum = 0
  let squares = 0
  let largest = 0
  for (let i = 0; i < weights.length; i++) {
    sum += weights[i]!
    squares += weights[i]! ** 2
    largest = Math.max(largest, weights[i]!)
  }
  return sum > 0
    ? { effectiveSize: (sum * sum) / squares, largest: (largest * weights.length) / sum }
    : { effectiveSize: 0, largest: 0 }
}
