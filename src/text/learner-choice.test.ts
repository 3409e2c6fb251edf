import { expect, it } from 'vitest'
import { choiceWords } from './learner-choice.ts'

it('says what was chosen, how wrong it was on labels unseen, and how wrong the others were but for their penalties', () => {
  const said = choiceWords({
    learner: 'trees + landmarks (penalty 0.1)',
    labels: 1240,
    tried: [
      { learner: 'linear', error: 0.188, logLoss: 0.5 },
      { learner: 'landmarks', error: 0.133, logLoss: 0.4 },
      { learner: 'landmarks (penalty 0.1)', error: 0.13, logLoss: 0.4 },
      { learner: 'trees', error: 0.1, logLoss: 0.6 },
      { learner: 'trees + landmarks (penalty 0.1)', error: 0.1, logLoss: 0.3 },
    ],
  })
  expect(said).toBe(
    'At 1,240 labels the best was trees + landmarks (penalty 0.1): 10.0 % wrong on labels unseen (linear 18.8 %, landmarks 13.3 %, trees 10.0 %).',
  )
  expect(said.length).toBeLessThanOrEqual(140)
  const alone = { learner: 'linear', labels: 60, tried: [{ learner: 'linear', error: 0.1, logLoss: 0.3 }] }
  expect(choiceWords(alone)).toBe('At 60 labels the best was linear: 10.0 % wrong on labels unseen.')
})
