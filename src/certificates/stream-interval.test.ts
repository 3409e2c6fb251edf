import { expect, it } from 'vitest'
import { streamInterval } from './stream-interval.ts'

/** The chance that the limits ever leave the mean out, over all that nine draws of 0 or 1 can be, looked at after each. */
function everMissed(
  mean: number,
  limits: (values: readonly number[]) => { readonly low: number; readonly high: number },
): number {
  const from = (values: readonly number[], chance: number): number => {
    if (values.length > 0) {
      const { low, high } = limits(values)
      if (mean < low || mean > high) return chance
    }
    return values.length === 9 ? 0 : from([...values, 1], chance * mean) + from([...values, 0], chance * (1 - mean))
  }
  return from([], 1)
}

it.each([0.05, 0.3, 0.5, 0.9])(
  'misses a mean of %d no more often than its level says, at all looks together, by enumeration',
  (mean) => {
    for (const level of [0.5, 0.8, 0.95])
      expect(everMissed(mean, (values) => streamInterval(values, { level }))).toBeLessThanOrEqual(1 - level)
  },
)

it('which limits that hold at one look do not: the same enumeration finds them out', () => {
  const atOneLook = (values: readonly number[]) => {
    const mean = values.reduce((a, b) => a + b, 0) / values.length
    const reach = 1.2816 * Math.sqrt((mean * (1 - mean)) / values.length) // 80 %, by the normal distribution
    return { low: mean - reach, high: mean + reach }
  }
  expect(everMissed(0.3, atOneLook)).toBeGreaterThan(0.2)
})

it('narrows as numbers come, and says little of few', () => {
  expect(streamInterval([])).toEqual({ value: 0.5, low: 0, high: 1, level: 0.95, answers: 0 })
  const width = (n: number) => {
    const { low, high } = streamInterval(Array.from({ length: n }, (_, i) => (i % 4 === 0 ? 1 : 0)))
    return high - low
  }
  expect(width(400)).toBeLessThan(width(100))
  expect(width(400)).toBeLessThan(0.25)
  expect(streamInterval(new Array(300).fill(0)).high).toBeLessThan(0.03)
  const { low, high } = streamInterval(Array.from({ length: 80 }, (_, i) => (i % 5) / 4)) // any numbers from 0 to 1
  expect(low < 0.5 && high > 0.5).toBe(true)
})

it('"cannot tell" counts as the worse for either limit', () => {
  const values = Array.from({ length: 60 }, (_, i) => (i % 6 === 0 ? null : i % 2))
  const [all, none] = [1, 0].map((instead) => streamInterval(values.map((value) => value ?? instead)))
  expect(streamInterval(values)).toMatchObject({ low: none!.low, high: all!.high })
})

it.each([
  [[0.5, 1.5], {}, 'values: numbers from 0 to 1, or null, are required, got 1.5 at 1'],
  [[Number.NaN], {}, 'values: numbers from 0 to 1, or null, are required, got NaN at 0'],
  [[0], { level: 1 }, 'level: must be in (0, 1), got 1'],
])('%j, %j are refused', (values, options, message) => {
  expect(() => streamInterval(values, options)).toThrow(message)
})
