import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { leastOf, type Metric, metricNames, metrics } from './catalogue.ts'
import type { Judged } from './metric.ts'

const bit = fc.constantFrom(0, 1)
const judged = fc.record<Judged>({ wrong: bit, otherWrong: bit, predicted: bit, positive: bit })
const pools = fc.array(judged, { minLength: 1, maxLength: 30 })

/** Points of which something is true. */
const count = (pool: readonly Judged[], isTrue: (point: Judged) => unknown) => pool.filter(isTrue).length
const found = (pool: readonly Judged[]) => count(pool, ({ predicted, positive }) => predicted && positive)
const falselyFound = (pool: readonly Judged[]) => count(pool, ({ predicted, positive }) => predicted && !positive)
const missed = (pool: readonly Judged[]) => count(pool, ({ predicted, positive }) => !predicted && positive)

/** As textbooks have them; NaN where there is nothing to divide by. */
const textbook: Record<Metric, (pool: readonly Judged[]) => number> = {
  error: (pool) => count(pool, ({ wrong }) => wrong) / pool.length,
  accuracy: (pool) => count(pool, ({ wrong }) => !wrong) / pool.length,
  prevalence: (pool) => count(pool, ({ positive }) => positive) / pool.length,
  precision: (pool) => found(pool) / (found(pool) + falselyFound(pool)),
  recall: (pool) => found(pool) / (found(pool) + missed(pool)),
  f1: (pool) => (2 * found(pool)) / (2 * found(pool) + falselyFound(pool) + missed(pool)),
  difference: (pool) => (count(pool, ({ wrong }) => wrong) - count(pool, ({ otherWrong }) => otherWrong)) / pool.length,
}

describe.each(metricNames)('%s', (name) => {
  const { num, den = () => 1, needs, claim, scale, ofWhat } = metrics[name]
  const sum = (pool: readonly Judged[], value: (point: Judged) => number) =>
    pool.reduce((total, point) => total + value(point), 0)

  it('is what textbooks say, and never less than its least value', () => {
    fc.assert(
      fc.property(pools, (pool) => {
        const [measured, expected] = [sum(pool, num) / sum(pool, den), textbook[name](pool)]
        if (Number.isNaN(expected)) expect(measured).toBeNaN()
        else expect(measured).toBeCloseTo(expected, 12)
        expect(measured).not.toBeLessThan(leastOf(name))
      }),
    )
  })

  it('goes by what it needs and by nothing else', () => {
    const isRead = { class: ['predicted', 'positive'], 'other model': ['wrong', 'otherWrong'], nothing: ['wrong'] }[
      needs ?? 'nothing'
    ]
    const read = new Set<string>()
    const watched = new Proxy({} as Judged, { get: (_, key) => read.add(String(key)) && 1 })
    num(watched)
    den(watched)
    expect(isRead).toEqual(expect.arrayContaining([...read]))
    expect(read.size).toBeGreaterThan(0)
  })

  it('names the class in what it says, if there is one', () => {
    const said = [
      claim({ points: '1,000', positive: 'spam' }).join('…'),
      scale('spam'),
      ofWhat?.('the predictions', 'spam') ?? 'spam',
    ]
    for (const words of said) expect(words.includes('spam') || needs !== 'class').toBe(true)
    expect(scale(undefined).includes('undefined')).toBe(needs === 'class')
  })
})

const kinds = [0, 1].flatMap((outcome) =>
  [0, 1].flatMap((other) => [0, 1].map((predicted) => ({ wrong: outcome, otherWrong: other, predicted, positive: outcome }))),
)

it.each(metricNames.filter((name) => !metrics[name].den))('%s, a mean, has values between its ends', (name) => {
  const values = kinds.map((kind) => metrics[name].num(kind))
  expect([Math.min(...values), Math.max(...values)]).toEqual((metrics[name].ends ?? [0, 1]).toSorted())
})

it.each(metricNames.filter((name) => metrics[name].den))('%s, a ratio, is one that limits can be computed for', (name) => {
  const { num, den } = metrics[name]
  const share = den!({ predicted: 1, positive: 0, wrong: 1, otherWrong: 1 })
  for (const kind of kinds) {
    expect(num(kind)).toBe(kind.predicted * kind.positive)
    expect(den!(kind)).toBe(share * kind.predicted + (1 - share) * kind.positive)
  }
})
