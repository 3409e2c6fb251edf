import { choiceOf } from '../../core/model.ts'
import type { Standstill } from '../../core/now.ts'
import { blocksOf } from '../../features/steps.ts'
import type { SpokenData } from '../../projects/load-pool.ts'
import type { TestedRound } from '../../projects/run-loop.ts'
import { choiceWords } from '../../text/learner-choice.ts'
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
  const choices = rounds.flatMap(({ model }) => choiceOf(model) ?? [])
  const fresh = choices.filter((choice, k) => choice.labels !== choices[k - 1]?.labels)
  return fresh.map(choiceWords)
}

/** That learning has come to a standstill, and what might help. */
export function standstillWords({ labels, fall, noise, error }: Standstill, { model }: TestedRound): string {
  const less = `The last ${count(labels)} labels took about ${percent(Math.max(0, fall))} (± ${percent(2 * noise)}) off the ${percent(error)} that the model is wrong on.`
  return choiceOf(model)
    ? `${less}\nLearning seems to stand still: further columns might help, or a model of your own (--learner-command).`
    : `${less}\nLearning seems to stand still: another learner might help (--learner auto).`
}
