import { describe, expect, it } from 'vitest'
import { uniform } from '../core/randomness.ts'
import { type AuditOffer, AuditStream } from './audit-stream.ts'
import { BatchInterval } from './batch-interval.ts'

const size = 300
const ids = Array.from({ length: size }, (_, i) => `p${i}`)
const seed = 11
const u = (id: string) => uniform(seed, 'audit-stream', id)

/** Four rounds of a run: chances and predictions that differ from round to round, and ten more points trained on in each. */
const offers = [1, 2, 3, 4].map(
  (t): AuditOffer => ({
    trained: ids.slice(0, 10 * t),
    inclusion: Float64Array.from(ids, (id) => 0.1 + 0.3 * uniform(t, 'inclusion', id)),
    predictedLosses: Float64Array.from(ids, (id) => 0.5 * uniform(t, 'predicted', id)),
  }),
)
const offerOf = (t: number) => offers[t - 1]!
const lossesOf = (t: number) => new Map(ids.map((id) => [id, uniform(t, 'loss', id) < 0.3 ? 1 : 0]))
const largest = (t: number, i: number) => Math.max(...offers.slice(0, t).map(({ inclusion }) => inclusion[i]!))

function streamAt(t: number): AuditStream {
  const stream = new AuditStream({ seed, ids })
  for (const offer of offers.slice(0, t)) stream.offer(offer)
  return stream
}

describe('the sample', () => {
  it('is every point left whose one uniform is at most the largest chance so far', () => {
    for (let t = 1; t <= 4; t++) {
      const expected = ids.flatMap((id, i) => (i >= 10 * t && u(id) <= largest(t, i) ? [{ id, probability: largest(t, i) }] : []))
      expect(streamAt(t).audited()).toMatchObject(expected)
      expect(streamAt(t).audited()).toHaveLength(expected.length)
    }
  })

  it('only grows but for those trained on, and asks about each once', () => {
    const stream = new AuditStream({ seed, ids })
    const asked: string[] = []
    for (const offer of offers) {
      const before = stream.audited().map(({ id }) => id)
      const fresh = stream.offer(offer)
      const staying = before.filter((id) => ![...offer.trained].includes(id))
      const now = stream.audited().map(({ id }) => id)
      expect(new Set(now)).toEqual(new Set([...staying, ...fresh]))
      expect(now).toHaveLength(staying.length + fresh.length)
      asked.push(...fresh)
    }
    expect(new Set(asked).size).toBe(asked.length)
    expect(asked.length).toBeGreaterThan(60)
  })

  it('never takes back a point that was trained on, told again or not', () => {
    const stream = streamAt(3)
    const offer = { ...offerOf(1), trained: [], inclusion: new Float64Array(size).fill(1) }
    stream.offer(offer)
    expect(stream.audited().map(({ id }) => id)).toEqual(ids.slice(30))
  })

  it('has a point whose chance just reaches its uniform, and asks about it once', () => {
    const stream = new AuditStream({ seed, ids: ['a'] })
    const offer = (chance: number) =>
      stream.offer({ trained: [], inclusion: Float64Array.of(chance), predictedLosses: Float64Array.of(0.5) })
    expect(offer(0.999 * u('a'))).toEqual([])
    expect(offer(u('a'))).toEqual(['a'])
    expect(stream.audited()).toHaveLength(1)
    expect(offer(1)).toEqual([])
  })

  it('does not depend on the order of the pool', () => {
    const turned = new AuditStream({ seed, ids: ids.toReversed() })
    const { inclusion, predictedLosses, trained } = offerOf(1)
    turned.offer({ trained, inclusion: inclusion.toReversed(), predictedLosses: predictedLosses.toReversed() })
    expect(turned.audited().toReversed()).toEqual(streamAt(1).audited())
  })
})

