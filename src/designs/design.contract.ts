import { describe, expect, it } from 'vitest'
import { hashIds, uniformsOf } from '../core/randomness.ts'
import { poolMean } from '../weights/pool-mean.ts'
import type { Design } from './design.ts'

/** One thing that can happen: which points in which order, with what recorded probabilities, and how likely it is. */
export interface Outcome {
  readonly indices: readonly number[]
  readonly probabilities: readonly number[]
  readonly chance: number
}

export interface DesignFacts {
  /** Everything that can happen, written down independently of the code under test. */
  outcomes(masses: Float64Array, size: number): Outcome[]
  /** Variance of the estimate of the mean, where there is a formula. */
  variance?(values: Float64Array, masses: Float64Array, size: number): number
}

const masses = Float64Array.of(3, 1, 0.5, 2, 1.5)
const values = Float64Array.of(1, 0, 0.5, 0.2, 0.9)
const mean = values.reduce((a, b) => a + b) / 5
const ids = hashIds(['a', 'b', 'c', 'd', 'e'])

// A cell of a correct multinomial strays this many standard errors once in a million.
const Z = 4.9
const repeats = 20_000

/** What every random design must satisfy. */
export function describeDesign(design: Design, { outcomes, variance }: DesignFacts): void {
  describe(`${design.name} keeps the design contract`, () => {
    const all = outcomes(masses, 2)

    it('its estimate is unbiased, by enumeration, and the plain mean of the drawn is not', () => {
      expect(all.reduce((sum, { chance }) => sum + chance, 0)).toBeCloseTo(1, 12)
      expect(expectation(all, (o) => estimate(design, o))).toBeCloseTo(mean, 12)
      const naive = (o: Outcome) => (o.indices.length ? o.indices.reduce((sum, i) => sum + values[i]!, 0) / o.indices.length : 0)
      expect(Math.abs(expectation(all, naive) - mean)).toBeGreaterThan(1e-3)
    })

    if (variance) {
      it('its variance is the formula, by enumeration', () => {
        const exact = expectation(all, (o) => (estimate(design, o) - mean) ** 2)
        expect(Math.abs(exact - variance(values, masses, 2))).toBeLessThan(1e-12)
      })
    }

    it('draws every outcome as often as it should, with the probabilities on record', () => {
      const counts = simulate(design, all)
      for (const { indices, chance } of all) {
        const seen = counts.get(indices.join()) ?? 0
        expect(Math.abs(seen / repeats - chance)).toBeLessThanOrEqual(Z * Math.sqrt((chance * (1 - chance)) / repeats) + 1e-12)
      }
    })

    it('the same check fails for masses that are wrong by a tenth of the total', () => {
      const shifted = Float64Array.from(masses, (mass, i) => mass + (i === 1 ? 0.8 : 0))
      const counts = simulate(design, all)
      const strays = outcomes(shifted, 2).filter(({ indices, chance }) => {
        const seen = counts.get(indices.join()) ?? 0
        return Math.abs(seen / repeats - chance) > Z * Math.sqrt((chance * (1 - chance)) / repeats)
      })
      expect(strays.length).toBeGreaterThan(0)
    })

    it('does not depend on the order of the pool', () => {
      const turned = hashIds(['e', 'd', 'c', 'b', 'a'])
      for (let seed = 0; seed < 200; seed++) {
        const forward = design.draw(masses, 3, uniformsOf({ seed, name: 'x' }, ids))
        const backward = design.draw(masses.toReversed(), 3, uniformsOf({ seed, name: 'x' }, turned))
        expect(backward.map(({ index }) => 4 - index)).toEqual(forward.map(({ index }) => index))
      }
    })

    it('never draws a point of mass 0, numbers its draws from 1, and refuses masses that mean nothing', () => {
      const some = Float64Array.of(0, 1, 0, 2, 1)
      for (let seed = 0; seed < 200; seed++) {
        const draws = design.draw(some, 3, uniformsOf({ seed, name: 'x' }, ids))
        for (const [k, { index, order, mass, probability }] of draws.entries()) {
          expect([1, 3, 4]).toContain(index)
          expect(order).toBe(k + 1)
          expect(mass).toBe(some[index])
          expect(probability > 0 && probability <= 1).toBe(true)
        }
      }
      const uniforms = uniformsOf({ seed: 1, name: 'x' }, ids)
      expect(() => design.draw(Float64Array.of(1, Number.NaN), 1, uniforms)).toThrow(
        `${design.name}: masses must be finite and not negative, got NaN at 1`,
      )
      expect(() => design.draw(Float64Array.of(1, -1), 1, uniforms)).toThrow('got -1 at 1')
      expect(() => design.draw(masses, 1.5, uniforms)).toThrow(`${design.name}: size must be a whole number, got 1.5`)
      expect(design.draw(masses, 0, uniforms)).toEqual([])
    })
  })
}

function simulate(design: Design, all: readonly Outcome[]): Map<string, number> {
  const record = new Map(all.map((outcome) => [outcome.indices.join(), outcome]))
  const counts = new Map<string, number>()
  for (let seed = 0; seed < repeats; seed++) {
    const draws = design.draw(masses, 2, uniformsOf({ seed, name: 'contract' }, ids))
    const name = draws.map(({ index }) => index).join()
    const outcome = record.get(name)
    expect(outcome, `outcome ${name}`).toBeDefined()
    for (const [k, { probability }] of draws.entries()) expect(probability).toBeCloseTo(outcome!.probabilities[k]!, 12)
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return counts
}

function estimate(design: Design, { indices, probabilities }: Outcome): number {
  if (indices.length === 0) return 0
  const drawn = probabilities.map((probability) => ({ probability }))
  const seen = indices.map((i) => values[i]!)
  return poolMean(design.name, drawn, seen, 5)
}

function expectation(all: readonly Outcome[], f: (outcome: Outcome) => number): number {
  return all.reduce((sum, outcome) => sum + outcome.chance * f(outcome), 0)
}
