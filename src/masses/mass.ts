import type { Belief, BeliefFormulas } from '../core/belief.ts'
import { requireInput } from '../core/errors.ts'
import type { Formula } from '../core/formula.ts'
import * as f from '../core/formula.ts'
import { meanRankPowers } from '../core/margins.ts'

/** One thing a mass can be made of: a positive number for every point, read off the model's belief about it. */
export interface Ingredient {
  readonly name: string
  /** Set if the value needs the margins of the whole pool first: the power of their ranks. Its total follows from them alone. */
  readonly rankPower?: 1 | 1.5
  /** `ranks`: the mean of rank^(−power) by margin bin, where a power is set. */
  value(belief: Belief, ranks: Float64Array): number
  /** The same as a formula, for engines that weigh points where they lie. */
  express?(belief: FormBeliefFormulas, ranks: Float64Array): Formula
}

/** A belief as formulas, with the quadratic forms that were asked for. */
export interface FormBeliefFormulas extends BeliefFormulas {
  readonly forms: readonly Formula[]
}

/** What one pass over the points that may be drawn finds out. Merges across shards by addition. */
export interface Census {
  readonly points: number
  /** Counts by margin bin. */
  readonly margins: Float64Array
  /** Σ of each part's values; 0 for ranked parts. */
  readonly totals: readonly number[]
}

export interface MassPart {
  readonly share: number
  readonly of: Ingredient
}

/**
 * What a point's chance of being drawn is proportional to: a function of the score and a few totals, fixed before the
 * draw. It never sees a column as long as the pool, so it can run where the pool lies.   @see docs/equations.md#mass
 */
export interface Mass {
  readonly name: string
  readonly parts: readonly MassPart[]
  /** Fixes the pool-wide constants and returns the mass of a single point. */
  settle(census: Census): (belief: Belief) => number
  /** The same as a formula, if every part has one. */
  express?(census: Census): (belief: FormBeliefFormulas) => Formula
}

/** The mass that is one ingredient and nothing else. */
export function pure(of: Ingredient): Mass {
  const { express } = of
  return {
    name: of.name,
    parts: [{ share: 1, of }],
    settle({ margins }) {
      const ranks = ranksFor(of, margins)
      return (belief) => of.value(belief, ranks)
    },
    ...(express && {
      express({ margins }: Census) {
        const ranks = ranksFor(of, margins)
        return (belief: FormBeliefFormulas) => express(belief, ranks)
      },
    }),
  }
}

/** Each part scaled to mean 1 over the pool, then mixed:  aᵢ = Σ shareⱼ · vⱼᵢ / mean(vⱼ).   @see docs/equations.md#mixture */
export function mixture(name: string, parts: readonly MassPart[]): Mass {
  const whole = parts.reduce((sum, { share }) => sum + share, 0)
  requireInput(
    parts.every(({ share }) => share > 0) && Math.abs(whole - 1) < 1e-12,
    `mixture ${name}: shares must be positive and sum to 1, got ${parts.map(({ share }) => share).join(' + ')}`,
  )
  const expressions = parts.flatMap(({ of }) => (of.express ? [of.express] : []))
  return {
    name,
    parts,
    settle(census) {
      const { ranks, scales } = constantsOf(parts, census)
      return (belief) => {
        let mass = 0
        for (let j = 0; j < parts.length; j++) mass += scales[j]! * parts[j]!.of.value(belief, ranks[j]!)
        return mass
      }
    },
    ...(expressions.length === parts.length && {
      express(census: Census) {
        const { ranks, scales } = constantsOf(parts, census)
        return (belief: FormBeliefFormulas) =>
          f.sum(...expressions.map((express, j) => f.product(scales[j]!, express(belief, ranks[j]!))))
      },
    }),
  }
}

/** The ranks of each part, and what its values are multiplied with. */
function constantsOf(parts: readonly MassPart[], { points, margins, totals }: Census) {
  const ranks = parts.map(({ of }) => ranksFor(of, margins))
  const scales = parts.map(({ share, of }, j) => {
    const total = of.rankPower ? ranks[j]!.reduce((sum, value, bin) => sum + value * margins[bin]!, 0) : totals[j]!
    return total > 0 ? (share * points) / total : 0
  })
  return { ranks, scales }
}

const noRanks = new Float64Array(0)

function ranksFor({ rankPower }: Ingredient, margins: Float64Array): Float64Array {
  return rankPower ? meanRankPowers(margins, rankPower) : noRanks
}
