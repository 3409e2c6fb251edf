import { describe, expect, it } from 'vitest'
import golden from '../../test/golden/intervals.golden.json' with { type: 'json' }
import { withFloor } from '../masses/with-floor.ts'
import type { Bet } from './bets.ts'
import { Limit } from './limit.ts'

const near = (got: number, expected: number, tolerance = 1e-9) =>
  expect(Math.abs(got - expected)).toBeLessThanOrEqual(tolerance * Math.max(1, Math.abs(expected)))

const fixed = (lambda: number, weight = 1): Bet => ({ weight, deadline: 0, stake: () => lambda })
const flat = { spread: () => 1 }

/** Steady bets tuned for five sample sizes: the reference's older bet set, which any bettor may still use. */
function horizonBets(alpha: number): Bet[] {
  const sizes = golden.seq.horizons
  return sizes.map((size) => ({
    weight: 1 / sizes.length,
    deadline: 0,
    stake: (_, variance) => Math.sqrt((2 * Math.log(2 / alpha)) / (variance * size)),
  }))
}

describe('the golden sequence of 300 draws', () => {
  const n = 400
  const g = Float64Array.from({ length: n }, (_, i) => 0.01 + 0.44 * (i % 20 === 0 ? 1 : 0))
  const loss = Array.from({ length: n }, (_, i) => (i % 40 === 0 || i % 97 === 0 ? 1 : 0))
  const a = withFloor(
    g.map((p) => Math.sqrt(p * (1 - p))),
    0.4,
  )
  const { X, lo, hi, sigma2, s0, checkpoints, L, U } = golden.seq

  /** The draws as evidence, by the formulas of the reference. */
  function evidence() {
    const total = (f: (i: number) => number) => a.reduce((sum, _, i) => sum + f(i), 0)
    let mass = total((i) => a[i]!)
    let predicted = total((i) => g[i]!)
    const down = Math.max(...g.map((p, i) => p / a[i]!))
    const up = Math.max(...g.map((p, i) => (1 - p) / a[i]!))
    let seen = 0
    let mean = 0
    let squares = 0
    return Array.from({ length: 300 }, (_, k) => {
      const i = (7919 * k + 3) % n
      const base = (seen + predicted) / n
      const ratio = (20 * s0 + squares) / (20 + k)
      const x = base + ((loss[i]! - g[i]!) * mass) / (a[i]! * n)
      const draw = { x, low: base - (mass * down) / n, high: base + (mass * up) / n, ratio }
      const delta = x - mean
      mean += delta / (k + 1)
      squares += (x - mean) ** 2
      seen += loss[i]!
      mass -= a[i]!
      predicted -= g[i]!
      return draw
    })
  }

  it('has the golden X, bounds and variances', () => {
    const draws = evidence()
    for (const [k, x] of X.entries()) {
      near(draws[k]!.x, x)
      near(draws[k]!.low, lo[k]!)
      near(draws[k]!.high, hi[k]!)
      near(draws[k]!.ratio, sigma2[k]!)
    }
  })

  it('has the golden wealth and limits, to a billionth on either side', () => {
    const around = (value: number) => [value - 1e-9, value + 1e-9] as const
    // A level so small that nothing is ever rejected: the file has the limits of the moment, not the best so far.
    const limitAt = (side: 'lower' | 'upper', values: number[]) => {
      const grid = { values: Float64Array.from(values.flatMap(around)).sort() }
      return new Limit({ side, alpha: 1e-30, bets: horizonBets(0.05), grid, cap: 0.9, ...flat })
    }
    const lower = limitAt('lower', [...L, 0.02])
    const upper = limitAt('upper', [...U, 0.1])
    const wealth = (limit: Limit, value: number) => limit.wealthAt(value).reduce((sum, w) => sum + w, 0) / 5
    const logWealth = (limit: Limit, value: number) =>
      around(value).reduce((sum, near) => sum + Math.log(wealth(limit, near)) / 2, 0)
    for (const [k, draw] of evidence().entries()) {
      lower.step({ ...draw, centre: 0.5 })
      upper.step({ ...draw, centre: 0.5 })
      const at = checkpoints.indexOf(k + 1)
      if (at < 0) continue
      const [below, above] = [around(L[at]!), around(U[at]!)]
      expect(wealth(lower, below[0])).toBeGreaterThanOrEqual(40) // 2/α for α = 5 %
      expect(wealth(lower, below[1])).toBeLessThan(40)
      expect(wealth(upper, above[0])).toBeLessThan(40)
      expect(wealth(upper, above[1])).toBeGreaterThanOrEqual(40)
      near(logWealth(lower, 0.02), golden.seq.logW_plus_at_0_02[at]!)
      near(logWealth(upper, 0.1), golden.seq.logW_minus_at_0_10[at]!)
    }
  })
})

