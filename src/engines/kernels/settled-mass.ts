import { meanRankPowers } from '../../core/margins.ts'
import type { Census, Mass } from '../../masses/mass.ts'

/** A settled mass as a sum:  a = Σ scaleⱼ · vⱼ,  where vⱼ is read off `ranks[j]` by margin bin if there is such a table. */
export interface SettledSum {
  readonly scales: readonly number[]
  readonly ranks: readonly (Float64Array | undefined)[]
}

/** What a mass comes to with this census if it is a mixture, and if it is its parts as they are. Whoever uses one asks the mass itself whether it is so. */
export function settledSums({ parts }: Mass, { points, margins, totals }: Census): readonly SettledSum[] {
  const ranks = parts.map(({ of }) => (of.rankPower ? meanRankPowers(margins, of.rankPower) : undefined))
  const wholes = ranks.map((table, j) => table?.reduce((sum, value, bin) => sum + value * margins[bin]!, 0) ?? totals[j]!)
  const mixed = parts.map(({ share }, j) => (wholes[j]! > 0 ? (share * points) / wholes[j]! : 0))
  return [mixed, parts.map(() => 1)].map((scales) => ({ scales, ranks }))
}

/** The same number, up to rounding. */
export const isNear = (a: number, b: number): boolean => Math.abs(a - b) <= 1e-9 * Math.max(Math.abs(b), 1e-9)

/** Largest values are given with this much on top, and the smallest without: scores are right to about six digits, and nothing may lie beyond. */
export const beyond = 1 + 2e-6
