import { expect, it } from 'vitest'
import { SteadyWealth, steadySizes } from './steady-wealth.ts'

it('stakes on nine numbers of draws, from 4 to all points in equal ratios', () => {
  for (const [points, most] of [
    [2, 8],
    [8, 8],
    [1000, 1000],
    [1e6, 1e6],
  ] as const) {
    const draws = steadySizes(points).map((size) => (2.6 / size) ** 2)
    expect(draws).toHaveLength(9)
    for (const [k, many] of draws.entries()) expect(many / (4 * (most / 4) ** (k / 8))).toBeCloseTo(1, 9)
  }
})

it('stakes sizes in standard deviations, and never so much that everything could be lost', () => {
  const wealth = new SteadyWealth([0.5, 0.1])
  expect(wealth.total).toBe(1)
  wealth.step({ x: 3, deviation: 2, reach: 5 }) // 0.99/5 is less than 0.5/2
  expect(wealth.total).toBeCloseTo((1 + 0.198 * 3 + (1 + 0.05 * 3)) / 2, 12)
  wealth.step({ x: -4, deviation: 2, reach: 4 })
  expect(wealth.total).toBeCloseTo(((1 + 0.198 * 3) * (1 - 0.2475 * 4) + (1 + 0.05 * 3) * (1 - 0.05 * 4)) / 2, 12)
})
