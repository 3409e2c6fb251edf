import { density, probit } from './probit.ts'

/**
 * One way of betting against a value m, with its share of the starting capital.
 *
 * A `deadline` bet hedges the pay-off "1/goal if the evidence against m is conclusive once `information` has been
 * gathered": the quickest way to a given width. A `constant` bet stakes `information`/variance at every draw.
 *
 * @see docs/equations.md#bets
 */
export interface Bet {
  readonly kind: 'deadline' | 'constant'
  readonly information: number
  readonly goal: number
  readonly weight: number
}

/** For a tolerance h: two deadlines for it, an early one at four times its width, and a steady bet. `alpha`: one-sided level. */
export function toleranceBets(tolerance: number, alpha: number): Bet[] {
  return [
    deadline(1.05, 0.45, tolerance, alpha),
    deadline(1.35, 0.35, tolerance, alpha),
    deadline(1, 0.1, 4 * tolerance, alpha),
    { kind: 'constant', information: 1.3 * tolerance, goal: 0, weight: 0.1 },
  ]
}

/** The fewest answers to a tolerance h, at the price of a wide interval before that. */
export function fastestBets(tolerance: number, alpha: number): Bet[] {
  return [deadline(1, 0.5, tolerance, alpha), deadline(1.3, 0.5, tolerance, alpha)]
}

/** No tolerance in mind: narrow at every width from 8 % down to half a percent. */
export function openBets(alpha: number): Bet[] {
  return [0.08, 0.04, 0.02, 0.01, 0.005].map((width) => deadline(1.1, 0.2, width, alpha))
}

function deadline(delay: number, weight: number, width: number, alpha: number): Bet {
  const goal = 0.97 * alpha * weight
  return { kind: 'deadline', information: delay * (probit(goal) / width) ** 2, goal, weight }
}

/**
 * The stake λ on one draw, before the cap that keeps wealth positive. Everything here is known before the draw.
 * `variance` is that of the draw if m were true, `left` the information still to come on the bet's own clock.
 */
export function stake({ kind, information, goal }: Bet, wealth: number, variance: number, left: number): number {
  if (kind === 'constant') return information / variance
  const chance = wealth * goal
  if (chance >= 1 || wealth < 1e-9) return 0 // goal reached, or lost
  return density(probit(chance)) / (chance * variance * Math.sqrt(left))
}
