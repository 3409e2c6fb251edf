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

describe('bets for a tolerance', () => {
  const totals = { expected: 10, predictedLoss: 5, largestDown: 0.5, largestUp: 20, variance: 0.2 }
  const draws = [{ loss: 1, predictedLoss: 0.3, probability: 0.4 }]
  const made = () => new BatchInterval({ poolSize: 100, level: 0.9, tolerance: 0.1 })

  it('are half of it, it and twice it over the variance, and at most what a draw can take', () => {
    const interval = made()
    interval.batch(totals, interval.evidence(totals, draws))
    interval.batch({ ...totals, predictedLoss: 4 })
    const { lower, upper } = interval.lines()
    for (const [d, times] of [0.5, 1, 2].entries()) {
      const c = ((times * 0.1) / 0.2) * (10 / 100)
      near(lower[d]!.offset, Math.log1p((c * 0.7) / 0.4) + c * 5 + c * (1 + 4))
      near(lower[d]!.slope, 2 * c * 100)
      const most = Math.min(c, 0.9 / 20)
      near(upper[d]!.offset, Math.log1p((-most * 0.7) / 0.4) - most * 5 - most * (1 + 4))
      near(upper[d]!.slope, -2 * most * 100)
    }
  })

  it('are at most what a draw can take on its own side', () => {
    const interval = made()
    const mirrored = { ...totals, largestDown: 20, largestUp: 0.5 }
    interval.batch(mirrored, interval.evidence(mirrored, draws))
    const { lower, upper } = interval.lines()
    for (const [d, times] of [0.5, 1, 2].entries()) {
      const c = ((times * 0.1) / 0.2) * (10 / 100)
      near(lower[d]!.slope, Math.min(c, 0.9 / 20) * 100)
      near(upper[d]!.slope, -c * 100)
    }
  })

  it('rest on a variance that is predicted, and put right by what was seen', () => {
    const interval = made()
    near(interval.expectedVariance(0.3), 0.3)
    interval.batch(totals, interval.evidence(totals, draws))
    near(interval.expectedVariance(0.3), (20 * 0.3 + (10 * (0.7 / 0.4)) ** 2 / 100 ** 2) / (20 + 10))
  })

  it('leave the estimate unbiased: what was seen, what is predicted of the rest, and the surprises', () => {
    const interval = made()
    expect(interval.interval()).toEqual({ value: 0.5, low: 0, high: 1, level: 0.9, answers: 0 })
    interval.batch(totals, interval.evidence(totals, draws))
    const first = (5 + 0.7 / 0.4) / 100
    near(interval.interval().value, first)
    const more = { ...totals, expected: 30, predictedLoss: 6 }
    interval.batch(more, interval.evidence(more, [{ loss: null, predictedLoss: 0.1, probability: 0.5 }]))
    near(interval.interval().value, (10 * first + (30 * (1 + 6 + 0.4 / 0.5)) / 100) / 40)
    expect(interval.interval().answers).toBe(2)
    interval.batch(totals)
    near(interval.interval().value, (10 * first + (30 * (1 + 6 + 0.4 / 0.5)) / 100 + (10 * (1.5 + 5)) / 100) / 50)
  })

  it('put either limit where what is owned against it is worth 2/(1 − level)', () => {
    const round = { expected: 100, predictedLoss: 300, largestDown: 3, largestUp: 7, variance: 2.5 }
    const interval = new BatchInterval({ poolSize: 1000, level: 0.9, tolerance: 0.4 })
    const half = Array.from({ length: 100 }, (_, i) => ({ loss: i % 2, predictedLoss: 0.3, probability: 0.1 }))
    interval.batch(round, interval.evidence(round, half))
    const { low, high } = interval.interval()
    const { lower, upper } = interval.lines()
    const ownedAt = (lines: typeof lower, m: number) =>
      lines.reduce((sum, { offset, slope }) => sum + Math.exp(offset - slope * m), 0) / lines.length
    expect(low).toBeGreaterThan(0.2)
    expect(high).toBeLessThan(0.8)
    expect(ownedAt(lower, low)).toBeCloseTo(20, 6)
    expect(ownedAt(upper, high)).toBeCloseTo(20, 6)
  })

  it('and anything else is refused that is none', () => {
    for (const poolSize of [0, 2.5, -1])
      expect(() => new BatchInterval({ poolSize })).toThrow(`poolSize: must be a whole number above 0, got ${poolSize}`)
    for (const level of [0, 1]) expect(() => new BatchInterval({ poolSize: 1, level })).toThrow('level: must be in (0, 1)')
    for (const loss of [-0.1, 1.1, Number.NaN])
      expect(() => made().evidence(totals, [{ loss, predictedLoss: 0.5, probability: 0.5 }])).toThrow(
        `batch: loss must be in [0, 1] or null, got ${loss}`,
      )
    for (const loss of [0, 1, null])
      expect(made().evidence(totals, [{ loss, predictedLoss: 0.5, probability: 0.5 }]).answers).toBe(1)
  })
})
