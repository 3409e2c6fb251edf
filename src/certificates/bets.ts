import { hedge } from './hedge.ts'
import { probit } from './probit.ts'

/**
 * One way of betting against a value, with its share of the starting capital. A stake may depend on anything known before
 * the draw; how well it is chosen decides how narrow an interval is, never whether it is right.   @see docs/equations.md#bets
 */
export interface Bet {
  readonly weight: number
  /** Information by which the bet wants to be decided, in units of 1/variance; 0 if it does not care. */
  readonly deadline: number
  /** λ for the next draw. `variance`: of the draw, if the value were true; `left`: information until the deadline. */
  stake(wealth: number, variance: number, left: number): number
}

/** For a tolerance h: two deadlines for it, an early one at four times its width, and a steady bet. `alpha`: one-sided level. */
export function toleranceBets(tolerance: number, alpha: number): Bet[] {
  return [
    deadlineBet(1.05, 0.45, tolerance, alpha),
    deadlineBet(1.35, 0.35, tolerance, alpha),
    deadlineBet(1, 0.1, 4 * tolerance, alpha),
    steadyBet(1.3 * tolerance, 0.1),
  ]
}

/**
 * For a tolerance h: nearly everything on one deadline, a little on an early one at four times the width and on a steady
 * bet. Two deadlines pay for being looked at twice; one that goes on betting after it needs a tenth fewer answers.
 */
export function singleBets(tolerance: number, alpha: number): Bet[] {
  return [
    deadlineBet(1.1, 0.93, tolerance, alpha),
    deadlineBet(1, 0.035, 4 * tolerance, alpha),
    steadyBet(1.3 * tolerance, 0.035),
  ]
}

/** The fewest answers to a tolerance h, at the price of a wide interval before that. */
export function fastestBets(tolerance: number, alpha: number): Bet[] {
  return [deadlineBet(1, 0.5, tolerance, alpha), deadlineBet(1.3, 0.5, tolerance, alpha)]
}

/** No tolerance in mind: narrow at every width from 8 % down to half a percent. */
export function openBets(alpha: number): Bet[] {
  return [0.08, 0.04, 0.02, 0.01, 0.005].map((width) => deadlineBet(1.1, 0.2, width, alpha))
}

/**
 * Hedges the pay-off "1/goal if the evidence is conclusive once the information of a given width has been gathered": the
 * quickest way to that width. Stops when the goal is reached or the stake is lost.
 */
function deadlineBet(delay: number, weight: number, width: number, alpha: number): Bet {
  const goal = 0.97 * alpha * weight
  return {
    weight,
    deadline: delay * (probit(goal) / width) ** 2,
    stake(wealth, variance, left) {
      const chance = wealth * goal
      if (chance >= 1 || wealth < 1e-9) return 0
      return hedge(chance) / (variance * Math.sqrt(left))
    },
  }
}

/** The same stake at every draw of the same variance. */
function steadyBet(width: number, weight: number): Bet {
  return { weight, deadline: 0, stake: (_, variance) => width / variance }
}
