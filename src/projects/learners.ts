import { AlisError } from '../core/errors.ts'
import type { Learner, LearnerOptions } from '../learners/learner.ts'
import { logisticLearner } from '../learners/logistic.ts'
import { multinomialLearner } from '../learners/multinomial.ts'
import { squaredLearner } from '../learners/squared.ts'
import { squaredHingeLearner } from '../learners/squared-hinge.ts'

/** Learners of two classes by the name of their loss, as the command offers them. */
export const binaryLearners = {
  logistic: logisticLearner,
  squared: squaredLearner,
  'squared-hinge': squaredHingeLearner,
} as const satisfies Record<string, (options: LearnerOptions) => Learner>

export type LossName = keyof typeof binaryLearners

export function learnerFor(loss: LossName, classes: number, l2: number): Learner {
  if (classes === 2) return binaryLearners[loss]({ l2 })
  if (loss === 'logistic') return multinomialLearner({ l2 })
  throw new AlisError(
    'bad-input',
    `loss: for ${classes} classes it must be logistic, got ${loss}`,
    'Choose one class with --positive.',
  )
}
