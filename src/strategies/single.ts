import { successive } from '../designs/successive.ts'
import { entropy } from '../masses/entropy.ts'
import { expectedLoss } from '../masses/expected-loss.ts'
import { marginRank } from '../masses/margin-rank.ts'
import { type Ingredient, mixture } from '../masses/mass.ts'
import { uniformMass } from '../masses/uniform.ts'
import type { Strategy } from './strategy.ts'

/** One ingredient and a tenth of uniform. */
function single(of: Ingredient, summary: string): Strategy {
  const mass = mixture(of.name, [
    { share: 0.9, of },
    { share: 0.1, of: uniformMass },
  ])
  return { name: of.name, summary, mass, design: successive, trainsOn: 'all', weighting: 0 }
}

export const marginRankStrategy = single(marginRank, '1/rank of the margin, one tenth uniform')
export const entropyStrategy = single(entropy, 'entropy of the prediction, one tenth uniform')
export const expectedLossStrategy = single(expectedLoss, 'root mean square of the loss the model expects, one tenth uniform')
