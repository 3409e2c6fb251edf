import { describe, expect, it } from 'vitest'
import { doubtPlace, stratumCodes } from '../../core/strata.ts'
import { stratifiedMemory } from '../../engines/stratified.ts'
import { axesOf, type Frame } from '../../questions/frame.ts'
import { answersFor, type ForecastInputs, forecastFor, forecastInputs } from './audit-forecast.ts'

const inputs: ForecastInputs = { model: 'm', points: 10_000, expected: 0.1, plain: 0.09, informed: 0.03 }

describe('a forecast', () => {
  it('asks for more answers the narrower the interval is to be, and never for more than there are points', () => {
    const needed = [0.1, 0.05, 0.02, 0.01, 0.001].map((tolerance) => answersFor(inputs, tolerance, 0.95).answers)
    expect([...needed].sort((a, b) => a - b)).toEqual(needed)
    expect(needed[0]).toBeGreaterThan(0)
    expect(needed.at(-1)).toBeGreaterThan(9_000)
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

describe('what a model expects of an audit', () => {
  const frame: Frame = { classes: ['no', 'yes'], models: ['model'], slices: [] }
  const { code } = stratumCodes(axesOf(frame))

  /** Points that are wrong with these chances, as their model has it. */
  function subjectOf(chances: readonly number[]) {
    const rest = { runnerUp: 2, share: 0, grade: 0, slices: [] }
    const codes = Float64Array.from(chances, (chance) => code({ predicted: [1], doubt: doubtPlace(chance), ...rest }))
    return { pool: stratifiedMemory({ ids: chances.map((_, k) => `p${k}`), codes }), frame, model: 'm' }
  }

  it('is its mean chance of being wrong, and the variance of that as long as every point is drawn alike', async () => {
    const { model, points, expected, plain, informed } = await forecastInputs(subjectOf(new Array(1000).fill(0.1)))
    expect([model, points]).toEqual(['m', 1000])
    expect(expected).toBeCloseTo(0.1, 2) // chances are rounded
    expect(plain).toBeCloseTo(expected * (1 - expected), 12)
    expect(informed).toBeCloseTo(plain, 3) // nothing tells points apart
  })

  it('takes fewer answers where confidences tell points apart', async () => {
    const { expected, plain, informed } = await forecastInputs(
      subjectOf([...new Array(900).fill(0.002), ...new Array(100).fill(0.4)]),
    )
    expect(expected).toBeCloseTo(0.0418, 2)
    expect(informed).toBeLessThan(0.8 * plain)
  })

  it('is about the points that may still be drawn', async () => {
    const subject = subjectOf([0.1, 0.4, 0.4])
    await subject.pool.take(['p1', 'p2'])
    expect(await forecastInputs(subject)).toMatchObject({ points: 1, expected: expect.closeTo(0.1, 2) })
    await subject.pool.take(['p0'])
    expect(await forecastInputs(subject)).toEqual({ model: 'm', points: 0, expected: 0, plain: 0, informed: 0 })
  })
})
