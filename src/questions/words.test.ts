import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { AskedAnswer } from './ask.ts'
import { question } from './spec.ts'
import { bestWords, claimOf, claimOfBest, learnedWords, levelsText, rowLabels, stateText } from './words.ts'

const asked: AskedAnswer = {
  question: question('error'),
  state: 'defined',
  value: 0.05,
  low: 0.0311,
  high: 0.0702,
  level: 0.95,
  answers: 1250,
  points: 20_000,
  plan: { kind: 'none' },
  isRegistered: true,
}
const claim = (change: Partial<AskedAnswer>) => claimOf({ ...asked, ...change }, 1250)

it('says how many answers were known without a draw', () => {
  expect(claimOf(asked, 1250, 59)).toContain('recorded probabilities, and on 59 answers known without a draw, and holds however')
  expect(claimOf(asked, 1250)).not.toContain('known')
})
const recall = question('recall', { positive: 'spam' })

it.each<[Partial<AskedAnswer>, string]>([
  [{}, 'With 95 % confidence, between 3.1 % and 7.1 % of the 20,000 predictions are wrong. This rests on 1,250 answers,'],
  [{ low: 0, high: 0.0004 }, 'With 95 % confidence, between 0 % and 0.04 % of the 20,000 predictions are wrong.'],
  [{ level: 0.999999 }, 'With 99.999 % confidence, between'],
  [
    { question: question('error', { against: 'old' }), low: -0.2227, high: -0.0332 },
    'With 95 % confidence, the error of the predictions minus that of old is between −22.3 and −3.3 percentage points.',
  ],
  [
    { question: question('kappa'), low: 0.6149, high: 0.7401 },
    'With 95 % confidence, the agreement beyond chance (kappa) of the predictions with the answers is between 0.61 and 0.75.',
  ],
  [
    { question: recall, state: 'if any', atMost: 31, points: 400, low: 0.1, high: 1 },
    'With 95 % confidence, if there is anything to divide by, the predictions find between 10.0 % and 100 % of the points that are spam; it is at most 31 of 400 points.',
  ],
  [
    { question: question('balanced-accuracy'), state: 'if any', low: 0.3481, high: 0.8879 },
    'With 95 % confidence, over the classes that occur, the balanced accuracy of the predictions is between 34.8 % and 88.8 %. This',
  ],
  [
    { question: recall, state: 'undefined', value: null, low: null, high: null },
    'The recall of spam is not defined: there is nothing to divide by.',
  ],
  [{ state: 'known', low: 0.05, high: 0.05 }, '5.00 % of the 20,000 predictions are wrong: every answer that matters is known.'],
  [
    { state: 'contradiction', low: 0, high: 0.9 },
    'These answers contradict each other at the level asked for, which happens in at most 5 of 100 audits. What is certain: between',
  ],
])('the claim of %j', (change, words) => {
  expect(claim(change).slice(0, words.length)).toBe(words)
})

it('a claim never says more than the interval', () => {
  const share = fc.double({ min: 0, max: 1, noNaN: true })
  fc.assert(
    fc.property(share, share, (a, b) => {
      const [low, high] = [Math.min(a, b), Math.max(a, b)]
      const [, from, to] = /between ([\d.]+) % and ([\d.]+) %/.exec(claim({ low, high }))!
      expect(Number(`${from}e-2`)).toBeLessThanOrEqual(low)
      expect(Number(`${to}e-2`)).toBeGreaterThanOrEqual(high)
    }),
  )
})

it('says which model is the best, or that nobody knows yet', () => {
  const best = { model: 'b', within: 0.01, level: 0.95, leader: 'b', out: ['a'], differences: {}, answers: 100 }
  expect(claimOfBest(best, 120)).toMatch(
    /^With 95 % confidence, b is the most accurate of the models, or less accurate than the best by at most 1 percentage point\. /,
  )
  expect(claimOfBest({ ...best, model: null }, 120)).toMatch(
    /^Which model is the best is not proven yet; b looks best, and a cannot be\. /,
  )
})

