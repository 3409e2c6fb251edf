import { kernelFor } from '../../core/declared-kernel.ts'
import { meanRankPowers } from '../../core/margins.ts'
import type { Census, Mass } from '../../masses/mass.ts'

/** A settled mass as a sum:  a = Σ scaleⱼ · vⱼ,  where vⱼ is read off `ranks[j]` by margin bin if there is such a table. */
export interface SettledSum {
  readonly scales: readonly number[]
  readonly ranks: readonly (Float64Array | undefined)[]
}

/** What a mass comes to with this census; undefined for one that does not say how it is made of its parts. */
export function settledSum({ parts, kernel, settle }: Mass, { points, margins, totals }: Census): SettledSum | undefined {
  const composition = kernelFor(kernel, settle)
  if (!composition) return undefined
  const ranks = parts.map(({ of }) => (of.rankPower ? meanRankPowers(margins, of.rankPower) : undefined))
  if (composition === 'pure') return { scales: parts.map(() => 1), ranks }
  const sums = ranks.map((table, j) => table?.reduce((sum, value, bin) => sum + value * margins[bin]!, 0) ?? totals[j]!)
  return { scales: parts.map(({ share }, j) => (sums[j]! > 0 ? (share * points) / sums[j]! : 0)), ranks }
}

/** Largest values are given with this much on top, and the smallest without: scores are right to about six digits, and nothing may lie beyond. */
export const beyond = 1 + 2e-6
