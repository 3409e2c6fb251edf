import { describe, expect, it } from 'vitest'
import { testFrame, testStrata } from '../../test/questions/test-pool.ts'
import { gradePlace } from '../core/strata.ts'
import type { Frame } from './frame.ts'
import { type QuestionOptions, type QuestionSpec, question } from './spec.ts'
import { answerOf, tablesFor, tablesOfDenominator } from './tables.ts'

const places = [
  { predicted: [0, 0], slices: [0], count: 5 },
  { predicted: [0, 1], slices: [1], count: 3 },
  { predicted: [1, 0], slices: [0], count: 4 },
  { predicted: [1, 1], slices: [1], count: 2 },
]
const strata = testStrata(testFrame, places)
const yes = { positive: 'yes' }
const south = { column: 'region', value: 'south' }
const tables = (metric: QuestionSpec['metric'], options: QuestionOptions = {}) => tablesFor(question(metric, options), strata)[0]!

describe('strata', () => {
  it('are of one kind where answers are worth the same', () => {
    const { kinds, counts, points, relevant, question: asked } = tables('precision', yes)
    expect([...kinds]).toEqual([0, 0, 1, 1])
    expect([counts, points, relevant]).toEqual([[8, 6], 14, [false, true]])
    const pair = (num: number, den: number) => ({ num, den })
    expect(asked.kinds).toEqual([
      [pair(0, 0), pair(0, 0)],
      [pair(0, 1), pair(1, 1)],
    ])
  })

  it('beyond the slice add nothing', () => {
    const { kinds, counts, points, worth } = tables('accuracy', { slice: south })
    expect([...kinds]).toEqual([0, 1, 0, 2])
    expect([counts, points]).toEqual([[9, 3, 2], 5])
    expect([worth(0, 'no'), worth(1, 'no'), worth(3, 'no')]).toEqual([
      { num: 0, den: 0 },
      { num: 1, den: 1 },
      { num: 0, den: 1 },
    ])
    expect(worth(1, null)).toBeNull()
  })

  it('that came after the pool of the question add nothing either', () => {
    const grown = { ...testFrame, pools: [8, 14] }
    const pool = testStrata(
      grown,
      places.map((place, k) => ({ ...place, arrival: k < 2 ? 0 : 1 })),
    )
    const points = (poolSize?: number, slice?: typeof south) =>
      tablesFor(question('error', { ...(poolSize && { poolSize }), ...(slice && { slice }) }), pool)[0]!.points
    expect([points(), points(14), points(8), points(8, south)]).toEqual([14, 14, 8, 3])
    expect(() => points(9)).toThrow('poolSize: one of the sizes that the pool had, 8, 14, is required, got 9')
  })
})

describe('before any answer', () => {
  it.each<[string, QuestionSpec, readonly [number, number]]>([
    ['a mean', question('error'), [0, 1]],
    ['a ratio', question('precision', yes), [0, 1]],
    ['a share of what is predicted', question('confusion', { ...yes, actual: 'no' }), [0, 6 / 14]],
    ['a difference of two models', question('error', { against: 'other' }), [-7 / 14, 7 / 14]],
    ['the same of a slice', question('error', { against: 'other', slice: south }), [-3 / 5, 3 / 5]],
    ['F1, which nothing bounds better', question('f1', yes), [0, 1]],
  ])('F lies between the least and the most that answers can make of it: %s', (_, spec, [low, high]) => {
    const { range } = tablesFor(spec, strata)[0]!.question
    expect(range[0]).toBeCloseTo(low, 9)
    expect(range[1]).toBeCloseTo(high, 9)
  })

  it('F lies where it may, if there is nothing to divide by or nothing to find out', () => {
    const nobody = testStrata({ ...testFrame, slices: [{ column: 'region', values: ['north', 'south', 'west'] }] }, places)
    const west = { slice: { column: 'region', value: 'west' } }
    expect(tablesFor(question('error', west), nobody)[0]!.question.range).toEqual([0, 1])
    const alike = testStrata(testFrame, places.slice(0, 1))
    expect(tablesFor(question('error', { against: 'other' }), alike)[0]!.question.range).toEqual([-1, 1])
  })

  it('F has as many steps as whole numbers can make, unless they are many', () => {
    expect(tables('error').steps).toBe(14)
    expect(tables('accuracy', { slice: south }).steps).toBe(5)
    expect(tables('precision', yes).steps).toBe(6)
    expect(tables('error', { against: 'other' }).steps).toBe(14)
    expect([tables('recall', yes).steps, tables('f1', yes).steps]).toEqual([undefined, undefined])
    expect(tables('kappa').steps).toBeUndefined() // which does not go by whole numbers
    expect(tables('recall', { ...yes, slice: south }).steps).toBeUndefined()
    const even = [0, 1].map((predicted) => ({ predicted: [predicted, 0], slices: [1], count: 4 }))
    const rest = { predicted: [0, 0], slices: [0], count: 3 }
    expect(tablesFor(question('kappa', { slice: south }), testStrata(testFrame, [rest, ...even]))[0]!.steps).toBeUndefined()
    const many = (count: number) =>
      tablesFor(question('error'), testStrata(testFrame, [{ predicted: [0, 0], slices: [0], count }]))[0]!
    expect([many(2000).steps, many(2001).steps]).toEqual([2000, undefined])
  })
})