describe('the estimate', () => {
  it('is the difference estimate over the points left, with the largest chances', () => {
    const t = 3
    const { predictedLosses } = offerOf(t)
    const losses = lossesOf(t)
    let sum = 0
    for (let i = 10 * t; i < size; i++) {
      const id = ids[i]!
      sum += predictedLosses[i]!
      if (u(id) <= largest(t, i)) sum += (losses.get(id)! - predictedLosses[i]!) / largest(t, i)
    }
    const { unbiased, points, round } = streamAt(t).estimate(losses)
    expect(unbiased).toBeCloseTo(sum / (size - 10 * t), 12)
    expect([points, round]).toEqual([size - 10 * t, t])
  })

  it('has the interval of one batch, at a level that leaves δ/(t(t + 1)) for round t', () => {
    for (let t = 1; t <= 3; t++) {
      const stream = streamAt(t)
      const losses = lossesOf(t)
      const { low, high, level, answers } = stream.estimate(losses)
      expect(1 - level).toBeCloseTo(0.05 / (t * (t + 1)), 15)
      expect(answers).toBe(stream.audited().length)

      const left = [...ids.keys()].slice(10 * t)
      const g = offerOf(t).predictedLosses
      const sum = (value: (i: number) => number) => left.reduce((total, i) => total + value(i), 0)
      const expected = sum((i) => largest(t, i))
      const variance = (expected * sum((i) => (g[i]! * (1 - g[i]!)) / largest(t, i))) / left.length ** 2
      const totals = {
        expected,
        predictedLoss: sum((i) => g[i]!),
        largestDown: Math.max(...left.map((i) => g[i]! / largest(t, i))),
        largestUp: Math.max(...left.map((i) => (1 - g[i]!) / largest(t, i))),
        variance,
      }
      const tolerance = Math.sqrt((2 * Math.log(2 / (1 - level)) * variance) / expected)
      const batch = new BatchInterval({ poolSize: left.length, level, tolerance })
      const draws = stream.audited().map((point) => ({ ...point, loss: losses.get(point.id)! }))
      batch.batch(totals, batch.evidence(totals, draws))
      expect(low).toBeCloseTo(batch.interval().low, 12)
      expect(high).toBeCloseTo(batch.interval().high, 12)
      expect(high - low).toBeLessThan(0.6) // it says something
    }
  })

  it('spends 1 − level over all rounds', () => {
    const stream = new AuditStream({ seed, ids: ['a'], level: 0.9 })
    let spent = 0
    for (let t = 1; t <= 500; t++) {
      stream.offer({ trained: [], inclusion: Float64Array.of(1), predictedLosses: Float64Array.of(0.5) })
      spent += 1 - stream.estimate(new Map()).level
    }
    expect(spent).toBeCloseTo(0.1 * (1 - 1 / 501), 10)
  })

  it('narrows with every answer, whatever comes first, and "cannot tell" is no answer to it', () => {
    const stream = streamAt(2)
    const losses = lossesOf(2)
    const given = new Map<string, number | null>()
    let last = stream.estimate(given)
    expect(last.answers).toBe(0)
    for (const { id } of stream.audited().toReversed()) {
      expect(stream.estimate(new Map([...given, [id, null]]))).toMatchObject({ low: last.low, high: last.high })
      given.set(id, losses.get(id)!)
      const next = stream.estimate(given)
      expect(next.low).toBeGreaterThanOrEqual(last.low)
      expect(next.high).toBeLessThanOrEqual(last.high)
      expect(next.answers).toBe(given.size)
      last = next
    }
    expect(last).toEqual(stream.estimate(losses)) // the losses of others are not read
  })

  it('is exact where every point left is under audit', () => {
    const stream = new AuditStream({ seed, ids: ['a', 'b', 'c', 'd'] })
    const predictedLosses = Float64Array.of(0.1, 0.2, 0.9, 0.4)
    const fresh = stream.offer({ trained: ['d'], inclusion: new Float64Array(4).fill(1), predictedLosses })
    expect(fresh).toEqual(['a', 'b', 'c'])
    const { value, low, high, unbiased } = stream.estimate(new Map(Object.entries({ a: 1, b: 0, c: 1 })))
    for (const number of [value, low, high, unbiased]) expect(number).toBeCloseTo(2 / 3, 12)
  })

  it('is no more sure of a model that is sure of itself', () => {
    const stream = new AuditStream({ seed, ids })
    const predictedLosses = Float64Array.from(ids, (_, i) => i % 2)
    stream.offer({ trained: [], inclusion: new Float64Array(size).fill(0.5), predictedLosses })
    const { unbiased, low, high } = stream.estimate(new Map(ids.map((id, i) => [id, 1 - (i % 2)])))
    expect(unbiased).toBeCloseTo(0.5, 0)
    expect(low).toBeLessThan(0.5)
    expect(high).toBeGreaterThan(0.5)
  })

  it('speaks even where no point is under audit', () => {
    const id = ids.find((each) => u(each) > 0.5)!
    const stream = new AuditStream({ seed, ids: [id] })
    stream.offer({ trained: [], inclusion: Float64Array.of(0.1), predictedLosses: Float64Array.of(0.25) })
    expect(stream.estimate(new Map())).toMatchObject({ low: 0, high: 1, unbiased: 0.25, answers: 0, points: 1 })
  })
})

