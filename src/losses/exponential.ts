import * as f from '../core/formula.ts'
import { sigmoid } from '../core/numbers.ts'
import { marginLoss } from './loss.ts'

/**
 * Exponential loss  ℓ(y, z) = exp(−yz).  Pseudo-loss exp(|z|).   @see docs/equations.md#loss
 *
 * A double ends at e⁷⁰⁹. From e⁶⁰⁰ on the loss stays where it is, so that sums over a pool, and their squares, still fit.
 */
export const exponential = marginLoss({
  name: 'exponential',
  value: (label, score) => cappedExp(-label * score),
  slope: (label, score) => -label * cappedExp(-label * score),
  pseudoLoss: (score) => cappedExp(Math.abs(score)),
  curvature: { at: (_, __, slope) => Math.abs(slope), largest: Number.POSITIVE_INFINITY },
  probability: (score) => sigmoid(2 * score), // E ℓ is smallest at z = ½ log(p / (1 − p))
  formulas: {
    value: (label, score) => f.exp(f.smallest(f.product(-label, score), 600)),
    probability: (score) => f.sigmoid(f.product(2, score)),
  },
})

function cappedExp(x: number): number {
  return Math.exp(Math.min(x, 600))
}
