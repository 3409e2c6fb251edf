import { requireInput } from '../core/errors.ts'

/**
 * An upper bound that the paper's argument can carry: with probability at least 1 − δ over Bernoulli draws,
 *
 *   mean ℓ  ≤  (1/n) Σ_drawn ℓᵢ/πᵢ  +  √(2 ln(1/δ) Σ l̂ᵢ²/πᵢ) / n.
 *
 * `losses[i]` is the loss of a point that was drawn, and 0 or undefined where none was: both add nothing.
 *
 * @see docs/equations.md#repaired-bound
 */
export function repairedBound(question: {
  readonly losses: ArrayLike<number | undefined>
  readonly pseudoLosses: Float64Array
  readonly inclusion: Float64Array
  readonly delta: number
}): number {
  const { losses, pseudoLosses, inclusion, delta } = question
  const n = pseudoLosses.length
  requireInput(delta > 0 && delta < 1, `repairedBound: delta must be in (0, 1), got ${delta}`)
  requireInput(
    losses.length === n && inclusion.length === n,
    `repairedBound: losses and inclusion must cover the ${n} pseudo-losses, got ${losses.length} and ${inclusion.length}`,
  )
  let weighted = 0
  let squares = 0
  for (let i = 0; i < n; i++) {
    const loss = losses[i] ?? 0
    const pseudoLoss = pseudoLosses[i]!
    requireInput(
      inclusion[i]! > 0 || pseudoLoss === 0,
      `repairedBound: inclusion must be positive where the pseudo-loss is, got ${inclusion[i]} at ${i}`,
    )
    requireInput(
      loss >= 0 && loss <= pseudoLoss * (1 + 1e-12),
      `repairedBound: a loss must lie between 0 and its pseudo-loss ${pseudoLoss}, got ${loss} at ${i}`,
    )
    if (pseudoLoss === 0) continue
    weighted += loss / inclusion[i]!
    squares += pseudoLoss ** 2 / inclusion[i]!
  }
  return (weighted + Math.sqrt(2 * Math.log(1 / delta) * squares)) / n
}
