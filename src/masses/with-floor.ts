import { requireInput } from '../core/errors.ts'
import { sumOf } from '../core/sums.ts'

/**
 * The defensive mixture  aᵢ ← (1 − ε) aᵢ / mean(a) + ε:  mean 1, and no mass below ε, so that no weight exceeds 1/ε
 * times what uniform draws would give (at the first draw; what is left can have a higher mean later).   @see docs/equations.md#floor
 */
export function withFloor(masses: Float64Array, share: number): Float64Array {
  requireInput(share >= 0 && share <= 1, `withFloor: share must be in [0, 1], got ${share}`)
  const mean = sumOf(masses) / masses.length
  requireInput(
    mean > 0 && Number.isFinite(mean) && masses.every((mass) => mass >= 0),
    `withFloor: masses must be non-negative with a positive sum, got a mean of ${mean}`,
  )
  return masses.map((mass) => ((1 - share) * mass) / mean + share)
}
