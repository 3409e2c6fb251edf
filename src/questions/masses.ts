import type { RaceGroup } from '../certificates/model-pair.ts'
import { type RaceState, raceMasses } from '../certificates/race-masses.ts'
import type { Beliefs } from './beliefs.ts'
import type { Strata } from './frame.ts'
import type { QuestionTables } from './tables.ts'

/**
 * How the masses of a round follow from what is believed, with the numbers that were in force: kept with its draws.
 *
 *   a = (1 − ε) s/mean(s) + ε  where the answer matters to some open question, 0 elsewhere;   s² = Σ_q Var(num − F_q den)/(D_q h_q)²
 *
 * @see docs/equations.md#audit-masses
 */
export type MassRule =
  /** The same for every point. */
  | { readonly kind: 'uniform' }
  /** The same wherever the answer matters. */
  | { readonly kind: 'equal' }
  /** Where models that are still in the race for the best differ. */
  | ({ readonly kind: 'race' } & RaceState)
  | { readonly kind: 'spread'; readonly floor: number; readonly parts: readonly MassPart[]; readonly mean: number }

/** What an open question contributes: F_q, where it is thought to be, and 1/(D_q h_q). */
export interface MassPart {
  readonly centre: number
  readonly scale: number
}

/** Share of the mass that is spread evenly: no weight is ever more than 1/floor times that of uniform draws. */
const floor = 0.4

/** An open question, as masses see it. */
export interface OpenQuestion {
  readonly tables: QuestionTables
  /** Where F is thought to be, what is expected of its denominator, and the half-width that is wanted of it. */
  readonly centre: number
  readonly denominator: number
  readonly tolerance: number
}

/** The rule that spends answers where they say most about all questions that are open. */
export function spreadRule(open: readonly OpenQuestion[], strata: Strata, left: Float64Array, beliefs: Beliefs): MassRule {
  const parts = open.map(({ tables, centre, denominator, tolerance }) => {
    const [least, most] = tables.question.range
    const edge = 0.05 * (most - least) // a mass must not vanish because F looks like the end of its range
    return {
      centre: Math.min(Math.max(centre, least + edge), most - edge),
      scale: 1 / (Math.max(1, denominator) * tolerance),
    }
  })
  const all = open.map(({ tables }) => tables)
  const spreads = spreadsOf(parts, all, strata, beliefs)
  let [sum, points] = [0, 0]
  for (let k = 0; k < left.length; k++) {
    if (!matters(all, k)) continue
    sum += left[k]! * spreads[k]!
    points += left[k]!
  }
  return { kind: 'spread', floor, parts, mean: points > 0 ? sum / points : 0 }
}

/** The mass of a point of each stratum. `open`: the tables of the questions that were open, in the order of the rule's parts. */
export function massesOf(
  rule: MassRule,
  open: readonly QuestionTables[],
  strata: Strata,
  left: Float64Array,
  beliefs: Beliefs,
): Float64Array {
  if (rule.kind === 'race') return raceMasses(raceGroups(strata, left, beliefs), rule)
  const masses = new Float64Array(strata.list.length)
  const spreads = rule.kind === 'spread' && rule.mean > 0 ? spreadsOf(rule.parts, open, strata, beliefs) : undefined
  for (let k = 0; k < masses.length; k++) {
    if (rule.kind !== 'uniform' && !matters(open, k)) continue
    masses[k] = spreads && rule.kind === 'spread' ? ((1 - rule.floor) * spreads[k]!) / rule.mean + rule.floor : 1
  }
  return masses
}

/** The points that are left, as a race of models sees them. */
export function raceGroups({ list, profiles }: Strata, left: Float64Array, beliefs: Beliefs): RaceGroup[] {
  return list.map(({ predicted }, k) => ({ predicted, probabilities: beliefs.probabilities(profiles[k]!), count: left[k]! }))
}

const matters = (open: readonly QuestionTables[], stratum: number) =>
  open.some(({ relevant, kinds }) => relevant[kinds[stratum]!])

function spreadsOf(parts: readonly MassPart[], open: readonly QuestionTables[], strata: Strata, beliefs: Beliefs): Float64Array {
  const squares = new Float64Array(strata.list.length)
  for (const [q, { centre, scale }] of parts.entries()) {
    const { kinds, relevant, question } = open[q]!
    const known = new Map<number, number>()
    for (let k = 0; k < squares.length; k++) {
      const kind = kinds[k]!
      if (!relevant[kind]) continue
      const profile = strata.profiles[k]!
      const key = profile * question.kinds.length + kind
      let square = known.get(key)
      if (square === undefined) {
        const { numNum, numDen, denDen } = beliefs.moments(profile, question.kinds[kind]!)
        square = scale * scale * Math.max(0, numNum - 2 * centre * numDen + centre * centre * denDen)
        known.set(key, square)
      }
      squares[k]! += square
    }
  }
  return squares.map(Math.sqrt)
}
