import { hashIds, uniformsOf } from '../core/randomness.ts'
import type { LossName } from '../losses/catalogue.ts'
import type { DataOptions } from '../projects/pools/pool-data.ts'
import { strategyNamed } from '../strategies/catalogue.ts'
import type { Strategy } from '../strategies/strategy.ts'

/** What makes a run what it is: equal plans and equal seeds give equal runs. Plain data, for files and for threads. */
export interface ComparePlan {
  readonly pool: string
  readonly data: DataOptions & { readonly label: string; readonly test: number | string }
  readonly loss: LossName
  readonly l2: number
  readonly start: number
  readonly batch: number
  readonly budget: number
  readonly seed: number
}

export interface RunJob {
  readonly strategy: string
  /** Which split, from 0. Equal for all strategies: they are compared in pairs. */
  readonly split: number
  /** Decides the rows to test on, the start, and every draw. */
  readonly seed: number
}

export const baseline = 'uniform'

/** A strategy by name; `alis:0.3` is the one that draws three tenths uniformly. */
export function comparedStrategy(name: string): Strategy {
  const [own = '', share] = name.split(/:(.*)/s)
  return share === undefined ? strategyNamed(own) : strategyNamed(own, { know: Number(share) })
}

/** The strategies that are asked for, and the baseline, which everything is measured by. */
export function withBaseline(names: readonly string[]): readonly string[] {
  for (const name of names) comparedStrategy(name)
  return names.includes(baseline) ? names : [...names, baseline]
}

/** Those among them that can work with so many features, and those that cannot. */
export function ableWith(features: number, names: readonly string[]): { able: readonly string[]; unable: readonly string[] } {
  const isAble = (name: string) => features <= (comparedStrategy(name).mostFeatures ?? Number.POSITIVE_INFINITY)
  return { able: names.filter(isAble), unable: names.filter((name) => !isAble(name)) }
}

/** Split after split, so that threads read the features of one split once; the same on whichever thread they run, and when. */
export function jobsOf(seed: number, names: readonly string[], splits: number): RunJob[] {
  const seeds = runSeeds(seed, splits)
  return seeds.flatMap((own, split) => names.map((strategy) => ({ strategy, split, seed: own })))
}

/** Hashed, not counted on: comparisons with seeds 1 and 2 must not share all splits but one. */
export function runSeeds(seed: number, splits: number): number[] {
  const uniforms = uniformsOf({ seed, name: 'compare' }, hashIds(Array.from({ length: splits }, (_, k) => `${k}`)))
  return Array.from({ length: splits }, (_, k) => Math.ceil(uniforms(k) * 2 ** 53) - 1)
}
