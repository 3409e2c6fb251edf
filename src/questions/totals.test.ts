import { expect, it } from 'vitest'
import { testStrata } from '../../test/questions/test-pool.ts'
import { type QuestionTotals, totalsOver } from '../certificates/question.ts'
import { uniform } from '../core/randomness.ts'
import { doubtPlace } from '../core/strata.ts'
import { beliefsOf } from './beliefs.ts'
import type { Frame } from './frame.ts'
import { question } from './spec.ts'
import { tablesFor } from './tables.ts'
import { totalsOf } from './totals.ts'

const frame: Frame = {
  classes: ['a', 'b'],
  models: ['own', 'other'],
  slices: [{ column: 'region', values: ['north', 'south', 'west'] }],
}
const places = [0, 1].flatMap((predicted) =>
  [0.1, 0.4].flatMap((chance) =>
    [0, 1, 2].map((slice) => ({ predicted: [predicted, slice % 2], doubt: doubtPlace(chance), slices: [slice] })),
  ),
)
const strata = testStrata(frame, places)
const beliefs = beliefsOf({ kind: 'line', intercept: 0.3, slope: 0.8 }, strata)
const left = Float64Array.from(places, (_, k) => (k === 4 ? 0 : 1 + ((5 * k) % 7)))
const masses = Float64Array.from(places, (_, k) => (k === 4 ? 0 : 0.3 + uniform(1, 'mass', `${k}`)))

const specs = [
  question('error'),
  question('f1', { positive: 'b' }),
  question('recall', { positive: 'b' }),
  question('error', { against: 'other' }),
  question('recall', { positive: 'b', against: 'other' }),
  question('recall', { positive: 'a', slice: { column: 'region', value: 'south' } }),
]

it.each(specs)('the totals of a round are sums over every point that is left: $metric of $positive', (spec) => {
  const tables = tablesFor(spec, strata)[0]!
  const over = totalsOver(tables.question)
  for (const [k, count] of left.entries()) {
    const kind = tables.kinds[k]!
    if (count > 0) over.add(kind, masses[k]!, beliefs.moments(strata.profiles[k]!, tables.question.kinds[kind]!), count)
  }
  const [made, wanted] = [totalsOf(tables, strata, { left, masses, beliefs }), over.totals()]
  for (const name of Object.keys(wanted) as (keyof QuestionTotals)[])
    for (const [j, value] of [wanted[name]].flat().entries())
      expect(Number([made[name]].flat()[j]), name).toBeCloseTo(Number(value), 10)
  expect(Object.keys(made).sort()).toEqual(Object.keys(wanted).sort())
})

it('do not cover the question where a point that matters has no mass, however much others of its kind have', () => {
  const isCovered = (spec: (typeof specs)[number], without: number) => {
    const own = masses.map((mass, k) => (k === without ? 0 : mass))
    const { isCovered, num, den } = totalsOf(tablesFor(spec, strata)[0]!, strata, { left, masses: own, beliefs })
    const all = totalsOf(tablesFor(spec, strata)[0]!, strata, { left, masses, beliefs })
    expect([num, den]).toEqual([all.num, all.den])
    return isCovered
  }
  const precision = question('precision', { positive: 'b' })
  expect([0, 5, 7, 11].map((k) => isCovered(precision, k))).toEqual([true, true, false, false]) // it depends on what is predicted to be b
  expect([4, 0, 11].map((k) => isCovered(question('error'), k))).toEqual([true, false, false]) // of one stratum nothing is left
})
