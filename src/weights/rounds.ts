import { requireInput } from '../core/errors.ts'

/** A round of independent draws: how many points it was taken from, how many were expected, and which were drawn. */
export interface RoundRecord {
  /** n_t: points that could be drawn. */
  readonly points: number
  /** m_t: draws expected, Σ π. */
  readonly expected: number
  readonly draws: readonly { readonly index: number; readonly probability: number }[]
}

/**
 * What each labelled point counts when rounds of independent draws are pooled:
 *
 *   W_i = w_s/π_i + Σ_{t>s} w_t  for a point drawn in round s,   w_t ∝ m_t / (n_t (n_t − m_t)),  Σ w = 1
 *
 * In every later round a labelled point counts as itself. Σ W_i ℓ_i / N is unbiased for the mean loss of a fixed model over
 * the pool if the sizes were fixed in advance, and consistent if they came out of earlier draws.   @see docs/equations.md#round-weights
 */
export function roundWeights(rounds: readonly RoundRecord[], poolSize: number): Map<number, number> {
  const shares = roundShares(rounds)
  const weights = new Map<number, number>()
  let later = 1
  for (const [t, { points, draws }] of rounds.entries()) {
    requireInput(points <= poolSize, `roundWeights: a round draws from at most the ${poolSize} points of the pool, got ${points}`)
    later -= shares[t]!
    for (const { index, probability } of draws) {
      requireInput(
        probability > 0 && probability <= 1,
        `roundWeights: probabilities must be in (0, 1], got ${probability} in round ${t}`,
      )
      weights.set(index, shares[t]! / probability + later)
    }
  }
  return weights
}

/** w_t: how much each round's estimate counts in the pooled one. A round that expects every point counts alone. */
function roundShares(rounds: readonly RoundRecord[]): number[] {
  const complete = rounds.findIndex(({ points, expected }) => expected >= points)
  if (complete >= 0) return rounds.map((_, t) => (t === complete ? 1 : 0))
  const raw = rounds.map(({ points, expected }) => expected / (points * (points - expected)))
  const total = raw.reduce((a, b) => a + b, 0)
  return raw.map((share) => share / total)
}
