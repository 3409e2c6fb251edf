import { describe, expect, it } from 'vitest'
import golden from '../../test/golden/paper.golden.json' with { type: 'json' }
import { losses, lossNames } from './catalogue.ts'
import { describeLoss } from './loss.contract.ts'
import { squared } from './squared.ts'

const { 'cross-entropy': _, ...margins } = losses // its own test has the same for many classes

describe.each(Object.entries(losses))('%s', (key, loss) => {
  it('goes by its own name', () => expect(loss.name).toBe(key))
})

for (const loss of Object.values(margins)) describeLoss(loss)

it.each(lossNames.filter((name) => name !== 'hinge'))(
  '%s, which people can choose, has a curvature to be minimised by',
  (name) => {
    expect(losses[name].curvature.largest).toBeGreaterThan(0)
  },
)

const inGoldenFile = Object.values(margins).filter(({ name }) => name.replace('-', '_') in golden)

it.each(inGoldenFile)('$name has the pseudo-losses of the golden file', (loss) => {
  const expected = golden[loss.name.replace('-', '_') as 'logistic'].pseudo
  for (const [i, score] of golden.f.entries()) expect(loss.pseudoLoss(score)).toBeCloseTo(expected[i]!, 9)
})

it('squared pseudo-loss at 0 is 1: without the tie rule it would be 0', () => {
  expect(squared.pseudoLoss(0)).toBe(1)
  expect(squared.value(-1, 0)).toBe(1)
})

it('probabilities are where the expected loss is smallest', () => {
  const { squared, logistic, 'squared-hinge': squaredHinge, exponential } = losses
  for (const loss of [squared, logistic, squaredHinge, exponential]) {
    for (const score of [-0.8, -0.1, 0.3, 0.9]) {
      const p = loss.probability(score)
      const slope = p * loss.slope(+1, score) + (1 - p) * loss.slope(-1, score)
      expect(Math.abs(slope)).toBeLessThan(1e-12)
    }
  }
})
