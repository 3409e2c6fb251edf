import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { AskedAnswer } from './ask.ts'
import { question } from './spec.ts'
import { claimOf, claimOfBest } from './words.ts'

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