describe('what cannot be audited is refused:', () => {
  const fine = { trained: [], inclusion: Float64Array.of(0.5, 0.5), predictedLosses: Float64Array.of(0.1, 0.1) }
  const refused: [string, Partial<AuditOffer>, string][] = [
    ['a column too short', { inclusion: Float64Array.of(1) }, 'inclusion: one for each of 2 points is required, got 1'],
    ['a chance above 1', { inclusion: Float64Array.of(0.5, 1.5) }, 'inclusion: must be in [0, 1], got 1.5 for b'],
    ['a chance below 0', { inclusion: Float64Array.of(-0.5, 0.5) }, 'inclusion: must be in [0, 1], got -0.5 for a'],
    ['a loss below 0', { predictedLosses: Float64Array.of(0, -0.5) }, 'predictedLosses: must be in [0, 1], got -0.5 for b'],
    ['a loss above 1', { predictedLosses: Float64Array.of(1, 1.5) }, 'predictedLosses: must be in [0, 1], got 1.5 for b'],
    ['no number', { predictedLosses: Float64Array.of(Number.NaN, 0) }, 'predictedLosses: must be in [0, 1], got NaN for a'],
    ['a point without a chance', { inclusion: Float64Array.of(0.5, 0) }, 'must be above 0 for every point in the first round'],
    ['a stranger', { trained: ['z'] }, 'pool: a point named "z" is required, got none'],
    ['an empty remainder', { trained: ['a', 'b'] }, 'a point that training has not drawn is required, got none'],
  ]
  it.each(refused)('%s', (_, change, message) => {
    expect(() => new AuditStream({ seed, ids: ['a', 'b'] }).offer({ ...fine, ...change })).toThrow(message)
  })

  it('but a chance of 0 is fine later on, and so is anything said of a point trained on', () => {
    const stream = new AuditStream({ seed, ids: ['a', 'b'] })
    stream.offer(fine)
    stream.offer({ trained: ['a'], inclusion: Float64Array.of(Number.NaN, 0), predictedLosses: Float64Array.of(7, 0.3) })
    expect(stream.estimate(new Map()).points).toBe(1)
  })

  it('an estimate before any model, repeated ids, and levels that are none', () => {
    expect(() => new AuditStream({ seed, ids }).estimate(new Map())).toThrow('offer() must come first')
    expect(() => new AuditStream({ seed, ids: ['a', 'a'] })).toThrow('pool: ids must be unique, got 1 repeated')
    for (const level of [0, 1])
      expect(() => new AuditStream({ seed, ids, level })).toThrow(`level: must be in (0, 1), got ${level}`)
  })
})
