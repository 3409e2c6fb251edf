import { describe, expect, it } from 'vitest'
import { type Belief, emptyBelief, marginOf } from '../core/belief.ts'
import * as f from '../core/formula.ts'
import { marginBin, marginBins } from '../core/margins.ts'
import { compensatedSum } from '../core/sums.ts'
import { crossEntropy } from '../losses/cross-entropy.ts'
import { logistic } from '../losses/logistic.ts'
import type { Census, Mass } from './mass.ts'

/** Beliefs of a pool for given rows of scores; one number a row for two classes. */
export function beliefs(scores: readonly (readonly number[])[]): Belief[] {
  return scores.map((row) => {
    const classes = Math.max(2, row.length)
    const belief = emptyBelief(classes, 2)
    belief.forms.set([1.5 + Math.sin(row[0]!), 0.3]) // as if two forms had been asked for
    ;(row.length === 1 ? logistic : crossEntropy).read(row, belief)
    return belief
  })
}

/** The census an engine would take. */
function censusOf(mass: Mass, pool: readonly Belief[]): Census {
  const margins = new Float64Array(marginBins)
  const totals = mass.parts.map(() => compensatedSum())
  for (const belief of pool) {
    margins[marginBin(marginOf(belief))]! += 1
    for (const [j, { of }] of mass.parts.entries()) if (!of.rankPower) totals[j]!.add(of.value(belief, margins))
  }
  return { points: pool.length, margins, totals: totals.map((total) => total.total()) }
}

export function massesOf(mass: Mass, pool: readonly Belief[]): Float64Array {
  return Float64Array.from(pool, mass.settle(censusOf(mass, pool)))
}

/** The same by the mass as a formula, as an engine that speaks another language computes it. */
function massesByFormula(mass: Mass, pool: readonly Belief[]): number[] {
  const express = mass.express!(censusOf(mass, pool))
  return pool.map((belief) => {
    const columns: Record<string, number> = {}
    const column = (name: string) => (value: number, k: number) => {
      columns[`${name}${k}`] = value
      return f.column(`${name}${k}`)
    }
    const formulas = {
      probabilities: Array.from(belief.probabilities, column('p')),
      losses: Array.from(belief.losses, column('l')),
      forms: Array.from(belief.forms, column('f')),
    }
    return f.evaluate(express(formulas), columns)
  })
}

/** What every mass must satisfy, on two classes and on three, out to scores where exp() misbehaves. */
export function describeMass(mass: Mass): void {
  describe(`${mass.name} keeps the mass contract`, () => {
    const spread = Array.from({ length: 200 }, (_, i) => 30 * Math.sin(i * i))
    const pools = {
      'two classes': beliefs([...spread, 0, 0, 1e-300, -1e4, 1e4].map((z) => [z])),
      'three classes': beliefs(spread.map((z, i) => [z, Math.cos(i), 0])),
      'one point': beliefs([[0.3]]),
      'a blank model': beliefs(Array.from({ length: 7 }, () => [0])),
    }
    for (const [name, pool] of Object.entries(pools)) {
      it(`is finite and not negative on ${name}, and positive somewhere`, () => {
        const masses = massesOf(mass, pool)
        for (const a of masses) expect(a >= 0 && Number.isFinite(a)).toBe(true)
        expect(masses.some((a) => a > 0)).toBe(true)
      })
    }

    it('does not depend on the order of the pool', () => {
      const pool = pools['three classes']
      const forward = massesOf(mass, pool)
      const backward = massesOf(mass, pool.toReversed()).reverse()
      for (const [i, a] of forward.entries()) expect(Math.abs(backward[i]! - a)).toBeLessThanOrEqual(1e-13 * a)
    })

    it('is what its formula says', () => {
      for (const pool of Object.values(pools)) {
        const masses = massesOf(mass, pool)
        for (const [i, a] of massesByFormula(mass, pool).entries())
          expect(Math.abs(a - masses[i]!)).toBeLessThanOrEqual(1e-12 * masses[i]!)
      }
    })

    it('names the kernels that compute it', () => {
      expect(mass.kernel).toEqual({ name: mass.parts.length > 1 ? 'mixture' : 'pure', computes: mass.settle })
      expect(mass.parts.length).toBeGreaterThan(0)
      for (const { of } of mass.parts) {
        expect(of.kernel?.name).toBeTruthy()
        expect(of.kernel?.computes).toBe(of.value)
      }
    })

    it('gives equal mass to equal beliefs', () => {
      expect(new Set(massesOf(mass, pools['a blank model'])).size).toBe(1)
    })
  })
}
