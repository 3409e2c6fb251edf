import type { LearnerChoice, TriedLearner } from '../core/learner-choice.ts'
import { count, percent } from './wording.ts'

/** Which learner was chosen when, and by what. */
export function choiceWords({ learner, labels, tried }: Omit<LearnerChoice, 'scale'>): string {
  const chosen = tried.find((each) => each.learner === learner)!
  const others = tried
    .filter((each) => each !== chosen && !isVariant(each))
    .map((each) => `${each.learner} ${percent(each.error)}`)
  const beside = others.length > 0 ? ` (${others.join(', ')})` : ''
  return `At ${count(labels)} labels the best was ${learner}: ${percent(chosen.error)} wrong on labels unseen${beside}.`
}

/** One of another penalty: too many to name. */
const isVariant = ({ learner }: TriedLearner): boolean => learner.includes('(')
