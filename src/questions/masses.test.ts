import { describe, expect, it } from 'vitest'
import { testStrata } from '../../test/questions/test-pool.ts'
import { doubtPlace } from '../core/strata.ts'
import { beliefsOf } from './beliefs.ts'
import type { Frame } from './frame.ts'
import { massesOf, type OpenQuestion, raceGroups, spreadRule } from './masses.ts'
import { question } from './spec.ts'
import { tablesFor } from './tables.ts'

const frame: Frame = { classes: ['a', 'b'], models: ['own', 'other'], slices: [{ column: 'region', values: ['north', 'south'] }] }
const strata = testStrata(
  frame,
  [0, 1].flatMap((predicted) =>
    [0.1, 0.3].flatMap((chance) =>
      [0, 1].map((slice) => ({ predicted: [predicted, 0], doubt: doubtPlace(chance), slices: [slice], count: 2 + predicted })),
    ),
  ),
)
const left = Float64Array.of(4, 0, 2, 7, 1, 3, 5, 6)
const beliefs = beliefsOf({ kind: 'line', intercept: 0, slope: 1 }, strata)
const error = tablesFor(question('error'), strata)[0]!
const recall = tablesFor(question('recall', { positive: 'b' }), strata)[0]!
const precision = tablesFor(question('precision', { positive: 'b' }), strata)[0]!
const south = tablesFor(question('error', { slice: { column: 'region', value: 'south' } }), strata)[0]!

/** √Var(num − F den), by what is believed of both answers. */
function deviation({ tables, centre }: OpenQuestion, stratum: number): number {
  const chances = beliefs.probabilities(strata.profiles[stratum]!)
  const values = tables.question.kinds[tables.kinds[stratum]!]!.map(({ num, den }) => num - centre * den)
  const mean = values.reduce((sum, value, y) => sum + chances[y]! * value, 0)
  return Math.sqrt(values.reduce((sum, value, y) => sum + chances[y]! * (value - mean) ** 2, 0))
}

const open = (tables: OpenQuestion['tables'], changes: Partial<OpenQuestion> = {}): OpenQuestion => ({
  ...{ tables, centre: 0.3, denominator: 20, tolerance: 0.1 },
  ...changes,
})

describe('masses that go where answers say most', () => {
  it.each<[string, readonly OpenQuestion[]]>([
    ['one question', [open(error)]],
    ['a ratio', [open(recall, { centre: 0.8 })]],
    ['two, of which one is wanted more closely', [open(error, { tolerance: 0.05 }), open(recall, { denominator: 5 })]],
    ['one that does not depend on every point', [open(precision)]],
    ['one of a slice and one of all', [open(south, { denominator: 7 }), open(precision)]],
  ])('are the spread of what is asked, and a share that is even: %s', (_, asked) => {
    const rule = spreadRule(asked, strata, left, beliefs)
    const tables = asked.map((each) => each.tables)
    const masses = massesOf(rule, tables, strata, left, beliefs)
    const isIn = (k: number) => tables.some(({ kinds, relevant }) => relevant[kinds[k]!])
    const spread = (k: number) => Math.hypot(...asked.map((each) => deviation(each, k) / (each.denominator * each.tolerance)))
    const ones = strata.list.map((_, k) => k).filter(isIn)
    const points = ones.reduce((sum, k) => sum + left[k]!, 0)
    const mean = ones.reduce((sum, k) => sum + left[k]! * spread(k), 0) / points
    for (const k of strata.list.keys()) expect(masses[k]).toBeCloseTo(isIn(k) ? (0.6 * spread(k)) / mean + 0.4 : 0, 12)
    expect(ones.reduce((sum, k) => sum + left[k]! * masses[k]!, 0)).toBeCloseTo(points, 9) // 1 on average
  })

  it('never take F to be at an end of its range, nor a denominator to be less than one point', () => {
    const rule = (changes: Partial<OpenQuestion>) => spreadRule([open(recall, changes)], strata, left, beliefs)
    expect(rule({ centre: 0 })).toMatchObject({ floor: 0.4, parts: [{ centre: 0.05, scale: 1 / (20 * 0.1) }] })
    expect(rule({ centre: 1 })).toMatchObject({ parts: [{ centre: 0.95 }] })
    expect(rule({ denominator: 0.2 })).toMatchObject({ parts: [{ scale: 10 }] })
    const other = tablesFor(question('error', { against: 'other' }), strata)[0]!
    const [least, most] = other.question.range
    expect(most - least).toBeCloseTo(2 * (12 / 20), 9)
    expect(spreadRule([open(other, { centre: -1 })], strata, left, beliefs)).toMatchObject({
      parts: [{ centre: expect.closeTo(least + 0.05 * (most - least), 12) }],
    })
  })

  it('are even where nothing is left that matters, or all of it is known', () => {
    const none = new Float64Array(8)
    const rule = spreadRule([open(precision)], strata, none, beliefs)
    expect(rule).toMatchObject({ mean: 0 })
    expect([...massesOf(rule, [precision], strata, none, beliefs)]).toEqual([0, 0, 0, 0, 1, 1, 1, 1])
  })
})

it('masses are alike for all points, or for all that matter', () => {
  expect([...massesOf({ kind: 'uniform' }, [precision], strata, left, beliefs)]).toEqual(new Array(8).fill(1))
  expect([...massesOf({ kind: 'equal' }, [precision], strata, left, beliefs)]).toEqual([0, 0, 0, 0, 1, 1, 1, 1])
  expect([...massesOf({ kind: 'equal' }, [precision, south], strata, left, beliefs)]).toEqual([0, 1, 0, 1, 1, 1, 1, 1])
})

it('a race sees of the points that are left what is predicted and believed of them', () => {
  const groups = raceGroups(strata, left, beliefs)
  expect(groups.map(({ count }) => count)).toEqual([...left])
  expect(groups[5]).toEqual({ predicted: [1, 0], probabilities: beliefs.probabilities(2), count: 3 })
})
