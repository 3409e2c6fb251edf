import { successive } from '../designs/successive.ts'
import { expectedError } from '../masses/expected-loss.ts'
import { mixture } from '../masses/mass.ts'
import { steepRank } from '../masses/steep-rank.ts'
import { uniformMass } from '../masses/uniform.ts'
import { variance } from '../masses/variance.ts'
import { boundaryForms } from './boundary-forms.ts'
import { mostFeatures } from './curvature.ts'
import type { Strategy } from './strategy.ts'

/**
 * As `alis` for a small pool, with more of what decides, less of what measures, and whatever the size: d² work a point, so it is for up
 * to 1,000 features.   @see docs/equations.md#alis-variance
 */
export const alisVariance: Strategy = {
  name: 'alis-variance',
  summary: 'as alis, with more of what would settle the boundary, at any size; d² work a point, up to 1,000 features',
  mass: mixture('alis-variance', [
    { share: 0.35, of: steepRank },
    { share: 0.35, of: variance },
    { share: 0.2, of: expectedError },
    { share: 0.1, of: uniformMass },
  ]),
  design: successive,
  trainsOn: 'all',
  weighting: 0,
  mostFeatures,
  forms: boundaryForms('alis-variance'),
}
