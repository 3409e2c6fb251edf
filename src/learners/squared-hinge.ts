import { squaredHinge } from '../losses/squared-hinge.ts'
import type { Learner, LearnerOptions } from './learner.ts'
import { marginLearner } from './margin-learner.ts'

/** Linear support vector machine with  ℓ(y, z) = max(0, 1 − yz)²,  ℓ″ = 2·[yz < 1].   @see docs/equations.md#training */
export function squaredHingeLearner(options: LearnerOptions = {}): Learner {
  return marginLearner({ loss: squaredHinge, curvature: (label, score) => (label * score < 1 ? 2 : 0) }, options)
}
