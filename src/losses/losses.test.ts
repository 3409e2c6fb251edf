import { expect, it } from 'vitest'
import golden from '../../test/golden/paper.golden.json' with { type: 'json' }
import { exponential } from './exponential.ts'
import { hinge } from './hinge.ts'
import { logistic } from './logistic.ts'
import { describeLoss } from './loss.contract.ts'
import { squared } from './squared.ts'
import { squaredHinge } from './squared-hinge.ts'
import { zeroOne } from './zero-one.ts'

const losses = { squared, logistic, hinge, squared_hinge: squaredHinge, exponential, zero_one: zeroOne }

for (const loss of Object.values(losses)) describeLoss(loss)

it.each(Object.entries(losses))('%s has the pseudo-losses of the golden file', (name, loss) => {
  const expected = golden[name as keyof typeof losses].pseudo
  for (const [i, score] of golden.f.entries()) expect(loss.pseudoLoss(score)).toBeCloseTo(expected[i]!, 9)
})

it('squared pseudo-loss at 0 is 1: without the tie rule it would be 0', () => {
  expect(squared.pseudoLoss(0)).toBe(1)
  expect(squared.value(-1, 0)).toBe(1)
})

it('probabilities are where the expected loss is smallest', () => {
  for (const loss of [squared, logistic, squaredHinge, exponential]) {
    for (const score of [-0.8, -0.1, 0.3, 0.9]) {
      const p = loss.probability(score)
      const slope = p * loss.slope(+1, score) + (1 - p) * loss.slope(-1, score)
      expect(Math.abs(slope)).toBeLessThan(1e-12)
    }
  }
})
