import { describe, expect, it } from 'vitest'
import { apart } from './apart.ts'
import { forecastScale, funnelScale, target } from './funnel-scale.ts'

describe('the scale of a funnel', () => {
  it('begins at zero where the interval is near it', () => {
    const { low, high } = funnelScale({ value: 0.05, low: 0.025, high: 0.089 }, { tolerance: 0.02 }, 4)
    expect([low, high]).toEqual([0, 0.2])
  })

  it('stays within shares, and shows a limit that was asked for', () => {
    expect(funnelScale({ value: 0.95, low: 0.9, high: 0.99 }, {}, 4).high).toBe(1)
    expect(funnelScale({ value: 0.01, low: 0.005, high: 0.02 }, { below: 0.07 }, 4).high).toBeGreaterThan(0.07)
  })

  it('has room on both sides of zero for a difference', () => {
    const { low, high } = funnelScale({ value: 0.01, low: -0.015, high: 0.049 }, {}, 4)
    expect([low, high]).toEqual([-0.15, 0.15])
  })
})

it('a forecast is shown without its first, wide beginning', () => {
  const curve = [1, 100, 200].map((answers) => ({ answers, low: 0, high: answers === 1 ? 1 : 0.09 }))
  expect(forecastScale(curve, [0.05], 4).high).toBeLessThan(0.2)
})

it('what is asked lies around the estimate, below zero only for a difference', () => {
  expect(target({ value: 0.01, low: 0.005, high: 0.04 }, 0.02)).toEqual({ low: 0, high: 0.03 })
  expect(target({ value: 0.01, low: -0.005, high: 0.04 }, 0.02)).toEqual({ low: -0.01, high: 0.03 })
})

it('names are moved apart and the middle one stays', () => {
  expect(apart([100, 110, 300], 50)).toEqual([60, 110, 300])
  expect(apart([0, 100, 200], 50)).toEqual([0, 100, 200])
})
