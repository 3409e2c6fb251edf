import { worstLoss, worstLossFormula } from '../core/belief.ts'
import type { Ingredient } from './mass.ts'

/** The loss of the worst label itself: what minimises the repaired bound.   @see docs/equations.md#repaired-bound */
export const pseudoLossLinear: Ingredient = { name: 'pseudo-loss-linear', value: worstLoss, express: worstLossFormula }
