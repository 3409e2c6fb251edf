import { probit } from './probit.ts'

/**
 * What the bets of a question aim at: an interval of half-width h, one that is narrow after so many answers, or nothing, which is narrow
 * at every moment and narrowest at none. Registered before the first draw that is bet on with it.   @see docs/equations.md#plans
 */
export type Plan =
  | { readonly kind: 'none' }
  | { readonly kind: 'budget'; readonly answers: number }
  | { readonly kind: 'tolerance'; readonly tolerance: number }

export const noPlan: Plan = { kind: 'none' }

/** How what is staked in all is divided between bets. The shares add up to 1. */
export interface Split {
  readonly deadlines: readonly { readonly delay: number; readonly weight: number }[]
  readonly allIn: number
  /** Of all steady bets together. */
  readonly steady: number
}

/** Numbers that decide how narrow intervals are, and never whether they are right. */
export interface Tuning {
  readonly splits: Readonly<Record<Plan['kind'], Split>>
  /** Draws that the predicted variance of a draw is worth, against what is seen of it. */
  readonly trust: number
  /**
   * Stakes against f never take the deviation of X(f) to be less than this share of what beliefs make it. For a ratio it can be far more than
   * "if f were true" says, as X(0) is about the numerator alone; stakes that are too large for it lose everything to the first surprise.
   */
  readonly leastDeviation: number
}

/** The numbers of the mathematics, which its reference values were computed with. */
export const referenceTuning: Tuning = {
  splits: {
    none: { deadlines: [], allIn: 0.15, steady: 0.85 },
    budget: { deadlines: [{ delay: 1, weight: 0.85 }], allIn: 0.0525, steady: 0.0975 },
    tolerance: {
      deadlines: [
        { delay: 1.1, weight: 0.425 },
        { delay: 1.6, weight: 0.425 },
      ],
      allIn: 0.0525,
      steady: 0.0975,
    },
  },
  trust: 100,
  leastDeviation: 0,
}

/**
 * The numbers in use. Most of a tolerance rests on its first deadline, and a predicted variance is trusted more: about a twentieth fewer
 * answers than with those of the reference, also where confidences say nothing.
 */
export const tuning: Tuning = {
  splits: {
    ...referenceTuning.splits,
    tolerance: {
      deadlines: [
        { delay: 1.1, weight: 0.7 },
        { delay: 1.4, weight: 0.22 },
      ],
      allIn: 0.05,
      steady: 0.03,
    },
  },
  trust: 400,
  leastDeviation: 0.7,
}

/** The bets against a value, with their shares: deadlines first, then all in, then the steady ones. */
export interface Bets {
  readonly weights: Float64Array
  /** Each hedges the pay-off "1/goal if the evidence is conclusive at the deadline": once the information `need` · ν has come in. */
  readonly deadlines: readonly { readonly goal: number; readonly need: number }[]
  /** Stakes of the steady bets, in standard deviations. */
  readonly sizes: Float64Array
}

/**
 * The bets of a plan for one limit. `alpha`: the chance that the limit is ever wrong; `points`: those that the question depends on.
 * Steady stakes 2.6/√n aim at n draws, n from 4 to all points in equal ratios of at most 2.5.   @see docs/equations.md#stakes
 */
export function betsOf({ kind }: Plan, alpha: number, points: number, { splits }: Tuning = tuning): Bets {
  const { deadlines, allIn, steady } = splits[kind]
  const most = Math.max(8, points)
  const count = Math.min(1 + Math.ceil(Math.log(most / 4) / Math.log(2.5)), 13)
  const each = new Array<number>(count).fill(steady / count)
  return {
    weights: Float64Array.from([...deadlines.map(({ weight }) => weight), allIn, ...each]),
    deadlines: deadlines.map(({ delay, weight }) => {
      const goal = 0.97 * alpha * weight
      return { goal, need: delay * probit(goal) ** 2 }
    }),
    sizes: Float64Array.from(each, (_, j) => 2.6 / Math.sqrt(4 * (most / 4) ** (j / (count - 1)))),
  }
}
