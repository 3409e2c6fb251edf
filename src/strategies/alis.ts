import { mostFormFeatures } from '../core/matrices.ts'
import { successive } from '../designs/successive.ts'
import { expectedError } from '../masses/expected-loss.ts'
import { marginRank } from '../masses/margin-rank.ts'
import { mixture } from '../masses/mass.ts'
import { steepRank } from '../masses/steep-rank.ts'
import { uniformMass } from '../masses/uniform.ts'
import { variance } from '../masses/variance.ts'
import { boundaryForms } from './boundary-forms.ts'
import type { Strategy } from './strategy.ts'

/** The default in a small pool: unsure by rank, where a label would settle the boundary, where errors are expected, and a fifth of everything. */
const forSmallPools = mixture('alis', [
  { share: 0.35, of: steepRank },
  { share: 0.35, of: variance },
  { share: 0.1, of: expectedError },
  { share: 0.2, of: uniformMass },
])

/** In a large one: read off the score alone. */
const forLargePools = mixture('alis-large', [
  { share: 0.8, of: marginRank },
  { share: 0.2, of: uniformMass },
])

const boundaryToo = { mass: forSmallPools, forms: boundaryForms('alis') }

/** Products a round that take no noticeable time, hundredths of a second by kernels and tenths without: w² for each point, and for some matrices w³. */
const isAffordable = (points: number, width: number) => width <= mostFormFeatures && (points + 4 * width) * width ** 2 <= 1e8

/** From so many points on the pool is not scored anew for a model that hardly differs from the last.   @see docs/decisions/kernels.md */
const many = 1_000_000
const steady = 0.1

/** The default. Trains without weights, keeps the probabilities for measuring.   @see docs/equations.md#alis */
export const alis: Strategy = {
  name: 'alis',
  summary:
    'the default: unsure points and those that would settle the boundary more often, every point sometimes; trained without weights',
  mass: forLargePools,
  design: successive,
  trainsOn: 'all',
  weighting: 0,
  suited: {
    mass: forLargePools,
    to({ size, columns }) {
      if (isAffordable(size, columns + 1)) return boundaryToo
      return size < many ? {} : { steady }
    },
  },
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
