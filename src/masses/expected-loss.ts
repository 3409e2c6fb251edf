import { type Belief, predictedError, predictedErrorFormula } from '../core/belief.ts'
import * as f from '../core/formula.ts'
import { withKernel } from './mass.ts'

/** √E[ℓ²] under the model's own belief: the root mean square, because variance sees squares.   @see docs/equations.md#expected-loss */
export const expectedLoss = withKernel('expected-loss', {
  name: 'expected-loss',
  value: rootMeanSquare,
  express: ({ probabilities, losses }) => f.sqrt(f.sum(...losses.map((loss, k) => f.product(probabilities[k]!, f.square(loss))))),
})

/** The same for the zero-one loss, √(1 − p₍₁₎): what measuring an error rate asks for.   @see docs/equations.md#expected-loss */
export const expectedError = withKernel('expected-error', {
  name: 'expected-error',
  value: (belief) => Math.sqrt(predictedError(belief)),
  express: (belief) => f.sqrt(f.largest(0, predictedErrorFormula(belief))),
})

function rootMeanSquare({ probabilities, losses }: Belief): number {
  let sum = 0
  for (let k = 0; k < losses.length; k++) sum += probabilities[k]! * losses[k]! * losses[k]!
  return Math.sqrt(sum)
}
