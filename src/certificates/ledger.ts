import { requireInput } from '../core/errors.ts'
import { clip } from '../core/numbers.ts'
import type { Evidence } from './limit.ts'

/** Totals over the points that can be drawn in a round, known before its first draw. What an engine's survey returns. */
export interface RoundTotals {
  /** Σ a */
  readonly mass: number
  /** Σ p: losses predicted. Predictions may be as wrong as they like; that costs width, never coverage. */
  readonly predictedLoss: number
  /** Σ p(1 − p)/a */
  readonly predictedVariance: number
  /** max p/a and max (1 − p)/a, or anything larger. */
  readonly largestDown: number
  readonly largestUp: number
}

/** Variance of a loss of 0 or 1 with mean m, kept away from 0. */
export function spread(m: number): number {
  const inside = clip(m, 1e-4, 1 - 1e-4)
  return inside * (1 - inside)
}

export type Ledger = ReturnType<typeof ledger>

/** One record of the draws of an audit: what each says about the mean, and what was known before it.   @see docs/equations.md#draw-interval */
export function ledger(poolSize: number) {
  let totals: RoundTotals | undefined
  const left = { mass: 0, predicted: 0, variance: 0 } // A, G, V: what is left of the round's totals
  let seen = 0
  let draws = 0
  let sum = 0 // Σ X
  let surprise = 0 // Σ x² over what was predicted for it
  const pace: { information: number; variance: number | undefined } = { information: 0, variance: undefined }

  return {
    begin(next: RoundTotals): void {
      totals = next
      left.mass = next.mass
      left.predicted = next.predictedLoss
      left.variance = next.predictedVariance
    },
    /** Adds a draw: X, its bounds and its predicted variance. Everything but X is known before the label. */
    add(loss: number, mass: number, predicted: number): Evidence {
      requireInput(totals !== undefined, 'draw: round() must come first, got a draw before it')
      const base = (seen + left.predicted) / poolSize
      const variance = Math.max((left.mass * left.variance) / poolSize ** 2, 1e-6)
      const predictedRatio = variance / spread(base)
      const centre = (25 * base + sum) / (25 + draws)
      const correction = clip((100 + surprise / spread(centre)) / (100 + draws), 0.25, 4)
      const caution = 1 + 20 / (draws + 1)
      const low = base - (left.mass * totals.largestDown) / poolSize
      const high = base + (left.mass * totals.largestUp) / poolSize

      pace.variance = predictedRatio * correction * spread(centre)
      pace.information += 1 / pace.variance
      const move = ((loss - predicted) * left.mass) / (mass * poolSize)
      const x = base + move

      surprise += (move * move) / predictedRatio
      sum += x
      seen += loss
      draws++
      left.mass -= mass
      left.predicted -= predicted
      left.variance -= (predicted * (1 - predicted)) / mass
      return { x, low, high, ratio: predictedRatio * correction * caution, centre }
    },
    /** Σ ℓ so far. */
    seen: () => seen,
    draws: () => draws,
    /** Mean of the X so far: unbiased for θ. */
    mean: () => (draws > 0 ? sum / draws : 0.5),
    /** Σ 1/variance so far, and the variance of the last draw; both without the caution of the first bets. */
    pace: () => pace,
  }
}
