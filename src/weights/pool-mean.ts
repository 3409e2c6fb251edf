import { AlisError, requireInput } from '../core/errors.ts'
import { lureWeights } from './lure.ts'

const isIndependent = (design: string) => design !== 'successive' && design !== 'multinomial'

interface Drawn {
  readonly probability: number
}

/**
 * The unbiased estimate, from one round's draws, of the mean of some value over the points the round was taken from.
 * The values must have been fixed before the draw: losses of the model *before* it learned from these answers.
 *
 *   successive:  (1/M) Σ v_m ℓ_m  (LURE)     bernoulli:  (1/n) Σ ℓ/π     multinomial:  (1/(nM)) Σ ℓ/p
 *
 * A design of one's own is read as `bernoulli` is: by the chance that each point had of being in the round.
 *
 * @see docs/equations.md#estimate
 */
export function poolMean(design: string, draws: readonly Drawn[], values: readonly number[], points: number): number {
  const probabilities = draws.map(({ probability }) => probability)
  requireInput(
    values.length === draws.length && (draws.length > 0 || isIndependent(design)), // no draw is no outcome of a fixed number
    `poolMean: one value for each of at least one draw is required, got ${values.length} for ${draws.length} draws`,
  )
  switch (design) {
    case 'successive': {
      const weights = lureWeights(probabilities, points)
      return values.reduce((sum, value, k) => sum + weights[k]! * value, 0) / draws.length
    }
    case 'multinomial':
      return values.reduce((sum, value, k) => sum + value / probabilities[k]!, 0) / (points * draws.length)
    case 'top':
      throw new AlisError('bad-input', 'poolMean: design must be one with known probabilities, got top')
    default: // bernoulli, and designs of one's own
      return values.reduce((sum, value, k) => sum + value / probabilities[k]!, 0) / points
  }
}
