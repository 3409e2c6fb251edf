import { expect, it } from 'vitest'
import { emptyBelief, worstLoss } from '../core/belief.ts'
import { crossEntropy } from './cross-entropy.ts'
import { logistic } from './logistic.ts'

it('agrees with the logistic loss when there are two classes', () => {
  for (const score of [-30, -1, 0, 0.5, 700]) {
    expect(crossEntropy.value(1, [0, score])).toBeCloseTo(logistic.value(+1, score), 12)
    expect(crossEntropy.value(0, [0, score])).toBeCloseTo(logistic.value(-1, score), 12)
    expect(crossEntropy.pseudoLoss([0, score])).toBeCloseTo(logistic.pseudoLoss(score), 12)
  }
})

it('pseudo-loss is −log of the least likely class', () => {
  const scores = [Math.log(0.7), Math.log(0.2), Math.log(0.1)]
  expect(crossEntropy.pseudoLoss(scores)).toBeCloseTo(-Math.log(0.1), 12)
})

it('expected loss is the entropy of its own probabilities', () => {
  const p = [0.7, 0.2, 0.1]
  const entropy = -p.reduce((sum, x) => sum + x * Math.log(x), 0)
  expect(crossEntropy.expectedLoss(p.map(Math.log))).toBeCloseTo(entropy, 12)
})

it('stays finite for scores of ±10,000, and reads them as a belief', () => {
  const scores = [1e4, -1e4, 0]
  const belief = emptyBelief(3)
  crossEntropy.read(scores, belief)
  expect([...belief.probabilities]).toEqual([1, 0, 0])
  expect([...belief.losses]).toEqual([0, 2e4, 1e4])
  expect(worstLoss(belief)).toBe(crossEntropy.pseudoLoss(scores))
  expect(crossEntropy.expectedLoss(scores)).toBe(0)
})
