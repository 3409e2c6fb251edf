import { describe, expect, it } from 'vitest'
import { testStrata } from '../../test/questions/test-pool.ts'
import { recalibrate } from '../certificates/recalibrate.ts'
import type { Label } from '../core/record.ts'
import { doubtPlace, gradePlace, sharePlace } from '../core/strata.ts'
import { type BeliefRule, beliefsOf, calibratedRule, plainRule } from './beliefs.ts'
import type { Frame, Strata } from './frame.ts'
import type { ToldDoubt } from './learned.ts'

const three: Frame = { classes: ['a', 'b', 'c'], models: ['own'], slices: [] }
const graded: Frame = { classes: [], models: [], slices: [], range: [1, 5] }

const logistic = (z: number) => 1 / (1 + Math.exp(-z))
const near = (numbers: readonly number[]) => numbers.map((number) => expect.closeTo(number, 12))
const chancesOf = (rule: BeliefRule, strata: Strata) =>
  strata.profileOf.map((_, profile) => [...beliefsOf(rule, strata).probabilities(profile)])

describe('the chances of answers', () => {
  it('are those of being wrong, and leave as much to every other class', () => {
    const strata = testStrata(three, [{ predicted: [0] }, { predicted: [2] }])
    expect(chancesOf({ kind: 'plain', wrong: [0.2, 0.5, 0.6] }, strata)).toEqual([near([0.8, 0.1, 0.1]), near([0.3, 0.3, 0.4])])
  })

  it('follow the doubt of the model along the line, within what may be believed at all', () => {
    const strata = testStrata(three, [{ predicted: [1] }])
    const { doubt } = strata.list[0]!
    const line = (intercept: number, slope: number) => chancesOf({ kind: 'line', intercept, slope }, strata)[0]
    const wrong = logistic(-1 + 2 * doubt)
    expect(line(-1, 2)).toEqual(near([wrong / 2, 1 - wrong, wrong / 2]))
    expect(line(50, 0)).toEqual(near([0.475, 0.05, 0.475]))
    expect(line(-50, 0)).toEqual(near([0.0005, 0.999, 0.0005]))
  })

  it('leave the runner-up its share of what is wrong, where there are others', () => {
    const second = { runnerUp: 2, share: sharePlace(0.75) }
    const rule: BeliefRule = { kind: 'plain', wrong: [0.4, 0.4, 0.4] }
    expect(chancesOf(rule, testStrata(three, [{ predicted: [0], ...second }]))).toEqual([near([0.6, 0.1, 0.3])])
    expect(chancesOf(rule, testStrata(three, [{ predicted: [1], runnerUp: 0, share: sharePlace(0.75) }]))).toEqual([
      near([0.3, 0.6, 0.1]),
    ])
    const four: Frame = { ...three, classes: ['a', 'b', 'c', 'd'] }
    expect(
      chancesOf({ kind: 'plain', wrong: [0.4] }, testStrata(four, [{ predicted: [0], runnerUp: 1, share: sharePlace(0.25) }])),
    ).toEqual([near([0.6, 0.1, 0.15, 0.15])])
    const two: Frame = { ...three, classes: ['a', 'b'] }
    expect(chancesOf(rule, testStrata(two, [{ predicted: [1], runnerUp: 0, share: sharePlace(0.75) }]))).toEqual([
      near([0.4, 0.6]),
    ])
  })

  it('are votes of the models, each of which may be wrong', () => {
    const strata = testStrata({ ...three, models: ['one', 'two', 'three', 'four'] }, [{ predicted: [0, 2, 0, 0] }])
    const [right, wrong] = [0.8, 0.1]
    expect(chancesOf({ kind: 'votes', wrong: 0.2 }, strata)).toEqual([
      near([(3 * right + wrong) / 4, wrong, (3 * wrong + right) / 4]),
    ])
  })

  it('are even where nothing is predicted, and none where answers are grades', () => {
    expect(chancesOf({ kind: 'plain', wrong: [0.1] }, testStrata({ ...three, models: [] }, [{}]))).toEqual([
      near([1 / 3, 1 / 3, 1 / 3]),
    ])
    expect(chancesOf({ kind: 'grades', intercept: 0, slope: 1, variance: 1 }, testStrata(graded, [{}]))).toEqual([[]])
  })
})

