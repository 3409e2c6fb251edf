import { successive } from '../designs/successive.ts'
import { entropy } from '../masses/entropy.ts'
import { expectedError } from '../masses/expected-loss.ts'
import { marginRank } from '../masses/margin-rank.ts'
import { mixture } from '../masses/mass.ts'
import { uniformMass } from '../masses/uniform.ts'
import type { Strategy } from './strategy.ts'

/**
 * The default: close to the boundary by rank, uncertain by entropy, and a tenth of everything. Trains without weights,
 * keeps the probabilities for measuring.   @see docs/equations.md#alis
 */
export const alis: Strategy = {
  name: 'alis',
  summary: 'the default: half margin rank, two fifths entropy, one tenth uniform; trained without weights',
  mass: mixture('alis', [
    { share: 0.5, of: marginRank },
    { share: 0.4, of: entropy },
    { share: 0.1, of: uniformMass },
  ]),
  design: successive,
  trainsOn: 'all',
  weighting: 0,
}

/** For measuring a fixed model: where it expects errors, with two fifths uniform so that no weight starts above 2.5. */
export const alisAudit: Strategy = {
  name: 'alis-audit',
  summary: 'for measuring: where the model expects errors, two fifths uniform',
  mass: mixture('alis-audit', [
    { share: 0.6, of: expectedError },
    { share: 0.4, of: uniformMass },
  ]),
  design: successive,
  trainsOn: 'all',
  weighting: 0,
}
