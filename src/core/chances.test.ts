import { describe, expect, it } from 'vitest'
import { crossEntropy } from '../losses/cross-entropy.ts'
import { logistic } from '../losses/logistic.ts'
import { emptyBelief } from './belief.ts'
import { chanceModel, chanceSums, identityOfPoints, scoresOfChances } from './chances.ts'
import { hashIds } from './randomness.ts'

const ids = Array.from({ length: 50 }, (_, i) => `p${i}`)
const chances = Float32Array.from(ids, (_, i) => (i % 17) / 16)
const sums = (names: readonly string[], ...columns: Float32Array[]) => chanceSums(hashIds(names), columns)
const idOf = (names: readonly string[], ...columns: Float32Array[]) => chanceModel(sums(names, ...columns), ['no', 'yes']).id

describe('the identity of chances', () => {
  it('does not depend on the order of the points', () => {
    expect(idOf(ids.toReversed(), chances.toReversed())).toBe(idOf(ids, chances))
  })

  it('is another once a single chance has changed in its last bit', () => {
    const nudged = chances.slice()
    new Uint32Array(nudged.buffer)[7]! += 1
    expect(idOf(ids, nudged)).not.toBe(idOf(ids, chances))
    expect(identityOfPoints(sums(ids, nudged))).toBe(identityOfPoints(sums(ids, chances)))
  })

  it('notices two points that have changed places, which the sum of the chances would not', () => {
    const swapped = chances.slice()
    ;[swapped[3], swapped[4]] = [swapped[4]!, swapped[3]!]
    const plainSum = (column: Float32Array) => column.reduce((a, b) => a + b, 0)
    expect(plainSum(swapped)).toBe(plainSum(chances)) // the broken twin: sixteenths add up exactly
    expect(idOf(ids, swapped)).not.toBe(idOf(ids, chances))
  })

  it('tells columns and points apart', () => {
    const other = chances.map((p) => 1 - p)
    expect(idOf(ids, chances, other)).not.toBe(idOf(ids, other, chances))
    const renamed = ids.with(0, 'somebody else')
    expect(identityOfPoints(sums(renamed, chances))).not.toBe(identityOfPoints(sums(ids, chances)))
  })
})

describe('the scores of chances', () => {
  it.each([0.5, 0.001, 0.75, 0.999])('are read back by the logistic loss: %s', (p) => {
    const belief = emptyBelief(2)
    logistic.read(scoresOfChances([p]), belief)
    expect(belief.probabilities[1]).toBeCloseTo(p, 12)
  })

  it('are read back by cross-entropy', () => {
    const belief = emptyBelief(3)
    crossEntropy.read(scoresOfChances([0.2, 0.5, 0.3]), belief)
    for (const [k, p] of [0.2, 0.5, 0.3].entries()) expect(belief.probabilities[k]).toBeCloseTo(p, 12)
  })

  it('are finite where a chance is 0 or 1', () => {
    expect([...scoresOfChances([0]), ...scoresOfChances([1]), ...scoresOfChances([0, 1, 0])].every(Number.isFinite)).toBe(true)
  })
})
