import { describe, expect, it } from 'vitest'
import { evaluate, type Formula } from './formula.ts'
import {
  doubtPlace,
  doubtPlaceFormula,
  gradePlace,
  gradePlaceFormula,
  type Places,
  sharePlace,
  sharePlaceFormula,
  stratumCodes,
} from './strata.ts'

describe('the place of a number on its axis', () => {
  it('is a sixteenth of a logit for doubt, and kept within a thousandth of sure', () => {
    const most = doubtPlace(0.5)
    expect(most).toBe(Math.round(16 * Math.log(999)))
    expect([doubtPlace(0), doubtPlace(1), doubtPlace(1e-9)]).toEqual([0, 2 * most, 0])
    expect(doubtPlace(1 / (1 + Math.exp(-10 / 16)))).toBe(most + 10)
    expect(doubtPlace(1 / (1 + Math.exp(3.4 / 16)))).toBe(most - 3)
  })

  it('is an eighth for the share of a runner-up, and a sixty-fourth for a grade', () => {
    expect([-1, 0, 0.06, 0.07, 0.5, 1, 2].map(sharePlace)).toEqual([0, 0, 0, 1, 4, 8, 8])
    expect([-1, 0, 1 / 64, 0.5, 1, 2].map(gradePlace)).toEqual([0, 0, 1, 32, 64, 64])
  })

  it.each<[string, (x: number) => number, (x: Formula) => Formula]>([
    ['doubt', doubtPlace, doubtPlaceFormula],
    ['share', sharePlace, sharePlaceFormula],
    ['grade', gradePlace, gradePlaceFormula],
  ])('is the same as a formula: %s', (_, place, formula) => {
    for (const x of [-0.5, 0, 0.0005, 0.07, 0.33, 0.5, 0.9, 0.9995, 1, 1.5])
      expect(evaluate(formula({ column: 'x' }), { x })).toBe(place(x))
  })
})

describe('the code of a stratum', () => {
  const axes = { classes: 3, models: 2, slices: [4, 2], pools: 3 }
  const places: Places = { predicted: [2, 1], doubt: 40, runnerUp: 1, share: 5, grade: 63, slices: [3, 1], arrival: 2 }

  it('tells everything that points of it have in common', () => {
    const { code, stratum, radices } = stratumCodes(axes)
    expect(radices).toEqual([3, 3, 2 * doubtPlace(0.5) + 1, 4, 9, 65, 4, 2, 3])
    expect(stratum(code(places))).toEqual({
      predicted: [2, 1],
      doubt: (40 - doubtPlace(0.5)) / 16,
      runnerUp: 1,
      runnerUpShare: 5 / 8,
      grade: 63 / 64,
      slices: [3, 1],
      arrival: 2,
    })
    const { arrival: _, ...early } = places
    expect(stratum(code({ ...early, runnerUp: 3 }))).toMatchObject({ runnerUp: -1, arrival: 0 })
  })

  it('is another for every other place, with the first prediction first and the arrival last', () => {
    const { code } = stratumCodes(axes)
    const one = code(places)
    expect(code({ ...places, arrival: 1 })).toBe(one - 1)
    expect(code({ ...places, predicted: [1, 2] })).toBeLessThan(one)
    expect(code({ ...places, slices: [3, 0] })).toBe(one - 3)
    expect(stratumCodes({ classes: 3, models: 2, slices: [] }).radices.at(-1)).toBe(1) // one pool
  })

  it('is refused where a number could not hold it', () => {
    expect(() => stratumCodes({ classes: 1000, models: 4, slices: [50, 50] })).toThrow(
      'strata: fewer combinations of classes, models and slices are required, got 1000 × 1000',
    )
    expect(() => stratumCodes({ classes: 10, models: 3, slices: [50] })).not.toThrow()
  })
})
