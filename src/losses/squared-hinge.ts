import * as f from '../core/formula.ts'
import { clip } from '../core/numbers.ts'
import { marginLoss } from './loss.ts'

/** Squared hinge loss  ℓ(y, z) = max(0, 1 − yz)².  Pseudo-loss (1 + |z|)².   @see docs/equations.md#loss */
export const squaredHinge = marginLoss({
  name: 'squared-hinge',
  value: (label, score) => Math.max(0, 1 - label * score) ** 2,
  slope: (label, score) => -2 * label * Math.max(0, 1 - label * score),
  pseudoLoss: (score) => (1 + Math.abs(score)) ** 2,
  probability: (score) => clip((1 + score) / 2, 0, 1), // E ℓ is smallest at z = 2p − 1
  curvature: { at: (label, score) => (label * score < 1 ? 2 : 0), largest: 2 },
  formulas: {
    value: (label, score) => f.square(f.largest(0, f.difference(1, f.product(label, score)))),
    probability: (score) => f.clip(f.quotient(f.sum(1, score), 2), 0, 1),
  },
})
