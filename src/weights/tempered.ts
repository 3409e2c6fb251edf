import { requireInput } from '../core/errors.ts'

/**
 * w^α, scaled to mean 1. α = 1 keeps the weights and removes bias, α = 0 drops them and removes variance, ½ is a
 * cautious middle.   @see docs/equations.md#tempered
 */
export function tempered(weights: ArrayLike<number>, exponent: number): Float64Array {
  requireInput(exponent >= 0 && exponent <= 1, `weighting: must be in [0, 1], got ${exponent}`)
  const powers = Float64Array.from(weights, (weight) => weight ** exponent)
  const mean = powers.reduce((a, b) => a + b, 0) / powers.length
  return powers.map((power) => (mean > 0 ? power / mean : 1))
}
