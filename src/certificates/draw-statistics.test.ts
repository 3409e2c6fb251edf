import { describe, expect, it } from 'vitest'
import { DrawStatistics } from './draw-statistics.ts'
import { referenceTuning } from './plan.ts'
import type { Question } from './question.ts'

const question: Question = { kinds: [], range: [0.2, 1], shape: 'product' }
const nothing = { mass: 0, num: 0, den: 0, numNum: 0, numDen: 0, denDen: 0 }
const made = () => new DrawStatistics(question, referenceTuning)
const middle = 0.6

describe('where F is thought to be', () => {
  it('is the middle of the range while nothing says where', () => {
    const { centre, expected } = made().expect({ num: 0, den: 0 }, nothing, false)
    expect(centre).toBeCloseTo(middle, 12)
    expect(expected).toBeCloseTo(middle, 12)
  })

  it('is the middle too where what there is to divide by is no more than rounding leaves', () => {
    for (const den of [1e-9, 1e-10]) {
      const { centre, expected } = made().expect({ num: den, den }, nothing, false)
      expect(centre).toBeCloseTo(middle, 9)
      expect(expected).toBeCloseTo(middle, 9)
    }
    expect(made().expect({ num: 2e-9, den: 2e-9 }, nothing, false).expected).toBe(1)
  })

  it('counts what was expected like ten draws, and with caution the middle like one', () => {
    const statistics = made()
    const expectation = statistics.expect({ num: 3, den: 4 }, { ...nothing, num: 2, den: 6 }, false)
    expect(expectation.expected).toBeCloseTo(5 / 10, 12)
    expect(expectation.centre).toBeCloseTo((10 * 5 + 6) / (10 * 10 + 10), 12)
    statistics.add(expectation, { num: 3, den: -2 }, false)
    const later = statistics.expect({ num: 3, den: 4 }, { ...nothing, num: 2, den: 6 }, false)
    expect(later.expected).toBeCloseTo((10 * 5 + 8) / (10 * 10 + 8), 12)
    expect(later.centre).toBeCloseTo((10 * 5 + 8 + 6) / (10 * 10 + 8 + 10), 12)
  })
})

describe('the estimate', () => {
  it('is the ratio of the two mean X', () => {
    const statistics = made()
    expect(statistics.estimate).toBeUndefined()
    const expectation = statistics.expect({ num: 3, den: 4 }, { ...nothing, num: 2, den: 6 }, false)
    statistics.add(expectation, { num: 1, den: 0 }, false)
    statistics.add(expectation, { num: -2, den: -1 }, false)
    expect(statistics.estimate).toBeCloseTo((6 + 3) / (10 + 9), 12)
    expect(statistics.draws).toBe(2)
  })

  it('is missing where there is nothing to divide by', () => {
    const statistics = made()
    statistics.add(statistics.expect({ num: 1e-9, den: 1e-9 }, nothing, false), { num: 0, den: 0 }, false)
    expect(statistics.estimate).toBeUndefined()
  })
})

describe('the variance of a draw', () => {
  const spread = (0.5 - 0.2) * (1 - 0.5)

  it('is what beliefs make it, for each unit of the spread', () => {
    const left = { ...nothing, mass: 3, num: 5, den: 10, numNum: 4, numDen: 1, denDen: 2 }
    const { predicted, variance } = made().expect({ num: 0, den: 0 }, left, false)
    expect(predicted).toBeCloseTo((3 * (4 - 2 * 0.5 * 1 + 0.25 * 2)) / spread, 12)
    expect(variance).toBe(predicted)
  })

  it.each([
    [100, 100],
    [0.25, 1],
  ])('is at least a millionth of the square that the range allows, and of one point: of %s', (den, counted) => {
    const { predicted, relativeVariance } = made().expect({ num: 0, den: 0 }, { ...nothing, num: den / 2, den }, false)
    expect(predicted).toBeCloseTo((1e-6 * counted ** 2 * 0.8 ** 2) / spread, 12)
    expect(relativeVariance).toBeCloseTo(predicted / den ** 2, 9)
  })

  it('is put right by what was seen, but not in a plain round, where it is known', () => {
    const statistics = made()
    const left = { ...nothing, mass: 1, num: 5, den: 10, numNum: 4 }
    const seen = { num: 0, den: 0 }
    const expectation = statistics.expect(seen, left, false)
    const x = statistics.add(expectation, { num: 90, den: 0 }, false)
    const surprise = x ** 2 / (expectation.predicted * (expectation.centre - 0.2) * (1 - expectation.centre))
    expect(statistics.expect(seen, left, true).variance).toBe(expectation.predicted)
    const corrected = statistics.expect(seen, left, false)
    expect(corrected.variance / corrected.predicted).toBeCloseTo(Math.min((100 + surprise) / 101, 4), 9)
    expect(corrected.variance).toBeGreaterThan(expectation.variance)
    expect(corrected.relativeVariance).toBeCloseTo(corrected.variance / 10 ** 2, 12)
  })

  it('is not put right by draws of a plain round', () => {
    const statistics = made()
    const left = { ...nothing, mass: 1, num: 5, den: 10, numNum: 4 }
    const seen = { num: 0, den: 0 }
    statistics.add(statistics.expect(seen, left, true), { num: 90, den: 0 }, true)
    const { predicted, variance } = statistics.expect(seen, left, false)
    expect(variance).toBe(predicted)
  })
})
