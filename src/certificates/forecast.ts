import { probit } from './probit.ts'

/** About how many more answers a goal will take; most of the time it is between `low` and `high`. */
export interface Forecast {
  readonly answers: number
  readonly low: number
  readonly high: number
}

/**
 * The information still missing, over what a draw brings now. A Wald interval that is looked at once needs (1.96/h)²; bets
 * that may be watched need about 1.45 times that.   @see docs/equations.md#audit
 */
export function forecastOf(state: {
  readonly level: number
  readonly tolerance: number
  /** Σ 1/variance so far, and the variance of a draw now. */
  readonly information: number
  readonly variance: number
  /** Points left to draw. */
  readonly left: number
}): Forecast {
  const { level, tolerance, information, variance, left } = state
  const needed = 1.45 * (probit((1 - level) / 2) / tolerance) ** 2
  const more = Math.max(1, (needed - information) * variance)
  const within = (answers: number) => Math.min(left, Math.max(1, Math.round(answers)))
  return { answers: within(more), low: within(0.75 * more), high: within(1.35 * more) }
}
