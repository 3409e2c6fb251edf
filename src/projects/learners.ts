import { AlisError } from '../core/errors.ts'
import type { Model } from '../core/model.ts'
import { columnsLearner } from '../learners/columns-learner.ts'
import type { Learner, LearnerOptions } from '../learners/learner.ts'
import { logisticLearner } from '../learners/logistic.ts'
import { multinomialLearner } from '../learners/multinomial.ts'
import { squaredLearner } from '../learners/squared.ts'
import { squaredHingeLearner } from '../learners/squared-hinge.ts'
import type { PoolData } from './pools/pool-data.ts'

/** Learners of two classes by the name of their loss, as the command offers them. */
export const binaryLearners = {
  logistic: logisticLearner,
  squared: squaredLearner,
  'squared-hinge': squaredHingeLearner,
} as const satisfies Record<string, (options: LearnerOptions) => Learner>

export type LossName = keyof typeof binaryLearners

/** Who makes the models of a pool: a learner, or nobody where somebody else keeps them in columns. */
export function learnerOver({ classes, look }: Pick<PoolData, 'classes' | 'look'>, loss: LossName, l2: number): Learner<Model> {
  return look ? columnsLearner(classes.length, look) : learnerFor(loss, classes.length, l2)
}

export function learnerFor(loss: LossName, classes: number, l2: number): Learner {
  if (classes === 2) return binaryLearners[loss]({ l2 })
  if (loss === 'logistic') return multinomialLearner({ l2 })
  throw new AlisError(
    'bad-input',
    `loss: for ${classes} classes it must be logistic, got ${loss}`,
    'Choose one class with --positive.',
  )
}
