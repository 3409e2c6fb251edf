import { clip } from '../core/numbers.ts'
import type { Plan } from './plan.ts'
import { probit } from './probit.ts'
import { type Question, rawSpreadAt } from './question.ts'

/** About how many more answers a goal will take; most of the time it is between `low` and `high`. */
export interface Forecast {
  readonly answers: number
  readonly low: number
  readonly high: number
}

/** How fast an interval narrows. */
export interface Pace {
  readonly question: Question
  readonly plan: Plan['kind']
  /** Chances that the limits are ever wrong; 0 for none. */
  readonly lower: number
  readonly upper: number
  /** Where F is thought to be. */
  readonly estimate: number
  /** Σ 1/variance of the draws so far, and the variance of the next one: of X/Σden, for each unit of the spread. */
  readonly information: number
  readonly variance: number
  /** Draws so far, and points left that can be drawn: of those that matter. */
  readonly draws: number
  readonly left: number
  /** Of the answers to come, the share that matters. */
  readonly share: number
}

/** Information needed, over that for one look at the end: what it costs that an interval holds at every look. */
const prices: Readonly<Record<Plan['kind'], number>> = { none: 2.3, budget: 1.3, tolerance: 1.35 }

/**
 * About how many more answers until the interval is as narrow as ± tolerance: the information that is missing, over what a draw brings.
 * With one limit alone: until it is that close to the estimate. What F lies a standard error to either side says how sure that is; before
 * the first draw, beliefs count like ten.   @see docs/equations.md#forecast
 */
export function answersUntil(pace: Pace, tolerance: number): Forecast {
  const { question, information, variance, estimate } = pace
  const known = information + 10 / variance
  const error = Math.sqrt(Math.max(rawSpreadAt(question, estimate), 0) / known)
  const at = (f: number) => (needFor(pace, clip(f, ...question.range), tolerance) - information) * variance
  const [below, above] = [at(estimate - error), at(estimate + error)]
  return forecast(at(estimate), [Math.min(below, above), Math.max(below, above)], pace)
}

/** The same for a mean of which no more is known than the variance of a draw: for example before the first one. */
export function forecastOf(state: {
  readonly level: number
  readonly tolerance: number
  /** Σ 1/variance so far, and the variance of a draw now. */
  readonly information: number
  readonly variance: number
  /** Answers so far. */
  readonly answers: number
  /** Points left to draw. */
  readonly left: number
}): Forecast {
  const { level, tolerance, information, variance, answers, left } = state
  const needed = prices.tolerance * (probit((1 - level) / 2) / tolerance) ** 2
  const draws = (needed - information) * variance
  return forecast(draws, [draws, draws], { draws: answers, left, share: 1 })
}

/** Draws of an endless pool as answers, with a margin for luck. */
function forecast(draws: number, [low, high]: readonly [number, number], pace: Pick<Pace, 'draws' | 'left' | 'share'>): Forecast {
  return { answers: answersFor(draws, pace), low: answersFor(0.8 * low, pace), high: answersFor(1.3 * high, pace) }
}

/**
 * From draws of an endless pool to answers: of a finite one the last draws say most, and some answers do not matter. A forecast that
 * has run out is not "one more": it is at least a tenth of the draws so far.
 */
function answersFor(endless: number, { draws, left, share }: Pick<Pace, 'draws' | 'left' | 'share'>): number {
  const more = Math.max(draws / 10, endless)
  return Math.ceil((more * left) / (more + left) / share)
}

/** The half-width to expect after so many more answers. */
export function halfWidthAfter(pace: Pace, answers: number): number {
  const { question, information, variance, left, share } = pace
  const draws = answers * share
  if (draws >= left) return 0
  const gathered = information + (left * draws) / (left - draws) / variance
  const [least, most] = question.range
  let [narrow, wide] = [0, (most - least) / 2]
  for (let step = 0; step < 40; step++) {
    const middle = (narrow + wide) / 2
    if (needFor(pace, pace.estimate, middle) > gathered) narrow = middle
    else wide = middle
  }
  return wide
}

/**
 * Information at which two score tests, one from either side, leave a width of 2h around the estimate t:
 * (t − low)/(z √g(low)) = (high − t)/(z′ √g(high)),  high = low + 2h.
 */
function needFor({ question, plan, lower, upper }: Pace, estimate: number, tolerance: number): number {
  const [least, most] = question.range
  const [below, above] = [lower, upper].map((alpha) => (alpha > 0 ? -probit(alpha) : 0)) as [number, number]
  const span = lower > 0 && upper > 0 ? 2 * tolerance : tolerance
  const pull = (z: number, f: number) => z * Math.sqrt(Math.max(rawSpreadAt(question, f), 0))
  let [from, to] = [Math.max(least, estimate - span), estimate]
  const end = (low: number) => Math.min(low + span, most)
  for (let step = 0; step < 40; step++) {
    const low = (from + to) / 2
    if ((estimate - low) * pull(above, end(low)) > (end(low) - estimate) * pull(below, low)) from = low
    else to = low
  }
  return prices[plan] * ((pull(below, to) + pull(above, end(to))) / span) ** 2
}