describe('what a point will add', () => {
  const worths = [0, 1, 4].map((num) => ({ num, den: num === 0 ? 0 : 1 }))

  it('has the moments of its chances', () => {
    const strata = testStrata(three, [{ predicted: [0] }])
    const moments = beliefsOf({ kind: 'plain', wrong: [0.5] }, strata).moments(0, worths)
    const [num, den] = [0.25 * 1 + 0.25 * 4, 0.5]
    expect(moments).toEqual({
      num: expect.closeTo(num, 12),
      den: expect.closeTo(den, 12),
      numNum: expect.closeTo(0.25 * 1 + 0.25 * 16 - num ** 2, 12),
      numDen: expect.closeTo(0.25 * 1 + 0.25 * 4 - num * den, 12),
      denDen: expect.closeTo(0.5 - den ** 2, 12),
    })
  })

  it('is known where every answer adds the same', () => {
    const strata = testStrata(three, [{ predicted: [0] }])
    const same = [7, 7, 7].map((num) => ({ num, den: 0.3 }))
    expect(beliefsOf({ kind: 'plain', wrong: [0.5] }, strata).moments(0, same)).toEqual({
      ...{ num: 7, den: 0.3 },
      ...{ numNum: 0, numDen: 0, denDen: 0 },
    })
  })

  it('is a grade on the line through those that were given, within their range', () => {
    const strata = testStrata(graded, [{ grade: gradePlace(0.25) }, { grade: gradePlace(1) }])
    const rule: BeliefRule = { kind: 'grades', intercept: 0.3, slope: 0.8, variance: 0.02 }
    const ends = [1, 5].map((num) => ({ num, den: 1 }))
    const common = { den: 1, numNum: expect.closeTo(16 * 0.02, 12), numDen: 0, denDen: 0 }
    const beliefs = beliefsOf(rule, strata)
    expect(beliefs.moments(0, ends)).toEqual({ num: expect.closeTo(1 + 4 * 0.5, 12), ...common })
    expect(beliefs.moments(1, ends)).toEqual({ num: 5, ...common })
  })
})

describe('before the confidences are known', () => {
  it('predictions of a class are as often wrong as its model says of those that are left', () => {
    const [some, more] = [doubtPlace(0.2), doubtPlace(0.4)]
    const strata = testStrata(three, [
      { predicted: [0], doubt: some, count: 9 },
      { predicted: [0], doubt: more, count: 9 },
      { predicted: [1], doubt: doubtPlace(0.001), count: 9 },
    ])
    const [a, b] = strata.list.map(({ doubt }) => logistic(doubt))
    expect(plainRule(strata, Float64Array.of(3, 1, 5))).toEqual({
      kind: 'plain',
      wrong: near([(3 * a! + b!) / 4, Math.max(0.001, logistic(strata.list[2]!.doubt)), 0.1]), // of the last class nothing is left
    })
    const doubtful = testStrata(three, [{ predicted: [2], doubt: doubtPlace(0.999) }])
    expect(plainRule(doubtful, Float64Array.of(2))).toEqual({ kind: 'plain', wrong: [0.1, 0.1, 0.95] })
  })

  it('grades lie half as given and half in the middle, or in the middle where all are given alike', () => {
    const rule = (...grades: number[]) => {
      const strata = testStrata(
        graded,
        grades.map((grade) => ({ grade: gradePlace(grade) })),
      )
      const fresh = plainRule(strata, strata.counts)
      expect(calibratedRule(strata, strata.counts, [{ stratum: 0, answer: null }])).toEqual(fresh) // nothing was told
      return fresh
    }
    expect(rule(0.2, 0.9)).toEqual({ kind: 'grades', intercept: 0.25, slope: 0.5, variance: 1 / 12 })
    expect(rule(0.9)).toEqual({ kind: 'grades', intercept: 0.5, slope: 0, variance: 1 / 12 })
  })
})

