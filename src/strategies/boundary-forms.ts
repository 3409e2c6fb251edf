import { marginFormula } from '../core/belief.ts'
import * as f from '../core/formula.ts'
import { multiply } from '../core/matrices.ts'
import { doubt } from '../masses/doubt.ts'
import { withKernel } from '../masses/mass.ts'
import { inverseCurvature } from './curvature.ts'
import type { FormContext } from './strategy.ts'

/** Where the boundary runs: the fourth power of doubt. */
export const boundary = withKernel('doubt-power-4', {
  name: 'boundary',
  value: (belief, ranks) => doubt.value(belief, ranks) ** 4,
  express: (belief) => f.square(f.square(f.difference(1, marginFormula(belief)))),
})

/**
 * What the ingredient `variance` needs, for the strategy of this name: B = H⁻¹AH⁻¹ and H⁻¹, H the curvature of what has been fitted, A the
 * mean of xxᵀ along the boundary; x ends in a 1.   @see docs/equations.md#alis-variance
 */
export const boundaryForms =
  (strategy: string) =>
  async (context: FormContext): Promise<Float64Array[]> => {
    const inverted = inverseCurvature(strategy, context)
    const width = context.plain.columns + 1
    const along = await context.momentOf(boundary)
    return [multiply(multiply(inverted, along, width), inverted, width), inverted]
  }
