import { requireInput } from '../core/errors.ts'
import { mostFormFeatures } from '../core/quadratic-form.ts'
import { successive } from '../designs/successive.ts'
import { expectedError } from '../masses/expected-loss.ts'
import { marginRank } from '../masses/margin-rank.ts'
import { type Mass, type MassPart, mixture } from '../masses/mass.ts'
import { steepRank } from '../masses/steep-rank.ts'
import { uniformMass } from '../masses/uniform.ts'
import { variance } from '../masses/variance.ts'
import { boundaryForms, productsFor } from './boundary-forms.ts'
import type { Strategy } from './strategy.ts'

/** What may be set about the default. */
export interface AlisOptions {
  /** Share of every draw that is uniform, from 0.1 to 1. More of it tells more about the model, and learns a little slower. Default 0.2. */
  readonly know?: number | undefined
}

export const leastKnow = 0.1
export const usualKnow = 0.2

/**
 * In a small pool: unsure by rank, where a label would settle the boundary, where errors are expected, and some of everything. Errors that
 * are expected do least for learning, so what is drawn uniformly is taken from them first. In tenths, which come out as they are written.
 */
function forSmallPools(know: number): Mass {
  const uniform = 10 * know
  const errors = Math.max(0, 3 - uniform)
  const each = (10 - uniform - errors) / 2
  return mixtureOf('alis', [
    { share: each / 10, of: steepRank },
    { share: each / 10, of: variance },
    { share: errors / 10, of: expectedError },
    { share: know, of: uniformMass },
  ])
}

/** In a large one: read off the score alone. */
function forLargePools(know: number): Mass {
  return mixtureOf('alis-large', [
    { share: 1 - know, of: marginRank },
    { share: know, of: uniformMass },
  ])
}

const mixtureOf = (name: string, parts: readonly MassPart[]) =>
  mixture(
    name,
    parts.filter(({ share }) => share > 0),
  )

/** Products a round that take no noticeable time, hundredths of a second by kernels and tenths without. */
const isAffordable = (points: number, width: number) =>
  width <= mostFormFeatures && points * productsFor(width) + 4 * width ** 3 <= 1e8

/** The default, or with another share of everything. Trains without weights, keeps the probabilities for measuring.   @see docs/equations.md#alis */
export function alisStrategy({ know = usualKnow }: AlisOptions = {}): Strategy {
  requireInput(know >= leastKnow && know <= 1, `know: a share from ${leastKnow} to 1 is required, got ${know}`)
  const mass = forLargePools(know)
  const boundaryToo = { mass: forSmallPools(know), ...(know < 1 && { forms: boundaryForms('alis') }) }
  return {
    name: 'alis',
    summary:
      'the default: unsure points and those that would settle the boundary more often, every point sometimes; trained without weights',
    mass,
    design: successive,
    trainsOn: 'all',
    weighting: 0,
    suited: {
      mass,
      to({ size, columns }) {
        return isAffordable(size, columns + 1) ? boundaryToo : {}
      },
    },
  }
}

export const alis = alisStrategy()

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
