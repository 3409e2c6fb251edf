import { worstLoss, worstLossFormula } from '../core/belief.ts'
import * as f from '../core/formula.ts'
import { withKernel } from './mass.ts'

/** √(loss of the worst label): the paper's optimal distribution, before normalisation.   @see docs/equations.md#optimal-distribution */
export const pseudoLoss = withKernel('pseudo-loss', {
  name: 'pseudo-loss',
  value: (belief) => Math.sqrt(worstLoss(belief)),
  express: (belief) => f.sqrt(worstLossFormula(belief)),
})
