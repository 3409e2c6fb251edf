import { AlisError, requireInput } from '../core/errors.ts'
import { lureWeights } from './lure.ts'

interface Drawn {
  readonly probability: number
}

/**
 * The unbiased estimate, from one round's draws, of the mean of some value over the points the round was taken from.
 * The values must have been fixed before the draw: losses of the model *before* it learned from these answers.
 *
 *   successive:  (1/M) Σ v_m ℓ_m  (LURE)     bernoulli:  (1/n) Σ ℓ/π     multinomial:  (1/(nM)) Σ ℓ/p
 *
 * @see docs/equations.md#estimate
 */
export function poolMean(design: string, draws: readonly Drawn[], values: readonly number[], points: number): number {
  const probabilities = draws.map(({ probability }) => probability)
  requireInput(
    values.length === draws.length && (draws.length > 0 || design === 'bernoulli'), // no draw is an outcome of bernoulli alone
    `poolMean: one value for each of at least one draw is required, got ${values.length} for ${draws.length} draws`,
  )
  switch (design) {
    case 'successive': {
      const weights = lureWeights(probabilities, points)
      return values.reduce((sum, value, k) => sum + weights[k]! * value, 0) / draws.length
    }
    case 'bernoulli':
      return values.reduce((sum, value, k) => sum + value / probabilities[k]!, 0) / points
    case 'multinomial':
      return values.reduce((sum, value, k) => sum + value / probabilities[k]!, 0) / (points * draws.length)
    default:
      throw new AlisError('bad-input', `poolMean: design must be one with known probabilities, got ${design}`)
  }
}
