import * as f from '../core/formula.ts'
import { clip } from '../core/numbers.ts'
import { marginLoss } from './loss.ts'

/** Hinge loss  ℓ(y, z) = max(0, 1 − yz).  Pseudo-loss 1 + |z|.   @see docs/equations.md#loss */
export const hinge = marginLoss({
  name: 'hinge',
  value: (label, score) => Math.max(0, 1 - label * score),
  slope: (label, score) => (label * score <= 1 ? -label : 0),
  pseudoLoss: (score) => 1 + Math.abs(score),
  probability: (score) => clip((1 + score) / 2, 0, 1), // the hinge estimates no probability; this one has the same sign
  formulas: {
    value: (label, score) => f.largest(0, f.difference(1, f.product(label, score))),
    probability: (score) => f.clip(f.quotient(f.sum(1, score), 2), 0, 1),
  },
})
