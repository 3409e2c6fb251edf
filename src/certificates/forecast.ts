import { probit } from './probit.ts'

/** About how many more answers a goal will take; most of the time it is between `low` and `high`. */
export interface Forecast {
  readonly answers: number
  readonly low: number
  readonly high: number
}

/**
 * The information still missing, over what a draw brings now. A Wald interval that is looked at once needs (1.96/h)²; bets
 * that may be watched need about 1.3 times that, and the caution of the first bets costs some answers more.
 *
 * @see docs/equations.md#audit
 */
export function forecastOf(state: {
  readonly level: number
  readonly tolerance: number
  /** Σ 1/variance so far, and the variance of a draw now. */
  readonly information: number
  readonly variance: number
  /** Answers so far. A forecast that has run out is not "one more": it is at least a tenth of these. */
  readonly answers: number
  /** Points left to draw. */
  readonly left: number
}): Forecast {
  const { level, tolerance, information, variance, answers, left } = state
  const needed = 1.3 * (probit((1 - level) / 2) / tolerance) ** 2
  const caution = 20 * Math.log1p((needed * variance) / 20) // Σ 20/(k + 20): what the first bets leave unused
  const more = Math.max(answers / 10, (needed - information) * variance + caution)
  const within = (count: number) => Math.min(left, Math.max(1, Math.round(count)))
  return { answers: within(more), low: within(0.75 * more), high: within(1.35 * more) }
}
