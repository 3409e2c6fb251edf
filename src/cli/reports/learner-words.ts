import type { LearnerChoice } from '../../core/learner-choice.ts'
import { blocksOf } from '../../features/steps.ts'
import type { SpokenData } from '../../projects/load-pool.ts'
import type { TestedRound } from '../../projects/run-loop.ts'
import { byteSize, count, percent } from '../../text/wording.ts'

/** How many features there are, of which kind, and what they take where they are more than those of the columns. */
export function featureWords({ recipe, size, engineName }: Pick<SpokenData, 'recipe' | 'size' | 'engineName'>): string {
  const all = `${count(recipe.width)} features`
  const { base, landmarks, cuts } = blocksOf(recipe)
  if (landmarks + cuts === 0) return all
  const kinds = [
    `${count(base)} of the columns`,
    landmarks > 0 ? `${count(landmarks)} landmarks` : '',
    cuts > 0 ? `${count(cuts)} cuts` : '',
  ]
  const place = engineName === 'memory' ? byteSize(4 * size * recipe.width) : 'made in every pass'
  return `${all} (${kinds.filter((kind) => kind !== '').join(', ')}; ${place})`
}

/** Which learner was chosen when, and by what. */
export function choicesSay(rounds: readonly TestedRound[]): string[] {
  const choices = rounds.flatMap(({ model }) => (model.kind !== 'columns' && model.choice ? [model.choice] : []))
  const fresh = choices.filter((choice, k) => choice.labels !== choices[k - 1]?.labels)
  return fresh.map(choiceWords)
}

function choiceWords({ learner, labels, tried }: LearnerChoice): string {
  const chosen = tried.find((each) => each.learner === learner)!
  const others = tried.filter((each) => each !== chosen).map((each) => `${each.learner} ${percent(each.error)}`)
  const beside = others.length > 0 ? ` (${others.join(', ')})` : ''
  return `At ${count(labels)} labels ${learner} was the best: ${percent(chosen.error)} wrong on labels it had not seen${beside}.`
}
