import { describe, expect, it } from 'vitest'
import { testFrame, testStrata } from '../../test/questions/test-pool.ts'
import { doubtPlace } from '../core/strata.ts'
import { predictionsIn, strataIn, strataOf, withPoints } from './frame.ts'

const places = [
  { predicted: [0, 0], slices: [0], count: 5 },
  { predicted: [0, 0], slices: [1], count: 3, arrival: 1 },
  { predicted: [0, 1], slices: [1], count: 4 },
  { predicted: [1, 1], slices: [0], count: 2, arrival: 1 },
  { predicted: [1, 1], slices: [0], doubt: doubtPlace(0.9), count: 7, arrival: 2 },
]
const grown = { ...testFrame, pools: [9, 14, 21] }

describe('the strata of a pool', () => {
  it('have one profile where they differ in slices and arrivals alone', () => {
    const strata = testStrata(grown, places)
    expect([...strata.profiles]).toEqual([0, 0, 1, 2, 3])
    expect(strata.profileOf.map(({ predicted }) => predicted)).toEqual([
      [0, 0],
      [0, 1],
      [1, 1],
      [1, 1],
    ])
    expect([strata.points, strata.poolSize]).toEqual([21, 21])
    for (const [k, code] of strata.codes.entries()) expect(strata.at(code)).toBe(k)
    expect(strata.at(strata.codes[0]! - 1)).toBe(-1)
  })

  it('may have any profile first', () => {
    for (const profile of [0, 1, 2]) {
      const { profiles, profileOf } = strataOf(testFrame, {
        codes: Float64Array.of(2 * profile, 2 * profile + 1),
        counts: Float64Array.of(1, 1),
      })
      expect([[...profiles], profileOf.length]).toEqual([[0, 0], 1]) // of two slices
    }
  })

  it('tell what the first model predicts', () => {
    const predicted = predictionsIn(grown)
    expect([...testStrata(grown, places).codes].map(predicted)).toEqual(['no', 'no', 'no', 'yes', 'yes'])
  })

  it('are those that were there while it had so many points', () => {
    const learned = { told: [] } as unknown as NonNullable<ReturnType<typeof strataOf>['learned']>
    const strata = { ...testStrata(grown, places), learned }
    const then = (poolSize?: number) => {
      const { codes, counts, poolSize: size, points, learned: kept } = strataIn(strata, poolSize)
      expect(kept).toBe(learned)
      expect(codes).toHaveLength(counts.length)
      return { counts: [...counts], size, points }
    }
    expect(then(9)).toEqual({ counts: [5, 4], size: 9, points: 9 })
    expect(then(14)).toEqual({ counts: [5, 3, 4, 2], size: 14, points: 14 })
    expect(strataIn(strata, 21)).toBe(strata)
    expect(() => then(10)).toThrow('poolSize: one of the sizes that the pool had, 9, 14, 21, is required, got 10')
    const fixed = testStrata(
      testFrame,
      places.map(({ arrival: _, ...place }) => place),
    )
    expect(fixed.poolSize).toBeUndefined()
    expect(strataIn(fixed, undefined)).toBe(fixed)
  })
})

it('points are added to those of their code, codes in increasing order', () => {
  const { codes, counts } = withPoints({ codes: Float64Array.of(10, 200), counts: Float64Array.of(4, 1) }, [200, 30, 200, 30, 7])
  expect([...codes]).toEqual([7, 10, 30, 200])
  expect([...counts]).toEqual([1, 4, 2, 3])
})
