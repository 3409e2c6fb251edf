import type { Belief, BeliefFormulas } from '../core/belief.ts'
import type { DeclaredKernel } from '../core/declared-kernel.ts'
import { requireInput } from '../core/errors.ts'
import type { Formula } from '../core/formula.ts'
import * as f from '../core/formula.ts'
import { meanRankPowers, noRanks } from '../core/margins.ts'

/** One thing a mass can be made of: a positive number for every point, read off the model's belief about it. */
export interface Ingredient {
  readonly name: string
  /** Set if the value needs the margins of the whole pool first: the power of their ranks. Its total follows from them alone. */
  readonly rankPower?: 1 | 1.5
  /** `ranks`: the mean of rank^(−power) by margin bin, where a power is set. */
  value(belief: Belief, ranks: Float64Array): number
  /** The same as a formula, for engines that weigh points where they lie. */
  express?(belief: FormBeliefFormulas, ranks: Float64Array): Formula
  /** The kernel that computes the value. Without one, engines ask for the value itself. */
  readonly kernel?: DeclaredKernel<IngredientKernel, Ingredient['value']>
}

/** Values that engines have kernels for. */
export type IngredientKernel =
  | 'uniform'
  | 'entropy'
  | 'expected-error'
  | 'expected-loss'
  | 'pseudo-loss'
  | 'pseudo-loss-linear'
  | 'doubt'
  | 'doubt-power-4'
  | 'variance'
  | 'margin-rank'

/** The same ingredient, with a kernel that computes its value. */
export function withKernel(name: IngredientKernel, ingredient: Ingredient): Ingredient {
  return { ...ingredient, kernel: { name, computes: ingredient.value } }
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
  /** How it is made of its parts: each as it is, or scaled to mean 1 and mixed. Without this, engines ask for the mass itself. */
  readonly kernel?: DeclaredKernel<'pure' | 'mixture', Mass['settle']>
}

/** The mass that is one ingredient and nothing else. */
export function pure(of: Ingredient): Mass {
  const { express } = of
  const settle: Mass['settle'] = ({ margins }) => {
    const ranks = ranksFor(of, margins)
    return (belief) => of.value(belief, ranks)
  }
  return {
    name: of.name,
    parts: [{ share: 1, of }],
    settle,
    kernel: { name: 'pure', computes: settle },
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
  const settle: Mass['settle'] = (census) => {
    const { ranks, scales } = constantsOf(parts, census)
    return (belief) => {
      let mass = 0
      for (let j = 0; j < parts.length; j++) mass += scales[j]! * parts[j]!.of.value(belief, ranks[j]!)
      return mass
    }
  }
  return {
    name,
    parts,
    settle,
    kernel: { name: 'mixture', computes: settle },
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

function ranksFor({ rankPower }: Ingredient, margins: Float64Array): Float64Array {
  return rankPower ? meanRankPowers(margins, rankPower) : noRanks
}
