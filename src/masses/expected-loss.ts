import { type Belief, predictedError } from '../core/belief.ts'
import type { Ingredient } from './mass.ts'

/** √E[ℓ²] under the model's own belief: the root mean square, because variance sees squares.   @see docs/equations.md#expected-loss */
export const expectedLoss: Ingredient = { name: 'expected-loss', value: rootMeanSquare }

/** The same for the zero-one loss, √(1 − p₍₁₎): what measuring an error rate asks for.   @see docs/equations.md#expected-loss */
export const expectedError: Ingredient = {
  name: 'expected-error',
  value: (belief) => Math.sqrt(predictedError(belief)),
}

function rootMeanSquare({ probabilities, losses }: Belief): number {
  let sum = 0
  for (let k = 0; k < losses.length; k++) sum += probabilities[k]! * losses[k]! * losses[k]!
  return Math.sqrt(sum)
}
