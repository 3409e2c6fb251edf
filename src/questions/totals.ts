import { nodes, type QuestionTotals } from '../certificates/question.ts'
import type { Beliefs } from './beliefs.ts'
import type { Strata } from './frame.ts'
import type { QuestionTables } from './tables.ts'

/** A round before its first draw: points left and the mass of one, by stratum. */
export interface RoundStart {
  readonly left: Float64Array
  readonly masses: Float64Array
  readonly beliefs: Beliefs
}

/** What a question needs of a round, over the points that are left when it begins.   @see docs/equations.md#question-totals */
export function totalsOf(
  { question, kinds, relevant }: Pick<QuestionTables, 'question' | 'kinds' | 'relevant'>,
  strata: Strata,
  { left, masses, beliefs }: RoundStart,
): QuestionTotals {
  const groups = groupsOf(strata, left, masses, kinds, question.kinds.length)
  const sums = { mass: 0, num: 0, den: 0, numNum: 0, numDen: 0, denDen: 0 }
  const down = new Array<number>(nodes).fill(0)
  const up = new Array<number>(nodes).fill(0)
  const [least, most] = question.range
  let isCovered = true
  for (const [key, { points, mass, perMass, leastMass }] of groups) {
    const [profile, kind] = [Math.floor(key / question.kinds.length), key % question.kinds.length]
    const worths = question.kinds[kind]!
    const belief = beliefs.moments(profile, worths)
    sums.num += points * belief.num
    sums.den += points * belief.den
    if (!relevant[kind]) continue
    if (leastMass <= 0) isCovered = false
    if (!isCovered) continue
    sums.mass += mass
    sums.numNum += perMass * belief.numNum
    sums.numDen += perMass * belief.numDen
    sums.denDen += perMass * belief.denDen
    for (let j = 0; j < nodes; j++) {
      const f = least + ((most - least) * j) / (nodes - 1)
      const expected = belief.num - f * belief.den
      for (const { num, den } of worths) {
        const move = (num - f * den - expected) / leastMass
        if (-move > down[j]!) down[j] = -move
        if (move > up[j]!) up[j] = move
      }
    }
  }
  return { isCovered, ...sums, down, up }
}

/** Points that are alike to a question: of one kind, and believed to be the same. */
interface Group {
  points: number
  /** Σ a, Σ 1/a and the smallest a. */
  mass: number
  perMass: number
  leastMass: number
}

function groupsOf(
  { profiles }: Strata,
  left: Float64Array,
  masses: Float64Array,
  kinds: Int32Array,
  width: number,
): Map<number, Group> {
  const groups = new Map<number, Group>()
  for (let k = 0; k < left.length; k++) {
    const [points, mass] = [left[k]!, masses[k]!]
    if (points === 0) continue
    const key = profiles[k]! * width + kinds[k]!
    const group = groups.get(key)
    if (group) {
      group.points += points
      group.mass += points * mass
      group.perMass += points / mass
      group.leastMass = Math.min(group.leastMass, mass)
    } else groups.set(key, { points, mass: points * mass, perMass: points / mass, leastMass: mass })
  }
  return groups
}
