import { describe, expect, it } from 'vitest'
import golden from '../../test/golden/deadline.golden.json' with { type: 'json' }
import { emptyBelief } from '../core/belief.ts'
import { clip } from '../core/numbers.ts'
import { surveyor } from '../core/survey.ts'
import { successive } from '../designs/successive.ts'
import { massesOf } from '../masses/mass.contract.ts'
import { mixture, pure } from '../masses/mass.ts'
import { spread } from '../masses/spread.ts'
import { uniformMass } from '../masses/uniform.ts'
import { measureOf } from '../strategies/measures.ts'
import { openBets, toleranceBets } from './bets.ts'
import { calibratedLine, centreOf, chanceAt, flattened, type Line, logit } from './calibrated.ts'
import { DrawInterval } from './draw-interval.ts'
import { ledger, spread as variance } from './ledger.ts'
import { Limit } from './limit.ts'
import { probit } from './probit.ts'
import { recalibrate, uncalibrated } from './recalibrate.ts'

const near = (got: number, expected: number) =>
  expect(Math.abs(got - expected)).toBeLessThanOrEqual(1e-9 * Math.max(1, Math.abs(expected)))

it('probit has the golden values', () => {
  for (const [p, z] of Object.entries(golden.probit)) near(probit(Number(p)), z)
})

it('the bet sets have the golden weights and deadlines', () => {
  for (const [bets, expected] of [
    [toleranceBets(0.1, 0.025), golden.components],
    [openBets(0.025), golden.components_any],
  ] as const) {
    for (const [j, { weight, deadline }] of bets.entries()) {
      const [type, information, goal, w] = expected[j] as [number, number, number, number]
      near(weight, w)
      near(deadline, type === 0 ? information : 0)
      if (type === 0)
        near(bets[j]!.stake(1 / goal, 1, 1), 0) // goal reached
      else near(bets[j]!.stake(1, 2, 1), information / 2)
    }
  }
})

it('recalibration has the golden value where plain Newton cycles for ever', () => {
  const { zc, c0, b1, se } = golden.recalibrate_useless
  const logit = (p: number) => Math.log(p / (1 - p))
  const z = Array.from({ length: 500 }, (_, i) => logit(clip(0.001 + 0.6 * (((i * 37) % 500) / 500) ** 6, 1e-3, 0.999)))
  const got = recalibrate(
    z,
    z.map((_, i) => (i % 16 === 0 ? 1 : 0)),
    zc,
  )
  near(got.shift, c0)
  near(got.slope, b1)
  near(got.slopeError, se)
})

describe('the golden audit', () => {
  const n = 60
  const { g0, loss } = golden
  const z = g0.map(logit)
  const centre = centreOf(g0.reduce((a, b) => a + b, 0) / n)
  const uniform = (round: number, i: number) => (((29 * i + 11 + 17 * round) % 61) + 0.5) / 61
  const grid = Float64Array.from({ length: 99 }, (_, i) => Number((0.01 * (i + 1)).toFixed(2)))

  it('has every round, draw and limit of the reference', () => {
    const interval = new DrawInterval({ poolSize: n, level: 0.95, tolerance: 0.1, grid })
    const record = ledger(n)
    const limits = (['lower', 'upper'] as const).map(
      (side) => new Limit({ side, alpha: 0.025, bets: toleranceBets(0.1, 0.025), grid: { values: grid }, spread: variance }),
    )
    const measure = measureOf('error', { poolSize: n, classes: ['a', 'b'], level: 0.95, tolerance: 0.1 })
    let left = [...z.keys()]
    const seen: number[] = []
    let calibration = uncalibrated
    let step = 0
    for (const [t, round] of golden.rounds.entries()) {
      near(calibration.shift, round.c0)
      near(calibration.slope, round.b1)
      near(calibration.slopeError, round.se)
      const line = calibratedLine(calibration, centre)
      const profile = { scores: Float64Array.from(left, (i) => z[i]!), counts: new Float64Array(left.length).fill(1) }
      const flat = flattened(profile, calibration, centre)
      const share = seen.length < 20 ? 1 : 0.4
      const mass =
        share === 1
          ? pure(uniformMass)
          : mixture('audit', [
              { share: 0.6, of: spread },
              { share: 0.4, of: uniformMass },
            ])
      const beliefs = (line: Line) =>
        left.map((i) => {
          const belief = emptyBelief(2)
          const [reader] = measure.controls(line)
          reader!.read([z[i]!, 0], belief)
          return belief
        })
      const masses = massesOf(mass, beliefs(flat))
      const totals = surveyor(1)
      for (const [k, control] of beliefs(line).entries()) {
        totals.add(control, masses[k]!)
        totals.addControl(0, control, masses[k]!)
      }
      const { mass: total, controls } = totals.survey()
      const survey = { mass: total, ...controls[0]! }
      near(survey.mass, round.A)
      near(survey.predictedLoss, round.G)
      near(survey.predictedVariance, round.V)
      near(survey.largestUp, round.rH)
      near(survey.largestDown, round.rL)
      for (const [k, a] of round.a_first.entries()) near(masses[k]!, a)

      const draws = successive(masses, 10, (k) => uniform(t, left[k]!))
      expect(draws.map(({ index }) => left[index])).toEqual(round.order)
      interval.round(survey)
      record.begin(survey)
      for (const { index, mass: a, probability } of draws) {
        const i = left[index]!
        const expected = golden.draws[step++]!
        expect(i).toBe(expected.i)
        near(probability, expected.q)
        interval.draw({ loss: loss[i]!, mass: a, predictedLoss: chanceAt(line, z[i]!) })
        near(interval.interval().low, expected.L)
        near(interval.interval().high, expected.U)
        const evidence = record.add(loss[i]!, a, chanceAt(line, z[i]!))
        near(evidence.x, expected.X)
        near(evidence.low, expected.lo)
        near(evidence.high, expected.hi)
        near(evidence.ratio, expected.r)
        near(evidence.centre, expected.th)
        for (const limit of limits) limit.step(evidence)
        seen.push(i)
      }
      left = left.filter((i) => !seen.includes(i))
      const losses = seen.map((i) => loss[i]!)
      if (losses.reduce((a, b) => a + b, 0) >= 3) {
        calibration = recalibrate(
          seen.map((i) => z[i]!),
          losses,
          centre,
        )
      }
    }
    expect(step).toBe(40)
    expect([interval.interval().low, interval.interval().high]).toEqual(golden.final)
    const [lower, upper] = limits as [Limit, Limit]
    expect(lower.rejected()).toEqual(golden.rejected_up)
    expect(upper.rejected()).toEqual(golden.rejected_down)
    for (const [key, expected] of Object.entries(golden.wealth_after_40)) {
      const [side, value] = key.split(':') as ['up' | 'down', string]
      const got = (side === 'up' ? lower : upper).wealthAt(Number(value))
      for (const [j, wealth] of expected.entries()) near(got[j]!, wealth)
    }
  })
})

it('stakes have the golden values', () => {
  const bets = toleranceBets(0.01, 0.025)
  const spreadOf = (m: number) => m * (1 - m)
  for (const { comp, W, C, r, th, m, lam } of golden.bets) {
    const around = spreadOf(th)
    const variance = clip(spreadOf(m) / around, 0.25, 4) * around
    const whole = bets[comp]!.deadline * around
    near(bets[comp]!.stake(W, r * variance, Math.max(whole - C, 0.05 * whole) / variance), lam)
  }
})
