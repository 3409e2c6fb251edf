import { describe, expect, it } from 'vitest'
import { emptyBelief, marginOf, predictedError, worstLoss } from './belief.ts'
import { evaluate } from './formula.ts'
import { marginBin, marginBinFormula, marginBins, meanRankPowers } from './margins.ts'

describe('the bin of a margin', () => {
  it('has a sixteenth of a halving, from the smallest up', () => {
    expect([marginBin(1), marginBin(0.999), marginBin(0)]).toEqual([511, 511, 0])
    expect([marginBin(0.5), marginBin(0.25), marginBin(2 ** -32), marginBin(2 ** -40)]).toEqual([496, 480, 0, 0])
    for (const margin of [0.3, 0.01, 1e-6]) expect(marginBin(margin * 2 ** (-1 / 16)) - marginBin(margin)).toBe(-1)
    expect(marginBins).toBe(512)
  })

  it('is the same as a formula', () => {
    for (const margin of [0, 1e-12, 2 ** -32, 0.001, 0.5, 0.97, 1])
      expect(evaluate(marginBinFormula({ column: 'm' }), { m: margin })).toBe(marginBin(margin))
  })
})

describe('the mean power of a rank in a bin', () => {
  it.each([1, 1.5])('is that of the ranks of its points: power %s', (power) => {
    const counts = Float64Array.of(3, 0, 252, 5, 900)
    let rank = 0
    for (const [bin, mean] of [...meanRankPowers(counts, power)].entries()) {
      const count = counts[bin]!
      const ranks = Array.from({ length: count }, (_, k) => rank + k + 1)
      rank += count
      if (count === 0) expect(mean).toBe(0)
      else expect(mean / (ranks.reduce((sum, r) => sum + r ** -power, 0) / count)).toBeCloseTo(1, 8)
    }
  })
})

it('a belief has a margin between its two likeliest classes, a chance of being wrong, and a worst loss', () => {
  const belief = {
    ...emptyBelief(4),
    probabilities: Float64Array.of(0.2, 0.5, 0.05, 0.25),
    losses: Float64Array.of(1, 0.25, 3, 2),
  }
  expect(marginOf(belief)).toBeCloseTo(0.25, 15)
  expect(marginOf({ ...belief, probabilities: Float64Array.of(0.5, 0.1, 0.4) })).toBeCloseTo(0.1, 15)
  expect(marginOf({ ...belief, probabilities: Float64Array.of(0.5, 0.5) })).toBe(0)
  expect(predictedError(belief)).toBe(0.5)
  expect(worstLoss(belief)).toBe(3)
  expect(emptyBelief(3, 2).forms).toHaveLength(2)
  expect(emptyBelief(3).forms).toHaveLength(0)
})
