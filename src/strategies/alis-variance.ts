import { marginFormula } from '../core/belief.ts'
import * as f from '../core/formula.ts'
import { multiply } from '../core/matrices.ts'
import { successive } from '../designs/successive.ts'
import { doubt } from '../masses/doubt.ts'
import { expectedError } from '../masses/expected-loss.ts'
import { type Ingredient, mixture } from '../masses/mass.ts'
import { steepRank } from '../masses/steep-rank.ts'
import { uniformMass } from '../masses/uniform.ts'
import { variance } from '../masses/variance.ts'
import { inverseCurvature } from './curvature.ts'
import type { FormContext, Strategy } from './strategy.ts'

/** Where the boundary runs: the fourth power of doubt. */
const boundary: Ingredient = {
  name: 'boundary',
  value: (belief, ranks) => doubt.value(belief, ranks) ** 4,
  express: (belief) => f.square(f.square(f.difference(1, marginFormula(belief)))),
}

/**
 * As `alis`, with a share for the variance at the decision boundary that a label would remove. Costs d² a point, so it is
 * for up to 1,000 features.   @see docs/equations.md#alis-variance
 */
export const alisVariance: Strategy = {
  name: 'alis-variance',
  summary: 'as alis, and where a label would settle the boundary most; d² work a point, up to 1,000 features',
  mass: mixture('alis-variance', [
    { share: 0.35, of: steepRank },
    { share: 0.35, of: variance },
    { share: 0.2, of: expectedError },
    { share: 0.1, of: uniformMass },
  ]),
  design: successive,
  trainsOn: 'all',
  weighting: 0,
  forms,
}

/** B = H⁻¹AH⁻¹ and H⁻¹: H the curvature of what has been fitted, A the mean of xxᵀ along the boundary; x ends in a 1. */
async function forms(context: FormContext): Promise<Float64Array[]> {
  const inverted = inverseCurvature('alis-variance', context)
  const width = context.trained.features.columns + 1
  const along = await context.momentOf(boundary)
  return [multiply(multiply(inverted, along, width), inverted, width), inverted]
}
