import { describe, expect, it } from 'vitest'
import intervals from '../../test/golden/intervals.golden.json' with { type: 'json' }
import paper from '../../test/golden/paper.golden.json' with { type: 'json' }
import { uniform } from '../core/randomness.ts'
import { bernoulliVariance, decomposition, multinomialVariance } from './decomposition.ts'
import { bernsteinSwitch, boundConstant, boundMass, paperBound } from './paper-bound.ts'
import { paperDistribution } from './paper-distribution.ts'
import { repairedBound } from './repaired-bound.ts'

const names = ['squared', 'logistic', 'hinge', 'squared_hinge', 'exponential', 'zero_one'] as const

describe.each(names)('the golden values of %s', (name) => {
  const { pseudo, pstar, Mstar, Muniform } = paper[name]
  const pseudoLosses = Float64Array.from(pseudo)
  const optimal = paperDistribution(pseudoLosses)

  it('p*, its M and uniform’s M', () => {
    for (const [i, p] of optimal.entries()) expect(p).toBeCloseTo(pstar[i]!, 9)
    const bound = paperBound({ pseudoLosses, p: optimal, delta: 0.05 })
    // The file gives ten decimals of the pseudo-losses, so M is known to about 1e-9 relative.
    expect(bound.mass / Mstar).toBeCloseTo(1, 9)
    expect(bound.uniformMass / Muniform).toBeCloseTo(1, 9)
    expect(bound.tightening).toBeCloseTo(Mstar / Muniform, 9)
    expect(bound.value).toBeCloseTo((boundConstant(0.05) * bound.mass) / 5, 9)
  })

  it('no other distribution has a smaller M', () => {
    const least = boundMass(pseudoLosses, optimal)
    for (let trial = 0; trial < 2000; trial++) {
      const gaps = pseudo.map((_, i) => -Math.log(uniform(trial, 'dirichlet', `${i}`)))
      const total = gaps.reduce((a, b) => a + b)
      const rival = Float64Array.from(gaps, (gap) => gap / total)
      expect(boundMass(pseudoLosses, rival)).toBeGreaterThanOrEqual(least * (1 - 1e-12))
    }
  })
})

it('c_δ has the golden values', () => {
  for (const [delta, constant] of Object.entries(paper.c_delta)) {
    expect(Math.abs(boundConstant(Number(delta)) - constant)).toBeLessThan(1e-9)
  }
})

it('the Bernstein switch inverts Bernstein’s bound', () => {
  for (const [range, variance, delta] of [
    [3, 2, 0.05],
    [0.1, 40, 0.01],
    [1000, 1e-3, 0.3],
  ] as const) {
    const eps = bernsteinSwitch(range, variance, delta)
    expect(Math.abs(Math.exp(-(eps ** 2) / (2 * variance + (2 / 3) * range * eps)) - delta)).toBeLessThan(1e-9)
  }
})

it('with the paper’s variance bound S ≤ M² the switch is (c_δ − 1) M', () => {
  expect(bernsteinSwitch(7, 49, 0.05)).toBeCloseTo(7 * (boundConstant(0.05) - 1), 12)
})

it('a point that cannot be drawn is allowed only if it cannot hurt', () => {
  expect(boundMass(Float64Array.of(0, 2), Float64Array.of(0, 1))).toBe(2)
  expect(() => boundMass(Float64Array.of(1, 2), Float64Array.of(0, 1))).toThrow('probabilities must be positive')
})

it('p* of the exponential loss survives scores of ±10,000', () => {
  const p = paperDistribution(Float64Array.of(Math.exp(600), 1, Math.exp(600)))
  expect(p[0]).toBeCloseTo(0.5, 12)
  expect(Number.isFinite(boundMass(Float64Array.of(Math.exp(600), 1, Math.exp(600)), p))).toBe(true)
})

