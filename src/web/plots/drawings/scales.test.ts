import { describe, expect, it } from 'vitest'
import { apart, countTicks, forecastScale, funnelScale, scaleOver, target, tickText } from './scales.ts'

describe('a scale', () => {
  it('has round ends around what it shows', () => {
    expect(scaleOver(0, 0.55, 6)).toEqual({
      low: 0,
      high: 0.6,
      ticks: [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6],
      digits: 0,
      unit: 'share',
    })
  })

  it('reaches below zero where a difference does', () => {
    expect(scaleOver(-0.013, 0.021, 4).ticks).toEqual([-0.02, -0.01, 0, 0.01, 0.02, 0.03])
  })

  it('is as fine as it must be', () => {
    const scale = scaleOver(0.901, 0.908, 4)
    expect(scale.ticks.map((tick) => tickText(scale, tick))).toEqual(['90.0', '90.2', '90.4', '90.6', '90.8\u00a0%'])
  })

  it('has two ends even around a single value', () => {
    const { low, high } = scaleOver(0, 0, 4)
    expect(high).toBeGreaterThan(low)
  })

  it('writes the sign of a percentage once and a minus as a minus', () => {
    const scale = scaleOver(-0.04, 0.04, 4)
    expect(scale.ticks.map((tick) => tickText(scale, tick))).toEqual(['−4', '−2', '0', '2', '4\u00a0%'])
  })
})

describe('ticks of counts', () => {
  it('are round and never between two answers', () => {
    expect(countTicks(240, 5)).toEqual([0, 50, 100, 150, 200])
    expect(countTicks(3, 10)).toEqual([0, 1, 2, 3])
  })
})

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
    const { low, high } = funnelScale({ value: 0.01, low: -0.015, high: 0.049 }, {}, 4, 'points')
    expect([low, high]).toEqual([-0.15, 0.15])
  })

  it('is of plain numbers for grades', () => {
    const scale = funnelScale({ value: 3.5, low: 3.3, high: 3.8 }, {}, 4, 'number')
    expect(scale.ticks.map((tick) => tickText(scale, tick))).toEqual(['2.5', '3.0', '3.5', '4.0', '4.5'])
  })
})

it('a forecast is shown without its first, wide beginning', () => {
  const curve = [1, 100, 200].map((answers) => ({ answers, low: 0, high: answers === 1 ? 1 : 0.09 }))
  expect(forecastScale(curve, [0.05], 4).high).toBeLessThan(0.2)
})

it('what is asked lies around the estimate, below zero only for a difference', () => {
  expect(target({ value: 0.01, low: 0.005, high: 0.04 }, 0.02)).toEqual({ low: 0, high: 0.03 })
  expect(target({ value: 0.01, low: -0.005, high: 0.04 }, 0.02, 'points')).toEqual({ low: -0.01, high: 0.03 })
})

it('names are moved apart and the middle one stays', () => {
  expect(apart([100, 110, 300], 50)).toEqual([60, 110, 300])
  expect(apart([0, 100, 200], 50)).toEqual([0, 100, 200])
  expect(apart([30, 40, 200], 50, [24, 400])).toEqual([24, 74, 200]) // rather than beyond an end
  expect(apart([300, 380, 390], 50, [24, 400])).toEqual([300, 350, 400])
})
