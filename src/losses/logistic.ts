import * as f from '../core/formula.ts'
import { sigmoid, softplus } from '../core/numbers.ts'
import { marginLoss } from './loss.ts'

/** Logistic loss  ℓ(y, z) = log(1 + exp(−yz)).  Pseudo-loss |z| + log(1 + exp(−|z|)).   @see docs/equations.md#loss */
export const logistic = marginLoss(
  {
    name: 'logistic',
    value: (label, score) => softplus(-label * score),
    slope: (label, score) => -label * sigmoid(-label * score),
    pseudoLoss: (score) => softplus(Math.abs(score)),
    probability: sigmoid,
    curvature: { at: (_label, _score, slope) => Math.abs(slope) * (1 - Math.abs(slope)), largest: 1 / 4 }, // σ(z) σ(−z)
    formulas: { value: (label, score) => f.softplus(f.product(-label, score)), probability: f.sigmoid },
  },
  'sigmoid',
)