describe('over all 2⁵ outcomes of Bernoulli draws', () => {
  const losses = Float64Array.from(intervals.poisson_enum.l)
  const pi = Float64Array.from(intervals.poisson_enum.pi)
  const outcomes = Array.from({ length: 32 }, (_, bits) => {
    const drawn = [...losses].map((_, i) => (bits & (1 << i)) !== 0)
    const chance = drawn.reduce((product, q, i) => product * (q ? pi[i]! : 1 - pi[i]!), 1)
    return { drawn, chance, terms: decomposition({ trueLoss: 0.7, losses, drawn, p: pi }) }
  })
  const expectation = (f: (outcome: (typeof outcomes)[number]) => number) =>
    outcomes.reduce((sum, outcome) => sum + outcome.chance * f(outcome), 0)
  const mean = losses.reduce((a, b) => a + b) / 5

  it('the weighted term is unbiased, and its variance is equation (2)', () => {
    expect(Math.abs(expectation(({ terms }) => terms.weighted) - mean)).toBeLessThan(1e-12)
    expect(Math.abs(5 * mean - intervals.poisson_enum.mean)).toBeLessThan(1e-9)
    const variance = expectation(({ terms }) => (terms.weighted - mean) ** 2)
    expect(Math.abs(variance - bernoulliVariance(losses, pi))).toBeLessThan(1e-12)
    expect(Math.abs(25 * variance - intervals.poisson_enum.var)).toBeLessThan(1e-9)
  })

  it('R ≤ A + B + C always, and forgetting the weights breaks unbiasedness', () => {
    for (const { terms } of outcomes) {
      expect(terms.generalisation + terms.weighted + terms.deviation).toBeGreaterThanOrEqual(0.7 - 1e-12)
    }
    const naive = expectation(({ drawn }) => losses.reduce((sum, loss, i) => sum + (drawn[i] ? loss : 0), 0) / 5)
    expect(Math.abs(naive - mean)).toBeGreaterThan(0.01)
  })

  it('the repaired bound fails with probability at most δ', () => {
    const pseudoLosses = losses.map((loss) => Math.max(loss, 0.6))
    for (const delta of [0.5, 0.2, 0.05]) {
      const failure = expectation(({ drawn }) => {
        const seen = [...losses].map((loss, i) => (drawn[i] ? loss : undefined))
        return repairedBound({ losses: seen, pseudoLosses, inclusion: pi, delta }) < mean ? 1 : 0
      })
      expect(failure).toBeLessThanOrEqual(delta)
    }
  })
})

it('drawing with replacement has its own variance, by enumeration of two draws', () => {
  const losses = Float64Array.of(1, 0, 0.5, 0.2)
  const p = Float64Array.of(0.4, 0.1, 0.2, 0.3)
  const mean = losses.reduce((a, b) => a + b) / 4
  let variance = 0
  for (let i = 0; i < 4; i++)
    for (let j = 0; j < 4; j++) {
      const estimate = (losses[i]! / p[i]! + losses[j]! / p[j]!) / 8
      variance += p[i]! * p[j]! * (estimate - mean) ** 2
    }
  expect(Math.abs(variance - multinomialVariance(losses, p, 2))).toBeLessThan(1e-12)
})

it('the repaired bound is worth reading where the paper’s is not', () => {
  const n = 200
  const scores = Array.from({ length: n }, (_, i) => 3 * Math.sin(i * 1.7))
  const pseudoLosses = Float64Array.from(scores, (z) => Math.abs(z) + Math.log1p(Math.exp(-Math.abs(z))))
  const p = paperDistribution(pseudoLosses)
  const inclusion = p.map((x) => Math.min(1, 100 * x))
  const seen = Array.from(scores, (z, i) =>
    uniform(3, 'q', `${i}`) <= inclusion[i]! ? Math.log1p(Math.exp(-Math.abs(z))) : undefined,
  )
  const repaired = repairedBound({ losses: seen, pseudoLosses, inclusion, delta: 0.05 })
  expect(repaired).toBeLessThan(1)
  expect(paperBound({ pseudoLosses, p, delta: 0.05 }).value).toBeGreaterThan(500)
})
