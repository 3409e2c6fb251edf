import { describe, expect, it } from 'vitest'
import { answersFor, type ForecastInputs, forecastFor } from './audit-forecast.ts'

const inputs: ForecastInputs = { model: 'm', points: 10_000, expected: 0.1, blind: 0.09, informed: 0.03 }

describe('a forecast', () => {
  it('asks for more answers the narrower the interval is to be, and never for more than there are points', () => {
    const needed = [0.1, 0.05, 0.02, 0.01, 0.001].map((tolerance) => answersFor(inputs, tolerance, 0.95).answers)
    expect([...needed].sort((a, b) => a - b)).toEqual(needed)
    expect(needed[0]).toBeGreaterThan(0)
    expect(needed.at(-1)).toBeGreaterThan(9000)
    expect(needed.at(-1)).toBeLessThanOrEqual(10_000)
  })

  it('narrows along its curve to what was asked for', () => {
    const { answers, low, high, curve } = forecastFor(inputs, { tolerance: 0.03, level: 0.95 })
    expect(low! < answers! && answers! < high!).toBe(true)
    for (const [k, { low: bottom, high: top }] of curve.entries()) {
      if (k > 0) expect(top - bottom).toBeLessThanOrEqual(curve[k - 1]!.high - curve[k - 1]!.low)
    }
    const there = curve.find((step) => step.answers >= answers!)!
    expect((there.high - there.low) / 2).toBeLessThanOrEqual(0.03)
    const before = curve.findLast((step) => step.answers < answers!)!
    expect((before.high - before.low) / 2).toBeGreaterThan(0.03)
  })

  it('says nothing of a ceiling below what the model expects', () => {
    expect(forecastFor(inputs, { below: 0.05, level: 0.95 }).answers).toBeUndefined()
    expect(forecastFor(inputs, { below: 0.15, level: 0.95 }).answers).toBe(answersFor(inputs, 0.05, 0.95).answers)
  })

  it('has nothing to say where nothing is left to draw', () => {
    expect(forecastFor({ ...inputs, points: 0 }, { tolerance: 0.1, level: 0.95 })).toEqual({ expected: 0.1, curve: [] })
  })
})
