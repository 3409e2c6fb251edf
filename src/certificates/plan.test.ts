import { describe, expect, it } from 'vitest'
import { betsOf, noPlan, type Plan, referenceTuning, tuning } from './plan.ts'
import { probit } from './probit.ts'

const plans: Plan[] = [noPlan, { kind: 'budget', answers: 50 }, { kind: 'tolerance', tolerance: 0.05 }]

describe.each([
  ['reference', referenceTuning],
  ['in use', tuning],
])('the numbers of the %s', (_, own) => {
  it.each(plans)('stake everything, and no more, with plan $kind', (plan) => {
    for (const points of [1, 9, 48, 20_000, 1e9]) {
      const { weights, deadlines, sizes } = betsOf(plan, 0.025, points, own)
      expect(weights).toHaveLength(deadlines.length + 1 + sizes.length)
      expect(weights.every((weight) => weight > 0)).toBe(true)
      expect(weights.reduce((a, b) => a + b, 0)).toBeCloseTo(1, 12) // or limits would be wrong too often
    }
  })

  it('let a deadline by itself be enough', () => {
    for (const plan of plans) {
      const { weights, deadlines } = betsOf(plan, 0.025, 100, own)
      for (const [j, { goal }] of deadlines.entries()) expect(weights[j]! / goal).toBeGreaterThan(1 / 0.025)
      for (const { goal, need } of deadlines) expect(need).toBeGreaterThanOrEqual(probit(goal) ** 2)
    }
  })
})

it('bets steadily on 4 draws, on all, and on numbers between with ratios of at most 2.5', () => {
  for (const points of [2, 8, 9, 100, 5000, 1e5]) {
    const most = Math.max(8, points)
    const draws = [...betsOf(noPlan, 0.025, points).sizes].map((size) => (2.6 / size) ** 2)
    expect(draws[0]).toBeCloseTo(4, 9)
    expect(draws.at(-1)! / most).toBeCloseTo(1, 9)
    for (const [j, many] of draws.entries()) if (j > 0) expect(many / draws[j - 1]!).toBeLessThanOrEqual(2.5 + 1e-9)
  }
  expect(betsOf(noPlan, 0.025, 1e12).sizes).toHaveLength(13) // enough is enough
})
