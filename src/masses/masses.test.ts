import fc from 'fast-check'
import { expect, it } from 'vitest'
import { marginBin, marginBins, meanRankPowers } from '../core/margins.ts'
import { doubt } from './doubt.ts'
import { entropy } from './entropy.ts'
import { expectedError, expectedLoss } from './expected-loss.ts'
import { marginRank } from './margin-rank.ts'
import { beliefs, describeMass, massesOf } from './mass.contract.ts'
import { mixture, pure } from './mass.ts'
import { pseudoLoss } from './pseudo-loss.ts'
import { pseudoLossLinear } from './pseudo-loss-linear.ts'
import { steepRank } from './steep-rank.ts'
import { uniformMass } from './uniform.ts'
import { variance } from './variance.ts'
import { withFloor } from './with-floor.ts'

const ingredients = [
  uniformMass,
  pseudoLoss,
  pseudoLossLinear,
  expectedLoss,
  expectedError,
  entropy,
  marginRank,
  steepRank,
  variance,
  doubt,
]
for (const ingredient of ingredients) describeMass(pure(ingredient))
describeMass(
  mixture('three of them', [
    { share: 0.5, of: marginRank },
    { share: 0.4, of: entropy },
    { share: 0.1, of: uniformMass },
  ]),
)

const pool = beliefs([[0], [1], [-2], [3]])

it('pseudo-loss is the square root of the worst loss, and the linear one its square', () => {
  const root = massesOf(pure(pseudoLoss), pool)
  const linear = massesOf(pure(pseudoLossLinear), pool)
  expect(linear[2]).toBeCloseTo(2 + Math.log1p(Math.exp(-2)), 12)
  for (const [i, a] of root.entries()) expect(a * a).toBeCloseTo(linear[i]!, 12)
})

it('expected loss of a fair coin is log 2, expected error √½', () => {
  expect(massesOf(pure(expectedLoss), pool)[0]).toBeCloseTo(Math.LN2, 12)
  expect(massesOf(pure(expectedError), pool)[0]).toBeCloseTo(Math.SQRT1_2, 12)
  expect(massesOf(pure(entropy), pool)[0]).toBeCloseTo(Math.LN2, 12)
})

it('doubt is 1 less the margin of the two likeliest classes', () => {
  const [even, sure] = massesOf(pure(doubt), beliefs([[0], [Math.log(9)]]))
  expect(even).toBe(1)
  expect(sure).toBeCloseTo(1 - (0.9 - 0.1), 12)
})

it('variance is the square of what a label would remove', () => {
  const [even] = beliefs([[0]])
  even!.forms.set([3, 2])
  // v = (1 − 2·¼)/2 = ¼, s = ¼·3 / (1 + ¼·2) = ½
  expect(variance.value(even!, new Float64Array(0))).toBeCloseTo(0.25, 15)
})

it('a mass without a formula has none, and a mixture one only if all its parts do', () => {
  const { express: _, ...silent } = entropy
  const parts = (of: typeof entropy) => [
    { share: 0.5, of: uniformMass },
    { share: 0.5, of },
  ]
  expect('express' in pure(silent)).toBe(false)
  expect('express' in mixture('half', parts(silent))).toBe(false)
  expect('express' in mixture('half', parts(entropy))).toBe(true)
})

it('a part that is 0 everywhere leaves the others as they are', () => {
  const nothing = { name: 'nothing', value: () => 0 }
  const mass = mixture('test', [
    { share: 0.4, of: uniformMass },
    { share: 0.6, of: nothing },
  ])
  expect([...massesOf(mass, pool)]).toEqual([0.4, 0.4, 0.4, 0.4])
})

it('margin rank is 1/rank where the bins tell the points apart', () => {
  const masses = massesOf(pure(marginRank), beliefs([[3], [-0.1], [0.001], [1]]))
  expect([...masses].map((a) => a.toFixed(9))).toEqual(['0.250000000', '0.500000000', '1.000000000', '0.333333333'])
})

it('margin ranks of a large pool stay within 5 % of the true ranks, and keep their sum', () => {
  const n = 20_000
  const margins = Array.from({ length: n }, (_, i) => Math.abs(Math.sin(i * 0.7)) ** 1.5).sort((a, b) => a - b)
  const counts = new Float64Array(marginBins)
  for (const margin of margins) counts[marginBin(margin)]! += 1
  const ranks = meanRankPowers(counts, 1)
  let total = 0
  let exact = 0
  for (const [i, margin] of margins.entries()) {
    const mean = ranks[marginBin(margin)]!
    if (margin < 0.9) expect(Math.abs(mean * (i + 1) - 1)).toBeLessThan(i < 20 ? 0.5 : 0.05) // near the top a bin holds few
    total += mean
    exact += 1 / (i + 1)
  }
  expect(total).toBeCloseTo(exact, 9)
})

it('a mixture has mean 1 and never goes below its uniform share', () => {
  const scores = fc.array(fc.double({ min: -50, max: 50, noNaN: true }), { minLength: 1, maxLength: 60 })
  fc.assert(
    fc.property(scores, fc.double({ min: 0.01, max: 0.99, noNaN: true }), (zs, floor) => {
      const mass = mixture('test', [
        { share: 1 - floor, of: marginRank },
        { share: floor, of: uniformMass },
      ])
      const masses = massesOf(mass, beliefs(zs.map((z) => [z])))
      expect(masses.reduce((a, b) => a + b, 0) / zs.length).toBeCloseTo(1, 9)
      for (const a of masses) expect(a).toBeGreaterThanOrEqual(floor * (1 - 1e-12))
    }),
  )
})

it('refuses shares that do not sum to 1', () => {
  expect(() => mixture('bad', [{ share: 0.5, of: entropy }])).toThrow(
    'mixture bad: shares must be positive and sum to 1, got 0.5',
  )
  for (const share of [0, -0.5]) {
    const parts = [
      { share, of: entropy },
      { share: 1 - share, of: uniformMass },
    ]
    expect(() => mixture('bad', parts)).toThrow('mixture bad: shares must be positive')
  }
})

it('withFloor has mean 1 and no mass below the share', () => {
  const masses = withFloor(Float64Array.of(10, 5, 1, 1, 1, 0), 0.4)
  expect(masses.reduce((a, b) => a + b, 0) / 6).toBeCloseTo(1, 12)
  expect(Math.min(...masses)).toBeCloseTo(0.4, 12)
  for (const bad of [
    [0, 0],
    [3, -1],
    [Number.POSITIVE_INFINITY, 1],
  ])
    expect(() => withFloor(Float64Array.from(bad), 0.4)).toThrow('withFloor: masses must be non-negative')
  for (const share of [-0.1, 1.1, Number.NaN])
    expect(() => withFloor(Float64Array.of(1, 2), share)).toThrow('withFloor: share must be in [0, 1]')
  expect([...withFloor(Float64Array.of(1, 3), 0)]).toEqual([0.5, 1.5])
  expect([...withFloor(Float64Array.of(1, 3), 1)]).toEqual([1, 1])
})
