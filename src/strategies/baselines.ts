import { successive } from '../designs/successive.ts'
import { top } from '../designs/top.ts'
import { doubt } from '../masses/doubt.ts'
import { pure } from '../masses/mass.ts'
import { uniformMass } from '../masses/uniform.ts'
import type { Strategy } from './strategy.ts'

/** Simple random sampling: what every other strategy is compared with. */
export const uniformStrategy: Strategy = {
  name: 'uniform',
  summary: 'every point alike: the baseline',
  mass: pure(uniformMass),
  design: successive,
  trainsOn: 'all',
  weighting: 0,
}

/** Uncertainty sampling (Lewis & Gale 1994): the most doubtful points, no dice, hence no unbiased estimate. */
export const uncertainty: Strategy = {
  name: 'uncertainty',
  summary: 'the smallest margins, deterministically; no unbiased estimate',
  mass: pure(doubt),
  design: top,
  trainsOn: 'all',
  weighting: 0,
}
