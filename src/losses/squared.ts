import * as f from '../core/formula.ts'
import { clip } from '../core/numbers.ts'
import { marginLoss } from './loss.ts'

/** Squared loss  ℓ(y, z) = (y − z)².  Pseudo-loss (1 + |z|)².   @see docs/equations.md#loss */
export const squared = marginLoss({
  name: 'squared',
  value: (label, score) => (label - score) ** 2,
  slope: (label, score) => 2 * (score - label),
  pseudoLoss: (score) => (1 + Math.abs(score)) ** 2,
  probability: (score) => clip((1 + score) / 2, 0, 1), // E ℓ is smallest at z = 2p − 1
  curvature: { at: () => 2, largest: 2, isConstant: true },
  formulas: {
    value: (label, score) => f.square(f.difference(label, score)),
    probability: (score) => f.clip(f.quotient(f.sum(1, score), 2), 0, 1),
  },
})