it('says what the claim rests on', () => {
  expect(claim({ answers: 61 })).toMatch(/This rests on 61 of 1,250 answers, drawn at random/)
  expect(claim({})).toMatch(/This rests on 1,250 answers, drawn at random with recorded probabilities, and holds however often/)
  expect(claim({ learned: 300 })).toMatch(
    /rests on 1,250 answers and on 300 that the model learned from, all drawn at random with recorded probabilities, and holds/,
  )
  expect(claim({ state: 'undefined', low: null, high: null })).toMatch(/to divide by\. This rests on 1,250 answers\.$/)
  expect(claim({ state: 'known', low: 0.05, high: 0.05 })).toMatch(/every answer that matters is known\.$/)
  expect(claimOf({ ...asked, state: 'if any', atMost: 1, points: 1 }, 1)).toContain(
    'it is at most 1 of 1 point. This rests on 1 answer,',
  )
  expect(claim({ state: 'contradiction', level: 0.951 })).toContain('at most 5 of 100 audits')
  expect(claim({ state: 'contradiction', level: 0.94 })).toContain('at most 6 of 100 audits')
})

it('rows are told apart by how they were asked, where that is all that differs', () => {
  const labels = (...questions: Parameters<typeof question>[]) =>
    rowLabels(questions.map(([metric, options]) => ({ question: question(metric, options) })))
  expect(labels(['error'], ['recall', { positive: 'a', level: 0.9 }])).toEqual(['error', 'recall of a'])
  expect(labels(['error'], ['error', { level: 0.9 }])).toEqual(['error, at 95 %', 'error, at 90 %'])
  expect(labels(['error'], ['error', { isCeiling: true }])).toEqual(['error', 'error, upper limit alone'])
  expect(labels(['macro-f1', { isLinearised: true }], ['macro-f1'])).toEqual(['macro-F1, to first order', 'macro-F1'])
  expect(labels(['error', { isCeiling: true }], ['error', { isCeiling: true }], ['error'])).toEqual([
    'error, upper limit alone',
    'error, upper limit alone',
    'error',
  ])
  expect(labels(['macro-f1', { isLinearised: true }], ['macro-f1', { isLinearised: true }])).toEqual(['macro-F1', 'macro-F1'])
  expect(labels(['error', { isCeiling: true }], ['error', { level: 0.9, isCeiling: true }])).toEqual([
    'error, at 95 %',
    'error, at 90 %',
  ])
})

it('a table says at which levels its rows hold, and whether all at once', () => {
  const rows = [{ level: 0.95 }, { level: 0.95 }, { level: 0.9 }]
  expect(levelsText(rows)).toBe('Each at 95 %, 90 %, not all at once: a row that is picked because it stands out is not covered.')
  expect(levelsText([{ level: 0.95, together: { low: 0, high: 1 } }, { level: 0.95 }])).toBe(
    'Each at 95 %; under “All at once”, all of them together at 95 %.',
  )
})

it('says what a certificate of a learned model begins with', () => {
  const learned = { answers: 120, keptBack: 0.5, calibrating: 80, rounds: [], points: [] }
  expect(learnedWords(learned)).toBe(
    '120 answers that the model learned from, drawn at random, 50 % of the stake kept back; confidences as 80 answers of learning measured them',
  )
  expect(learnedWords({ ...learned, answers: 0 })).toBe('Confidences as 80 answers of learning measured them')
})

it('names what may still be the best in every case', () => {
  const best = { model: 'b', within: 0, leader: 'b', out: [] }
  expect(bestWords(best)).toBe('b is the most accurate of the models.')
  expect(bestWords({ ...best, within: 0.005 })).toContain('by at most 0.5 percentage points.')
  expect(bestWords({ ...best, model: null })).toBe('Which model is the best is not proven yet; b looks best.')
  expect(bestWords({ ...best, model: null, out: ['a', 'c'] })).toBe(
    'Which model is the best is not proven yet; b looks best, and a and c cannot be.',
  )
  expect(stateText('if any')).toBe('if there is anything to divide by')
  expect(claimOfBest({ ...best, level: 0.9, differences: {}, answers: 1 }, 1)).toBe(
    'With 90 % confidence, b is the most accurate of the models. This rests on 1 answer, drawn at random with recorded probabilities, and holds however often the audit was looked at.',
  )
})
