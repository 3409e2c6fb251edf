/** The three terms of the paper's decomposition of the true loss R ≤ A + B + C.   @see docs/equations.md#decomposition */
export interface Decomposition {
  /** |R − mean ℓ|: generalisation, out of the draw's reach. */
  readonly generalisation: number
  /** (1/n) Σ Qᵢ ℓᵢ/pᵢ: the weighted loss on the points drawn, unbiased for mean ℓ. */
  readonly weighted: number
  /** |mean ℓ − weighted|. */
  readonly deviation: number
}

export function decomposition(question: {
  readonly trueLoss: number
  readonly losses: Float64Array
  readonly drawn: readonly boolean[]
  readonly p: Float64Array
}): Decomposition {
  const { trueLoss, losses, drawn, p } = question
  const n = losses.length
  const mean = losses.reduce((a, b) => a + b, 0) / n
  const weighted = losses.reduce((sum, loss, i) => sum + (drawn[i] ? loss / p[i]! : 0), 0) / n
  return { generalisation: Math.abs(trueLoss - mean), weighted, deviation: Math.abs(mean - weighted) }
}

/** Var(B) = (1/n²) Σ ℓᵢ² (1/πᵢ − 1) for independent Bernoulli draws.   @see docs/equations.md#variance */
export function bernoulliVariance(losses: Float64Array, inclusion: Float64Array): number {
  const n = losses.length
  return losses.reduce((sum, loss, i) => sum + loss ** 2 * (1 / inclusion[i]! - 1), 0) / n ** 2
}

/** (1/(K n²)) (Σ ℓᵢ²/pᵢ − (Σ ℓ)²) for K draws with replacement: another design, another variance.   @see docs/equations.md#variance */
export function multinomialVariance(losses: Float64Array, p: Float64Array, draws: number): number {
  const n = losses.length
  const total = losses.reduce((a, b) => a + b, 0)
  return (losses.reduce((sum, loss, i) => sum + loss ** 2 / p[i]!, 0) - total ** 2) / (draws * n ** 2)
}
