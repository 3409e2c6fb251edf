import { worstLoss, worstLossFormula } from '../core/belief.ts'
import { withKernel } from './mass.ts'

/** The loss of the worst label itself: what minimises the repaired bound.   @see docs/equations.md#repaired-bound */
export const pseudoLossLinear = withKernel('pseudo-loss-linear', {
  name: 'pseudo-loss-linear',
  value: worstLoss,
  express: worstLossFormula,
})
