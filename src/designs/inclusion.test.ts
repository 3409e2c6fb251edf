import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { scaleFromLargest } from '../core/inclusion-scale.ts'
import { uniform } from '../core/randomness.ts'
import { inclusionProbabilities, inclusionScale, type Tally, tally } from './inclusion.ts'

const skewed = Float64Array.of(10, 5, 1, 1, 1, 1, 1)

it('caps large masses at 1 and shares the rest', () => {
  const pi = inclusionProbabilities(skewed, 3)
  const expected = [1, 1, 0.2, 0.2, 0.2, 0.2, 0.2]
  for (const [i, p] of pi.entries()) expect(p).toBeCloseTo(expected[i]!, 12)
})

it('keeps a floor', () => {
  const pi = inclusionProbabilities(skewed, 3, { floor: 0.3 })
  const expected = [1, 0.5, 0.3, 0.3, 0.3, 0.3, 0.3]
  for (const [i, p] of pi.entries()) expect(p).toBeCloseTo(expected[i]!, 12)
})

it('finds the scale from the largest masses and the sum of the others alone', () => {
  expect(scaleFromLargest([10, 5, 1], 4, 3)).toBeCloseTo(0.2, 12)
})

it('includes everything when everything is asked for', () => {
  expect([...inclusionProbabilities(skewed, 7)]).toEqual([1, 1, 1, 1, 1, 1, 1])
})

it('never includes a point of mass 0, and says so when too many are asked for', () => {
  expect([...inclusionProbabilities(Float64Array.of(0, 1, 1), 1)]).toEqual([0, 0.5, 0.5])
  expect(() => inclusionProbabilities(Float64Array.of(0, 1, 1), 3)).toThrow(
    'inclusionProbabilities: expected must lie between 0 and 2, got 3',
  )
})

it('a floor holds points of mass 0 too, and asks for room', () => {
  expect([...inclusionProbabilities(Float64Array.of(0, 1), 2, { floor: 0.1 })]).toEqual([1, 1])
  const [low, high] = inclusionProbabilities(Float64Array.of(0, 1), 0.5, { floor: 0.1 })
  expect(low).toBe(0.1)
  expect(high).toBeCloseTo(0.4, 12)
  expect(() => inclusionProbabilities(Float64Array.of(0, 1), 0.1, { floor: 0.1 })).toThrow(
    'expected must lie between 0.2 and 2, got 0.1',
  )
})

describe('on any masses', () => {
  const cases = fc
    .array(fc.double({ min: 1e-6, max: 1e6, noNaN: true }), { minLength: 2, maxLength: 80 })
    .chain((masses) => fc.tuple(fc.constant(Float64Array.from(masses)), fc.double({ min: 0.01, max: 0.99, noNaN: true })))

  it('sums to the expected number, within [0, 1], and is optimal: equal marginal gain wherever no limit binds', () => {
    fc.assert(
      fc.property(cases, ([masses, share]) => {
        const expected = share * masses.length
        const pi = inclusionProbabilities(masses, expected)
        expect(pi.reduce((a, b) => a + b, 0)).toBeCloseTo(expected, 7)
        const ratios = [...pi].map((p, i) => p / masses[i]!).filter((_, i) => pi[i]! < 1)
        for (const ratio of ratios) expect(ratio).toBeCloseTo(ratios[0]!, 12 - Math.log10(ratios[0]!))
        for (const p of pi) expect(p > 0 && p <= 1).toBe(true)
      }),
    )
  })

  it('the one-pass scale agrees with the search', () => {
    fc.assert(
      fc.property(cases, ([masses, share]) => {
        const expected = share * masses.length
        const sorted = [...masses].sort((a, b) => b - a)
        const m = Math.ceil(expected)
        const others = sorted.slice(m).reduce((a, b) => a + b, 0)
        const scale = scaleFromLargest(sorted.slice(0, m), others, expected)
        const pi = inclusionProbabilities(masses, expected)
        for (const [i, p] of pi.entries()) expect(Math.min(1, scale * masses[i]!)).toBeCloseTo(p, 9)
      }),
    )
  })
})

it('the search needs few passes and works on shards that only add up tallies', () => {
  let worst = 0
  for (let instance = 0; instance < 300; instance++) {
    const masses = Float64Array.from({ length: 300 }, (_, i) => uniform(instance, 'mass', `${i}`) ** -1.5)
    const floor = 0.02 + 0.1 * uniform(instance, 'floor', '')
    const expected = 300 * (floor + (1 - floor) * 0.5 * uniform(instance, 'expected', ''))
    const shards = [masses.subarray(0, 70), masses.subarray(70, 220), masses.subarray(220)]
    const search = inclusionScale({ expected, floor, total: masses.reduce((a, b) => a + b, 0) })
    let passes = 0
    let step = search.next()
    for (; !step.done; passes++) {
      const { value } = step
      const merged = shards
        .map((shard) => tally(shard, floor, value))
        .reduce((a, b): Tally => ({ low: a.low + b.low, middle: a.middle + b.middle, high: a.high + b.high }))
      step = search.next(merged)
    }
    const reached = masses.reduce((sum, mass) => sum + Math.min(1, Math.max(floor, (step.value as number) * mass)), 0)
    expect(reached).toBeCloseTo(expected, 8)
    worst = Math.max(worst, passes)
  }
  expect(worst).toBeLessThanOrEqual(20)
})
