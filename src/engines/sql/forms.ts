import { requireInput } from '../../core/errors.ts'
import { mostFormFeatures } from '../../core/matrices.ts'

/** Refuses quadratic forms and moments of more features than can be had where the pool lies. */
export function requireNarrow(features: number): void {
  requireInput(
    features <= mostFormFeatures,
    `engine: at most ${mostFormFeatures} features are possible for this strategy where the pool lies, got ${features}`,
    'Use the strategy alis.',
  )
}
