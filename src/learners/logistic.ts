import { logistic } from '../losses/logistic.ts'
import type { Learner } from './learner.ts'
import { type MarginOptions, marginLearner } from './margin-learner.ts'

/** Logistic regression:  ℓ(y, z) = log(1 + exp(−yz)),  ℓ″ = σ(z) σ(−z).   @see docs/equations.md#training */
export function logisticLearner(options: MarginOptions = {}): Learner {
  return marginLearner(
    { loss: logistic, curvature: (_label, _score, slope) => spread(Math.abs(slope)), largestCurvature: 1 / 4 },
    options,
  )
}

/** p (1 − p) */
const spread = (p: number) => p * (1 - p)
