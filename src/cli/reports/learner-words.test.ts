import { expect, it } from 'vitest'
import { linearModel } from '../../core/model.ts'
import type { TestedRound } from '../../projects/run-loop.ts'
import { choicesSay, standstillWords } from './learner-words.ts'

const choice = (labels: number) => ({
  learner: 'linear',
  labels,
  scale: 1,
  tried: [{ learner: 'linear', error: 0.1, logLoss: 0.3 }],
})
const round = (chosenAt?: number) =>
  ({
    model: linearModel({
      loss: 'logistic',
      classes: ['no', 'yes'],
      weights: [[1]],
      intercepts: [0],
      ...(chosenAt !== undefined && { choice: choice(chosenAt) }),
    }),
  }) as unknown as TestedRound

it('names every choice once, in the order in which they were made', () => {
  expect(choicesSay([round(), round(50), round(50), round(100)])).toEqual([
    'At 50 labels the best was linear: 10.0 % wrong on labels unseen.',
    'At 100 labels the best was linear: 10.0 % wrong on labels unseen.',
  ])
  expect(choicesSay([round()])).toEqual([])
})

it('says that learning stands still, about how much was gained, and what might help', () => {
  const still = { labels: 1000, fall: 0.003, noise: 0.003, error: 0.164 }
  expect(standstillWords(still, round())).toBe(
    'The last 1,000 labels took about 0.3 % (± 0.6 %) off the 16.4 % that the model is wrong on.\nLearning seems to stand still: another learner might help (--learner auto).',
  )
  expect(standstillWords({ ...still, fall: -0.01 }, round(50))).toContain(
    'took about 0.0 % (± 0.6 %) off the 16.4 % that the model is wrong on.\nLearning seems to stand still: further columns might help, or a model of your own',
  )
})
