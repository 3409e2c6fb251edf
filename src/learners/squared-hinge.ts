import { squaredHinge } from '../losses/squared-hinge.ts'
import type { Learner } from './learner.ts'
import { type MarginOptions, marginLearner } from './margin-learner.ts'

/** Linear support vector machine with  ℓ(y, z) = max(0, 1 − yz)²,  ℓ″ = 2·[yz < 1].   @see docs/equations.md#training */
export function squaredHingeLearner(options: MarginOptions = {}): Learner {
  return marginLearner(
    { loss: squaredHinge, curvature: (label, score) => (label * score < 1 ? 2 : 0), largestCurvature: 2 },
    options,
  )
}
