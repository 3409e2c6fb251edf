import { describe, expect, it } from 'vitest'
import { countTicks, scaleOver, tickText } from './ticks.ts'

describe('a scale', () => {
  it('has round ends around what it shows', () => {
    expect(scaleOver(0, 0.55, 6)).toEqual({ low: 0, high: 0.6, ticks: [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6], digits: 0 })
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
