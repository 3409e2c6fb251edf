import { squared } from '../losses/squared.ts'
import type { Learner } from './learner.ts'
import { type MarginOptions, marginLearner } from './margin-learner.ts'

/** Ridge regression on labels ±1, in closed form:  ℓ(y, z) = (y − z)²,  ℓ″ = 2.   @see docs/equations.md#training */
export function squaredLearner(options: MarginOptions = {}): Learner {
  return marginLearner({ loss: squared, curvature: () => 2, largestCurvature: 2, isQuadratic: true }, options)
}
