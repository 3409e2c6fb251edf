import { describe, expect, it } from 'vitest'
import golden from '../../test/golden/deadline.golden.json' with { type: 'json' }
import { clip } from '../core/numbers.ts'
import { successive } from '../designs/successive.ts'
import { withFloor } from '../masses/with-floor.ts'
import { calibratedLine, centreOf, chanceAt, flattened, logit } from './calibrated.ts'
import { probit } from './probit.ts'
import { recalibrate } from './recalibrate.ts'

const near = (got: number, expected: number) =>
  expect(Math.abs(got - expected)).toBeLessThanOrEqual(1e-9 * Math.max(1, Math.abs(expected)))

it('probit has the golden values', () => {
  for (const [p, z] of Object.entries(golden.probit)) near(probit(Number(p)), z)
})

it('probit is odd, also where its approximations meet', () => {
  for (const p of [1e-6, 0.01, 0.02425, 0.1, 0.4]) expect(probit(1 - p)).toBeCloseTo(-probit(p), 10)
})

describe('recalibration', () => {
  const z = Array.from({ length: 500 }, (_, i) => logit(clip(0.001 + 0.6 * (((i * 37) % 500) / 500) ** 6, 1e-3, 0.999)))

  it('has the golden value where plain Newton cycles for ever', () => {
    const { zc, c0, b1, se } = golden.recalibrate_useless
    const losses = z.map((_, i) => (i % 16 === 0 ? 1 : 0))
    const got = recalibrate(z, losses, zc)
    near(got.shift, c0)
    near(got.slope, b1)
    near(got.slopeError, se)
  })

  it('ends where the posterior is flat, also where only one of the two has to move', () => {
    const cases: [logits: number[], losses: number[], centre: number][] = [
      [[-2, -1, 1, 2], [0, 0, 1, 1], 0],
      [[-3, -1, 0, 2, 4], [1, 0, 0, 1, 0], -0.5],
      [[5, 6, 7, 8, 9, 10], [0, 0, 0, 0, 0, 1], 4],
    ]
    for (const [logits, losses, centre] of cases) {
      const { shift, slope, slopeError } = recalibrate(logits, losses, centre)
      const chances = logits.map((z) => 1 / (1 + Math.exp(-(centre + shift + slope * (z - centre)))))
      const sum = (of: (p: number, x: number, loss: number) => number) =>
        logits.reduce((all, z, i) => all + of(chances[i]!, z - centre, losses[i]!), 0)
      expect(sum((p, _, loss) => loss - p) - shift / 1.5 ** 2).toBeCloseTo(0, 8)
      expect(sum((p, x, loss) => (loss - p) * x) - (slope - 1) / 0.5 ** 2).toBeCloseTo(0, 8)
      const [h00, h01, h11] = [0, 1, 2].map((power) => sum((p, x) => p * (1 - p) * x ** power)) as [number, number, number]
      near(slopeError, 1 / Math.sqrt(h11 + 4 - h01 ** 2 / (h00 + 1 / 1.5 ** 2)))
    }
  })

  it('says of no answers at all what was believed before', () => {
    expect(recalibrate([], [], 0)).toEqual({ shift: 0, slope: 1, slopeError: 0.5 })
  })
})

it('keeps chances away from 0 and 1', () => {
  expect(chanceAt({ intercept: 0, slope: 1 }, -100)).toBe(0.001)
  expect(chanceAt({ intercept: 0, slope: 1 }, 100)).toBe(0.95)
  expect(chanceAt({ intercept: -1, slope: 2 }, 0.5)).toBeCloseTo(0.5, 12)
  expect(logit(0)).toBeCloseTo(Math.log(0.001 / 0.999), 12)
  expect(logit(1)).toBeCloseTo(Math.log(0.999 / 0.001), 12)
  expect(centreOf(0)).toBeCloseTo(Math.log(0.005 / 0.995), 12)
  expect(centreOf(1)).toBeCloseTo(Math.log(0.95 / 0.05), 12)
  expect(centreOf(0.5)).toBe(0)
})

it('flattens a line by its standard error, and leaves its mean as it was', () => {
  const profile = { scores: Float64Array.of(-3, -1, 2), counts: Float64Array.of(5, 3, 2) }
  const calibration = { shift: 0.3, slope: 1.2, slopeError: 0.4 }
  const line = calibratedLine(calibration, -1)
  const flat = flattened(profile, calibration, -1)
  const mean = (chance: (z: number) => number) => (5 * chance(-3) + 3 * chance(-1) + 2 * chance(2)) / 10
  expect(flat.slope).toBeCloseTo(0.8, 12)
  expect(mean((z) => chanceAt(flat, z))).toBeCloseTo(
    mean((z) => chanceAt(line, z)),
    4,
  )
  expect(flattened(profile, { ...calibration, slopeError: 2 }, -1).slope).toBe(0) // never the other way round
})

/** Four rounds of ten draws from sixty points, by the formulas of the reference. */
describe('a record computed elsewhere', () => {
  const n = 60
  const { g0, loss } = golden
  const z = g0.map(logit)
  const centre = centreOf(g0.reduce((a, b) => a + b, 0) / n)
  const uniform = (round: number, i: number) => (((29 * i + 11 + 17 * round) % 61) + 0.5) / 61

  it('has the same lines, masses, totals and draws', () => {
    let left = [...z.keys()]
    const seen: number[] = []
    let calibration = recalibrate([], [], centre)
    for (const [t, round] of golden.rounds.entries()) {
      near(calibration.shift, round.c0)
      near(calibration.slope, round.b1)
      near(calibration.slopeError, round.se)
      const line = calibratedLine(calibration, centre)
      const profile = { scores: Float64Array.from(left, (i) => z[i]!), counts: new Float64Array(left.length).fill(1) }
      const flat = flattened(profile, calibration, centre)
      const spreads = Float64Array.from(left, (i) => Math.sqrt(chanceAt(flat, z[i]!) * (1 - chanceAt(flat, z[i]!))))
      const masses = withFloor(spreads, seen.length < 20 ? 1 : 0.4)
      const chances = left.map((i) => chanceAt(line, z[i]!))
      const sum = (of: (p: number, mass: number) => number) => chances.reduce((all, p, k) => all + of(p, masses[k]!), 0)
      near(
        sum((_, mass) => mass),
        round.A,
      )
      near(
        sum((p) => p),
        round.G,
      )
      near(
        sum((p, mass) => (p * (1 - p)) / mass),
        round.V,
      )
      for (const [k, a] of round.a_first.entries()) near(masses[k]!, a)
      const draws = successive.draw(masses, 10, (k) => uniform(t, left[k]!))
      expect(draws.map(({ index }) => left[index])).toEqual(round.order)
      seen.push(...round.order)
      left = left.filter((i) => !seen.includes(i))
      const losses = seen.map((i) => loss[i]!)
      const logits = seen.map((i) => z[i]!)
      if (losses.reduce((a, b) => a + b, 0) >= 3) calibration = recalibrate(logits, losses, centre)
    }
    expect(seen).toEqual(golden.draws.map(({ i }) => i))
  })
})