describe('what answers make of the confidences', () => {
  const doubts = [0.02, 0.1, 0.3, 0.6]
  const strata = testStrata(
    three,
    doubts.map((chance) => ({ predicted: [1], doubt: doubtPlace(chance), count: 10 })),
  )
  const logits = strata.list.map(({ doubt }) => doubt)
  const answered = [0, 0, 1, 2, 2, 3, 3, 3].map((stratum, k) => ({ stratum, answer: (k > 4 ? 'c' : 'b') as Label }))
  const lineOf = (rule: BeliefRule) => rule as Extract<BeliefRule, { kind: 'line' }>
  const mean = logits.reduce((sum, z) => sum + logistic(z), 0) / 4
  const centre = Math.log(mean / (1 - mean))
  const none = new Float64Array(4)
  const fitted = (told: readonly ToldDoubt[]) =>
    recalibrate(
      told.map(({ doubt }) => doubt),
      told.map(({ isWrong }) => (isWrong ? 1 : 0)),
      centre,
    )
  const own = answered.map(({ stratum, answer }) => ({ doubt: logits[stratum]!, isWrong: answer !== 'b' }))

  it('is a line one standard error flatter than fits best, that expects as many errors of the points left', () => {
    const left = Float64Array.of(5, 0, 8, 2)
    const { intercept, slope } = lineOf(calibratedRule(strata, left, answered))
    const best = fitted(own)
    expect(slope).toBeCloseTo(best.slope - best.slopeError, 12)
    const errors = (a: number, b: number) => logits.reduce((sum, z, k) => sum + left[k]! * logistic(a + b * z), 0)
    const expected = errors(centre + best.shift - best.slope * centre, best.slope)
    expect(errors(intercept, slope)).toBeCloseTo(expected, 3) // twenty halvings of 24, with 15 points of slope ¼ at most
  })

  it('is the line that fits best once no point is left', () => {
    const best = fitted(own)
    const { intercept, slope } = lineOf(calibratedRule(strata, none, answered))
    expect([intercept, slope]).toEqual(near([centre + best.shift - best.slope * centre, best.slope]))
  })

  it('takes confidences as they are without any, and learns nothing from "cannot tell"', () => {
    const asGiven = { kind: 'line', intercept: expect.closeTo(0, 12), slope: 1 }
    expect(calibratedRule(strata, none, [])).toEqual(asGiven)
    expect(calibratedRule(strata, none, [{ stratum: 3, answer: null }])).toEqual(asGiven)
  })

  it('begins with the newest answers of learning, and with fewer the more there are of its own', () => {
    const told = Array.from({ length: 230 }, (_, k) => ({ doubt: (k % 7) - 3, isWrong: k < 60 || k % 5 === 0 }))
    const learned = { ...strata, learned: { told } as unknown as NonNullable<Strata['learned']> }
    const slopeAfter = (count: number) =>
      lineOf(
        calibratedRule(
          learned,
          none,
          Array.from({ length: count }, (_, k) => answered[k % 8]!),
        ),
      ).slope
    const slopeOf = (newest: number, count: number) =>
      fitted([...told.slice(230 - newest), ...Array.from({ length: count }, (_, k) => own[k % 8]!)]).slope
    expect(slopeAfter(0)).toBeCloseTo(slopeOf(200, 0), 12)
    expect(slopeAfter(8)).toBeCloseTo(slopeOf(192, 8), 12)
    expect(slopeAfter(199)).toBeCloseTo(slopeOf(1, 199), 12)
    expect(slopeAfter(200)).toBeCloseTo(slopeOf(0, 200), 12)
  })

  it('is a line by least squares for grades, as if five points more had said nothing', () => {
    const pool = testStrata(
      graded,
      [0, 0.25, 0.75, 1].map((grade) => ({ grade: gradePlace(grade) })),
    )
    const pairs = [
      [0, 1],
      [1, 3],
      [2, 3.5],
      [3, 5],
      [3, 4],
    ] as const
    const told = pairs.map(([stratum, grade]) => ({ stratum, answer: `${grade}` }))
    // x: 0, ¼, ¾, 1, 1 with mean 0.6;  y: 0, ½, ⅝, 1, ¾ with mean 0.575
    const x = [0, 0.25, 0.75, 1, 1]
    const y = [0, 0.5, 0.625, 1, 0.75]
    const sxy = x.reduce((sum, at, k) => sum + (at - 0.6) * (y[k]! - 0.575), 0)
    const sxx = x.reduce((sum, at) => sum + (at - 0.6) ** 2, 0)
    const slope = sxy / (sxx + 0.25)
    const squares = x.reduce((sum, at, k) => sum + (y[k]! - 0.575 - slope * (at - 0.6)) ** 2, 0)
    expect(calibratedRule(pool, pool.counts, [...told, { stratum: 1, answer: null }])).toEqual({
      kind: 'grades',
      intercept: expect.closeTo(0.575 - 0.6 * slope, 12),
      slope: expect.closeTo(slope, 12),
      variance: expect.closeTo((squares + 5 / 12) / 10, 12),
    })
  })
})
