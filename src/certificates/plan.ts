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

/** One way of betting against a value, with its share of what is staked in all. */
export type Bet =
  /** Everything that can be lost: with equal masses and no error this is the exact hypergeometric test. */
  | { readonly kind: 'all-in'; readonly weight: number }
  /** The same stake, in standard deviations, at every draw. */
  | { readonly kind: 'steady'; readonly weight: number; readonly size: number }
  /** Hedges the pay-off "1/goal if the evidence is conclusive at the deadline", which `delay` puts off. */
  | {
      readonly kind: 'deadline'
      readonly weight: number
      readonly delay: number
      readonly goal: number
      readonly quantile: number
    }

/**
 * The bets of a plan for one limit. `alpha`: the chance that the limit is ever wrong; `points`: those that the question depends on.
 * Steady stakes 2.6/√n aim at n draws, n from 4 to all points in equal ratios of at most 2.5.   @see docs/equations.md#stakes
 */
export function betsOf(plan: Plan, alpha: number, points: number): Bet[] {
  const deadlines = { none: [], budget: [{ delay: 1, share: 1 }], tolerance: [1.1, 1.6].map((delay) => ({ delay, share: 0.5 })) }[
    plan.kind
  ]
  const planned = deadlines.length > 0 ? 0.85 : 0
  const rest = 1 - planned
  const allIn = rest * (deadlines.length > 0 ? 0.35 : 0.15)
  const most = Math.max(8, points)
  const count = Math.min(1 + Math.ceil(Math.log(most / 4) / Math.log(2.5)), 13)
  return [
    ...deadlines.map(({ delay, share }): Bet => {
      const weight = planned * share
      const goal = 0.97 * alpha * weight
      return { kind: 'deadline', weight, delay, goal, quantile: probit(goal) }
    }),
    { kind: 'all-in', weight: allIn },
    ...Array.from({ length: count }, (_, j): Bet => {
      const draws = 4 * (most / 4) ** (j / (count - 1))
      return { kind: 'steady', weight: (rest - allIn) / count, size: 2.6 / Math.sqrt(draws) }
    }),
  ]
}
