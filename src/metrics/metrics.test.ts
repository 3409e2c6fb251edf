import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ceilingMetrics, leastOf, type Metric, metricNames, metrics, needsClass, rangeOf } from './catalogue.ts'
import type { Known, MetricContext, WorthOf } from './metric.ts'

/** A point with its answer; a class is its place. */
interface Point extends Known {
  readonly answer: number
}

const classes = [0, 1, 2, 3] // the last is often never predicted
const [positive, actual] = [1, 2]
const place = fc.constantFrom(...classes)
const points = fc.record<Point>({ predicted: fc.constantFrom(0, 1, 2), other: place, answer: place })
const pools = fc.array(points, { minLength: 1, maxLength: 40 })

type Pool = readonly Point[]
const count = (pool: Pool, isTrue: (point: Point) => boolean) => pool.filter(isTrue).length
const share = (pool: Pool, isTrue: (point: Point) => boolean) => count(pool, isTrue) / pool.length
const meanOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length

const truePositives = (pool: Pool, c = positive) => count(pool, ({ predicted, answer }) => predicted === c && answer === c)
const falsePositives = (pool: Pool, c = positive) => count(pool, ({ predicted, answer }) => predicted === c && answer !== c)
const falseNegatives = (pool: Pool, c = positive) => count(pool, ({ predicted, answer }) => predicted !== c && answer === c)
const trueNegatives = (pool: Pool, c = positive) => count(pool, ({ predicted, answer }) => predicted !== c && answer !== c)

const recall = (pool: Pool, c = positive) => truePositives(pool, c) / (truePositives(pool, c) + falseNegatives(pool, c))
const precision = (pool: Pool) => truePositives(pool) / (truePositives(pool) + falsePositives(pool))
const f1 = (pool: Pool, c = positive) =>
  truePositives(pool, c) / (truePositives(pool, c) + (falsePositives(pool, c) + falseNegatives(pool, c)) / 2)
const error = (pool: Pool) => share(pool, ({ predicted, answer }) => predicted !== answer)

/** (pₒ − pₑ)/(1 − pₑ) by the table of predictions and answers. */
function kappa(pool: Pool): number {
  const table = classes.map((j) => classes.map((k) => share(pool, ({ predicted, answer }) => predicted === j && answer === k)))
  const observed = classes.reduce((sum, k) => sum + table[k]![k]!, 0)
  const rows = table.map((row) => row.reduce((sum, cell) => sum + cell, 0))
  const columns = classes.map((k) => table.reduce((sum, row) => sum + row[k]!, 0))
  const expected = classes.reduce((sum, k) => sum + rows[k]! * columns[k]!, 0)
  return (observed - expected) / (1 - expected)
}

/** As textbooks have them; NaN where there is nothing to divide by. */
const textbook: Record<Metric, (pool: Pool) => number> = {
  error,
  accuracy: (pool) => 1 - error(pool),
  'balanced-accuracy': (pool) => meanOf(classes.map((c) => recall(pool, c))),
  precision,
  recall,
  f1,
  'macro-f1': (pool) => meanOf(classes.map((c) => f1(pool, c))),
  prevalence: (pool) => share(pool, ({ answer }) => answer === positive),
  confusion: (pool) => share(pool, ({ predicted, answer }) => predicted === positive && answer === actual),
  kappa,
  tpr: recall,
  tnr: (pool) => trueNegatives(pool) / (trueNegatives(pool) + falsePositives(pool)),
  mean: (pool) => meanOf(pool.map(({ answer }) => answer)),
  difference: (pool) => error(pool) - error(ofOther(pool)),
}

/** The pool as the other model has it. */
const ofOther = (pool: Pool) => pool.map((point) => ({ ...point, predicted: point.other }))

const contextOf = (pool: Pool): MetricContext => ({
  positive,
  actual,
  shares: classes.map((c) => share(pool, ({ predicted }) => predicted === c)),
  range: [0, 3],
})

/** Σ num / Σ den */
function ratio(pool: Pool, worth: WorthOf, context: MetricContext): number {
  const worths = pool.map(({ answer, ...known }) => worth(known, answer, context))
  const [num, den] = (['num', 'den'] as const).map((part) => worths.reduce((sum, each) => sum + each[part], 0)) as [
    number,
    number,
  ]
  return Math.abs(den) < 1e-12 ? Number.NaN : num / den // kappa subtracts shares
}

function measured(name: Metric, pool: Pool): number {
  const { worth, meanOver } = metrics[name]
  const context = contextOf(pool)
  return meanOver ? meanOf(classes.map((c) => ratio(pool, worth, { ...context, positive: c }))) : ratio(pool, worth, context)
}

function expectSame(value: number, expected: number): void {
  if (Number.isNaN(expected)) expect(value).toBeNaN()
  else expect(Math.abs(value - expected)).toBeLessThan(1e-12)
}