it('a difference of two models is one of their errors, by whichever name', () => {
  const [one, other] = [tables('difference', { against: 'other' }), tables('error', { against: 'other' })]
  for (const stratum of places.keys())
    for (const answer of ['no', 'yes']) expect(one.worth(stratum, answer)).toEqual(other.worth(stratum, answer))
  expect(one.worth(1, 'no')).toEqual({ num: -1, den: 1 })
})

it('knows what share of the points in question the model puts in each class', () => {
  // Of five points in the south, three are predicted to be no: what agrees by chance goes by that.
  const { worth } = tables('kappa', { slice: south })
  expect(worth(1, 'no')).toEqual({ num: expect.closeTo(1 - 3 / 5, 12), den: expect.closeTo(1 - 3 / 5, 12) })
  expect(worth(1, 'yes')).toEqual({ num: expect.closeTo(-2 / 5, 12), den: expect.closeTo(3 / 5, 12) })
  expect(tables('accuracy', { slice: { column: 'region', value: 'north' } }).points).toBe(9)
})

it('takes nothing to be right where nothing was predicted', () => {
  const blind = testStrata({ ...testFrame, models: [], slices: [] }, [{ count: 3 }])
  const { worth } = tablesFor(question('accuracy'), blind)[0]!
  expect(['no', 'yes'].map((answer) => worth(0, answer)!.num)).toEqual([0, 0])
})

it('a mean over classes has tables for each, over the same kinds', () => {
  const [no, more] = tablesFor(question('macro-f1'), strata)
  expect(tablesFor(question('macro-f1'), strata)).toHaveLength(2)
  const alone = ['no', 'yes'].map((positive) => tables('f1', { positive }))
  for (const [own, same] of [[no!, alone[0]!] as const, [more!, alone[1]!] as const]) {
    expect([...own.kinds]).toEqual([...no!.kinds])
    for (const stratum of places.keys())
      for (const answer of ['no', 'yes']) expect(own.worth(stratum, answer)).toEqual(same.worth(stratum, answer))
  }
})

it('what a question divides by is a question of its own, over all of its points', () => {
  const { question: asked, worth, points } = tablesOfDenominator(question('recall', { ...yes, slice: south }), strata)
  expect(points).toBe(5)
  expect([worth(1, 'yes'), worth(1, 'no'), worth(0, 'yes')]).toEqual([
    { num: 1, den: 1 },
    { num: 0, den: 1 },
    { num: 0, den: 0 },
  ])
  expect(asked.range).toEqual([0, 1])
  expect(tablesOfDenominator(question('f1', yes), strata).question.range[1]).toBeCloseTo((14 + 6) / 14, 9)
})

describe('grades', () => {
  const graded: Frame = { classes: [], models: [], slices: [], range: [1, 5] }
  const pool = testStrata(
    graded,
    [0.25, 1].map((grade) => ({ grade: gradePlace(grade), count: 3 })),
  )

  it('are worth themselves, within their range, and have no steps', () => {
    const { question: asked, steps, worth } = tablesFor(question('mean'), pool)[0]!
    expect([asked.range, steps]).toEqual([[1, 5], undefined])
    expect([worth(0, '2.5'), worth(0, ' 5 ')]).toEqual([
      { num: 2.5, den: 1 },
      { num: 5, den: 1 },
    ])
  })

  it.each(['', '  '])('nothing is no grade, though a range may begin with 0: %j', (answer) => {
    expect(() => answerOf({ ...graded, range: [0, 5] }, answer)).toThrow('answer: a number from 0 to 5 is required')
    expect([answerOf({ ...graded, range: [0, 5] }, '0'), answerOf(graded, '1')]).toEqual([0, 1])
  })

  it.each(['0.99', '5.01', '', ' ', 'good', 'NaN'])('%j is none', (answer) => {
    expect(() => answerOf(graded, answer)).toThrow(`answer: a number from 1 to 5 is required, got ${JSON.stringify(answer)}`)
  })

  it('settle questions about grades alone, and classes those about classes', () => {
    expect(() => tablesFor(question('error'), pool)).toThrow(
      'metric: one that answers can settle is required, got error of grades',
    )
    expect(() => tables('mean')).toThrow('metric: one that answers can settle is required, got mean of classes')
  })
})

it.each<[string, () => unknown, string]>([
  ['an answer', () => answerOf(testFrame, 'maybe'), 'answer: one of no, yes is required, got maybe'],
  ['a class', () => tables('recall', { positive: 'maybe' }), 'positive: one of no, yes is required, got maybe'],
  ['a second class', () => tables('confusion', { ...yes, actual: 'maybe' }), 'actual: one of no, yes is required, got maybe'],
  ['a model', () => tables('error', { against: 'new' }), 'against: one of own, other is required, got new'],
  [
    'a column',
    () => tables('error', { slice: { column: 'age', value: '7' } }),
    'slice: one of the columns region is required, got age',
  ],
  [
    'a column where there is none',
    () => tablesFor(question('error', { slice: south }), testStrata({ ...testFrame, slices: [] }, [{ predicted: [0, 0] }])),
    'slice: one of the columns (none) is required, got region',
  ],
  [
    'a value',
    () => tables('error', { slice: { column: 'region', value: 'west' } }),
    'slice: a value of region is required, got west',
  ],
])('%s that the pool does not know is refused', (_, ask, message) => {
  expect(ask).toThrow(message)
})