describe('against values published elsewhere', () => {
  it('a fixed bet on constant data has the p-values of SHANGRLA', () => {
    for (const [bet, x] of [
      [0.25, 0.75],
      [0.25, 0.9],
      [0.5, 0.75],
      [0.5, 0.9],
    ] as const) {
      const limit = new Limit({ side: 'lower', alpha: 1e-9, bets: [fixed(bet)], grid: { values: Float64Array.of(0.5) }, ...flat })
      for (let k = 0; k < 20; k++) limit.step({ x, low: 0, high: 1, ratio: 1, centre: 0.5 })
      const expected = golden.anchors[`fixed bet ${bet} ${x} p-value n=20` as keyof typeof golden.anchors] as number
      near(1 / limit.wealthAt(0.5)[0]!, expected)
    }
  })

  it.each([
    ['Kaplan-Markov 5 ones t=1/2 (SHANGRLA)', 1 / 0.5],
    ['Kaplan-Markov g=.1 (SHANGRLA)', 1 / 0.6],
    ['Kaplan-Wald g=.1 (SHANGRLA)', 0.9 / 0.5],
  ] as const)('five ones against a half: %s', (name, bet) => {
    const limit = new Limit({
      side: 'lower',
      alpha: 1e-9,
      bets: [fixed(bet)],
      grid: { values: Float64Array.of(0.5) },
      cap: 1,
      ...flat,
    })
    for (let k = 0; k < 5; k++) limit.step({ x: 1, low: 0, high: 1, ratio: 1, centre: 0.5 })
    near(1 / limit.wealthAt(0.5)[0]!, golden.anchors[name])
  })

  it.each([
    [1, golden.anchors['ALPHA sample size all ones eta=.75']],
    [0.75, golden.anchors['ALPHA sample size all .75']],
  ])('all answers %d: the sample size of ALPHA with η = 0.75 at 5 %%, that is, of the bet (η/m − 1)/(1 − m)', (x, expected) => {
    const limit = new Limit({ side: 'lower', alpha: 0.05, bets: [fixed(1)], grid: { values: Float64Array.of(0.5) }, ...flat })
    let answers = 0
    for (; limit.value === Number.NEGATIVE_INFINITY; answers++) limit.step({ x, low: 0, high: 1, ratio: 1, centre: 0.5 })
    expect(answers).toBe(expected)
  })

  it('uniform masses without a control are sampling without replacement: SHANGRLA’s null means', () => {
    // N(X − m) = |U| (x − (N m − S)/|U|): the martingale's increments, by the mean of what would be left under m.
    const n = 5
    const m = 1.53
    const x = [1, 2, 0.5, 1, 4]
    const expected = golden.anchors['SHANGRLA sjm WoR means']
    let seen = 0
    for (const [k, value] of x.entries()) {
      const left = n - k
      const nullMean = (n * m - seen) / left
      near(nullMean, expected[k]!)
      const base = seen / n
      const X = base + (value * left) / n // (ℓ − 0) · A/(a N) with a = 1
      near(n * (X - m), left * (value - nullMean))
      seen += value
    }
  })
})

it('rejects only whole runs from the end of the grid', () => {
  const limit = new Limit({
    side: 'lower',
    alpha: 0.05,
    bets: [fixed(1)],
    grid: { values: Float64Array.of(0.1, 0.2, 0.3) },
    ...flat,
  })
  expect(limit.value).toBe(Number.NEGATIVE_INFINITY)
  for (let k = 0; k < 8; k++) limit.step({ x: 0.9, low: 0, high: 1, ratio: 1, centre: 0.5 })
  expect(limit.rejected()).toEqual([0.1, 0.2, 0.3])
  expect(limit.value).toBe(0.3)
})
