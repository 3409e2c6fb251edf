import * as f from '../core/formula.ts'
import { sign } from '../core/numbers.ts'
import { marginLoss } from './loss.ts'

/**
 * Zero-one loss  ℓ(y, z) = [sign z ≠ y], sign(0) = +1.  Pseudo-loss 1: for this loss the paper's distribution is uniform.
 * Its slope is 0 wherever it has one.   @see docs/equations.md#loss
 */
export const zeroOne = marginLoss({
  name: 'zero-one',
  value: (label, score) => (sign(score) === label ? 0 : 1),
  slope: () => 0,
  pseudoLoss: () => 1,
  probability: (score) => (sign(score) === 1 ? 1 : 0),
  formulas: {
    value: (label, score) => (label === 1 ? f.ifAtLeast(score, 0, 0, 1) : f.ifAtLeast(score, 0, 1, 0)),
    probability: (score) => f.ifAtLeast(score, 0, 1, 0),
  },
})
