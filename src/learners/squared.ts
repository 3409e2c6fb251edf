import { squared } from '../losses/squared.ts'
import type { Learner, LearnerOptions } from './learner.ts'
import { marginLearner } from './margin-learner.ts'

/** Ridge regression on labels ±1, in closed form:  ℓ(y, z) = (y − z)²,  ℓ″ = 2.   @see docs/equations.md#training */
export function squaredLearner(options: LearnerOptions = {}): Learner {
  return marginLearner({ loss: squared, curvature: () => 2, isQuadratic: true }, options)
}