describe.each(metricNames)('%s', (name) => {
  const { worth, needs, meanOver, difference } = metrics[name]

  it('is what textbooks say, and lies in its range', () => {
    fc.assert(
      fc.property(pools, (pool) => {
        const value = measured(name, pool)
        expectSame(value, textbook[name](pool))
        const [least, most] = rangeOf(name, contextOf(pool))
        if (!Number.isNaN(value)) expect(value).toBeGreaterThanOrEqual(least - 1e-12)
        if (!Number.isNaN(value)) expect(value).toBeLessThanOrEqual(most + 1e-12)
        expect(value).not.toBeLessThan(leastOf(name) - 1e-12)
      }),
      { numRuns: 300 },
    )
  })

  it('never adds to the denominator less than nothing', () => {
    fc.assert(fc.property(pools, points, (pool, { answer, ...known }) => worth(known, answer, contextOf(pool)).den >= 0))
  })

  it('goes by what it needs and by nothing else', () => {
    const read = new Set<string>()
    const watched = <T extends object>(object: T) =>
      new Proxy(object, { get: (target, key) => read.add(String(key)) && Reflect.get(target, key) })
    worth(watched({ predicted: 1, other: 2 }), 1, watched(contextOf([{ predicted: 1, other: 2, answer: 0 }])))
    expect(read.has('positive')).toBe(needs === 'class' || needs === 'two classes' || meanOver !== undefined)
    expect(read.has('actual')).toBe(needs === 'two classes')
    expect(read.has('other')).toBe(needs === 'other model')
  })

  it('is compared with another model where that is a ratio of sums, too', () => {
    fc.assert(
      fc.property(pools, (pool) => {
        if (!difference) return
        expectSame(ratio(pool, difference, contextOf(pool)), textbook[name](pool) - textbook[name](ofOther(pool)))
      }),
    )
  })

  it('names the classes in what it says, if there are any', () => {
    const { claim, pageClaim = claim, scale, ofWhat, label } = metrics[name]
    const subject = { points: '1,000', positive: 'spam', actual: 'ham' }
    const said = [
      claim(subject).join('…'),
      pageClaim(subject).join('…'),
      scale('spam', 'ham'),
      ofWhat ? ofWhat('the predictions', 'spam', 'ham') : 'spam, ham',
      label ? label('spam', 'ham') : 'spam, ham',
    ]
    for (const words of said) expect(words).toMatch(/[a-z]{4}/)
    const named = needs === 'class' ? ['spam'] : needs === 'two classes' ? ['spam', 'ham'] : []
    for (const words of said) for (const each of named) expect(words).toContain(each)
    expect(scale(undefined).includes('undefined')).toBe(named.length > 0)
  })
})

it('who needs a class, where grades lie and what can be asked to be below a value follow from the definitions', () => {
  expect(metricNames.filter(needsClass)).toEqual(['precision', 'recall', 'f1', 'prevalence', 'tpr', 'tnr'])
  expect(ceilingMetrics).toEqual(['error', 'prevalence', 'difference'])
  expect([rangeOf('mean', { range: [1, 5] }), rangeOf('kappa', { range: [1, 5] })]).toEqual([[1, 5], [-1, 1]]) // biome-ignore format: pairs
  expect([leastOf('error'), leastOf('difference'), leastOf('mean')]).toEqual([0, -1, Number.NEGATIVE_INFINITY])
})

it('differences are there where they are sums, and lie between -1 and 1', () => {
  const compared = metricNames.filter((name) => metrics[name].difference)
  expect(compared.toSorted()).toEqual(['accuracy', 'error', 'recall', 'tnr', 'tpr'])
  fc.assert(
    fc.property(pools, fc.constantFrom(...compared), (pool, name) => {
      const value = ratio(pool, metrics[name].difference!, contextOf(pool))
      return Number.isNaN(value) || Math.abs(value) <= 1
    }),
  )
})

it('kappa is (pₒ − pₑ)/(1 − pₑ) on tables of thousands of points', () => {
  const tables = fc.array(fc.array(fc.nat(2000), { minLength: 4, maxLength: 4 }), { minLength: 4, maxLength: 4 })
  fc.assert(
    fc.property(tables, (table) => {
      const cells = table.flatMap((row, predicted) => row.map((points, answer) => ({ predicted, answer, points })))
      const total = (some: typeof cells) => some.reduce((sum, { points }) => sum + points, 0)
      const all = total(cells)
      const shares = classes.map((c) => total(cells.filter(({ predicted }) => predicted === c)) / all)
      const answers = classes.map((c) => total(cells.filter(({ answer }) => answer === c)) / all)
      const observed = total(cells.filter(({ predicted, answer }) => predicted === answer)) / all
      const expected = classes.reduce((sum, c) => sum + shares[c]! * answers[c]!, 0)
      fc.pre(expected < 1)
      let [num, den] = [0, 0]
      for (const { predicted, answer, points } of cells) {
        const worth = metrics.kappa.worth({ predicted, other: predicted }, answer, { positive: -1, shares, range: [0, 1] })
        num += points * worth.num
        den += points * worth.den
      }
      expectSame(num / den, (observed - expected) / (1 - expected))
    }),
  )
})
