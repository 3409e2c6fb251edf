import type { Reader } from '../core/belief.ts'
import { crossEntropy } from './cross-entropy.ts'
import { exponential } from './exponential.ts'
import { hinge } from './hinge.ts'
import { logistic } from './logistic.ts'
import { squared } from './squared.ts'
import { squaredHinge } from './squared-hinge.ts'
import { zeroOne } from './zero-one.ts'

/** Every loss by name. */
export const losses = {
  logistic,
  squared,
  'squared-hinge': squaredHinge,
  hinge,
  exponential,
  'zero-one': zeroOne,
  'cross-entropy': crossEntropy,
} as const satisfies Record<string, Reader>

/** Those that people choose a learner by: they have a curvature, or a solver of their own. Names alone, for a page that has no use for the mathematics. */
export const lossNames = [
  'logistic',
  'squared',
  'squared-hinge',
  'hinge',
  'exponential',
] as const satisfies readonly (keyof typeof losses)[]
export type LossName = (typeof lossNames)[number]
export const defaultLoss = 'logistic' satisfies LossName
