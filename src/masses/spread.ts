import * as f from '../core/formula.ts'
import type { Ingredient } from './mass.ts'

/** √(p(1 − p)) of a loss that is 0 or 1: what measuring its mean asks for, given a control for it.   @see docs/equations.md#spread */
export const spread: Ingredient = {
  name: 'spread',
  value: ({ probabilities }) => Math.sqrt(probabilities[1]! * (1 - probabilities[1]!)),
  express: ({ probabilities }) => f.sqrt(f.product(probabilities[1]!, f.difference(1, probabilities[1]!))),
}
