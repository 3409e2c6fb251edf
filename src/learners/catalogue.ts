import { AlisError } from '../core/errors.ts'
import type { ColumnModel, Model } from '../core/model.ts'
import { type LossName, losses, lossNames } from '../losses/catalogue.ts'
import { columnsLearner } from './columns-learner.ts'
import type { Learner, LearnerOptions } from './learner.ts'
import { marginLearner } from './margin-learner.ts'
import { multinomialLearner } from './multinomial.ts'

interface LearnerEntry {
  /** Whether it minimises a loss, or what stands for it, over so many classes. */
  suits(loss: LossName, classes: number): boolean
  make(loss: LossName, options: LearnerOptions): Learner
}

/** Every learner by name. The first that suits is taken. */
export const learners = {
  margin: {
    suits: (_, classes) => classes === 2,
    make: (loss, options) => marginLearner(losses[loss], options),
  },
  multinomial: {
    suits: (loss, classes) => classes !== 2 && loss === 'logistic',
    make: (_, options) => multinomialLearner(options),
  },
} as const satisfies Record<string, LearnerEntry>

export function learnerFor(loss: LossName, classes: number, l2: number): Learner {
  const suiting = (name: LossName) => Object.values(learners).find(({ suits }) => suits(name, classes))
  const learner = suiting(loss)
  if (learner) return learner.make(loss, { l2 })
  throw new AlisError(
    'bad-input',
    `loss: for ${classes} classes it must be ${lossNames.filter(suiting).join(' or ')}, got ${loss}`,
    'Choose one class with --positive.',
  )
}

/** What makes the models of a pool: a learner, or one that takes over the scores that another program keeps in columns. */
export function learnerOver(
  { classes, look }: { readonly classes: readonly string[]; readonly look?: (() => Promise<ColumnModel>) | undefined },
  loss: LossName,
  l2: number,
): Learner<Model> {
  return look ? columnsLearner(classes.length, look) : learnerFor(loss, classes.length, l2)
}
