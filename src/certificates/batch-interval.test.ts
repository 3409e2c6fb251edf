import { describe, expect, it } from 'vitest'
import golden from '../../test/golden/intervals.golden.json' with { type: 'json' }
import { inclusionProbabilities } from '../designs/inclusion.ts'
import { withFloor } from '../masses/with-floor.ts'
import { type BatchDraw, BatchInterval } from './batch-interval.ts'

const near = (got: number, expected: number) =>
  expect(Math.abs(got - expected)).toBeLessThanOrEqual(1e-9 * Math.max(1, Math.abs(expected)))

describe('the golden rounds', () => {
  const n = 400
  const points = Array.from({ length: n }, (_, i) => {
    const g = 0.01 + 0.44 * (i % 20 === 0 ? 1 : 0)
    return { i, g, loss: i % 40 === 0 || i % 97 === 0 ? 1 : 0 }
  })
  const masses = withFloor(
    Float64Array.from(points, ({ g }) => Math.sqrt(g * (1 - g))),
    0.4,
  )
  const { s0, rows, A_plus, A_minus, B_plus, B_minus } = golden.poisson_cs

  /** Six rounds of forty expected, each split over `shards` parts. */
  function play(shards: number): BatchInterval {
    const interval = new BatchInterval({ poolSize: n })
    let left = points
    let seen = 0
    for (const [t, [count, low, high]] of (rows as [number, number, number][]).entries()) {
      const pi = inclusionProbabilities(
        Float64Array.from(left, ({ i }) => masses[i]!),
        40,
      )
      const isDrawn = left.map(({ i }, k) => ((i + 1) * 0.6180339887498949 * (t + 1)) % 1 < pi[k]!)
      const totals = {
        expected: 40,
        predictedLoss: left.reduce((sum, { g }) => sum + g, 0),
        largestDown: Math.max(...left.map(({ g }, k) => g / pi[k]!)),
        largestUp: Math.max(...left.map(({ g }, k) => (1 - g) / pi[k]!)),
        variance: s0,
      }
      const draws = left.flatMap(({ g, loss }, k): BatchDraw[] =>
        isDrawn[k] ? [{ loss, predictedLoss: g, probability: pi[k]! }] : [],
      )
      expect(draws).toHaveLength(count)
      const parts = Array.from({ length: shards }, (_, s) => draws.filter((_, k) => k % shards === s))
      interval.batch(totals, ...parts.map((part) => interval.evidence(totals, part)))
      seen += draws.reduce((sum, { loss }) => sum + loss!, 0)
      near(interval.interval().low, Math.max(low, seen / n)) // the file leaves out what is certain anyway
      near(interval.interval().high, high)
      left = left.filter((_, k) => !isDrawn[k])
    }
    return interval
  }

  it('have the golden state and limits', () => {
    const { lower, upper } = play(1).lines()
    for (const [d, { offset, slope }] of lower.entries()) {
      near(offset, A_plus[d]!)
      near(slope, B_plus[d]!)
    }
    for (const [d, { offset, slope }] of upper.entries()) {
      near(offset, A_minus[d]!)
      near(slope, B_minus[d]!)
    }
  })

  it('are the same when shards add up their parts', () => {
    expect(play(3).interval().answers).toBe(play(1).interval().answers)
  })
})

it('the e-value of a round has the golden expectation, at most 1, over all outcomes', () => {
  const { l, g, pi, evalue } = golden.poisson_enum
  const total = l.reduce((a, b) => a + b, 0)
  const predicted = g.reduce((a, b) => a + b, 0)
  for (const [c, expected] of Object.entries(evalue)) {
    let mean = 0
    for (let bits = 0; bits < 32; bits++) {
      const chance = pi.reduce((product, p, i) => product * (bits & (1 << i) ? p : 1 - p), 1)
      const product = l.reduce((value, loss, i) => value * (bits & (1 << i) ? 1 + (Number(c) * (loss - g[i]!)) / pi[i]! : 1), 1)
      mean += chance * product * Math.exp(-Number(c) * (total - predicted))
    }
    near(mean, expected)
    expect(mean).toBeLessThanOrEqual(1)
  }
})

it('both limits stay on their side of "cannot tell"', () => {
  const totals = { expected: 2, predictedLoss: 1, largestDown: 0.5, largestUp: 0.5, variance: 0.1 }
  const interval = new BatchInterval({ poolSize: 4 })
  const draws = [null, 0, null].map((loss) => ({ loss, predictedLoss: 0.25, probability: 0.5 }))
  interval.batch(totals, interval.evidence(totals, draws))
  expect(interval.interval().low).toBeLessThanOrEqual(0)
  expect(interval.interval().high).toBeLessThanOrEqual(3 / 4) // one answer is known to be right
})
