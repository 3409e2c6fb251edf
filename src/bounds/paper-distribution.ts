import { requireInput } from '../core/errors.ts'
import { sumOf } from '../core/sums.ts'

/**
 * The paper's optimal distribution  p*ᵢ = √l̂ᵢ / Σ √l̂,  l̂ the pseudo-losses.   @see docs/equations.md#optimal-distribution
 *
 * A pseudo-loss of 0 gets probability 0, which is harmless: the true loss is at most that.
 */
export function paperDistribution(pseudoLosses: Float64Array): Float64Array {
  const largest = pseudoLosses.reduce((a, b) => Math.max(a, b), 0)
  requireInput(
    largest > 0 && pseudoLosses.every((loss) => loss >= 0 && loss < Number.POSITIVE_INFINITY),
    `paperDistribution: pseudo-losses must be finite and not negative, and one of them positive, got a largest of ${largest}`,
  )
  const roots = pseudoLosses.map((loss) => Math.sqrt(loss / largest)) // the largest taken out first: nothing overflows
  const total = sumOf(roots)
  return roots.map((root) => root / total)
}
