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

/**
 * Information needed, over that for one look at the end: what it costs that an interval holds at every look. Measured: for most audits more
 * than the first, for half of them more than the second, for few more than the third.
 */
const prices: Readonly<Record<Plan['kind'], readonly [low: number, middle: number, high: number]>> = {
  none: [1.8, 2.3, 3],
  budget: [1.2, 1.3, 1.6],
  tolerance: [1.15, 1.45, 2],
}

/**
 * About how many more answers until the interval is as narrow as ± tolerance: the information that is missing, over what a draw brings.
 * With one limit alone: until it is that close to the estimate. What F lies a standard error to either side says how sure that is; before
 * the first draw, beliefs count like ten.   @see docs/equations.md#forecast
 */
export function answersUntil(pace: Pace, tolerance: number): Forecast {
  const { question, plan, information, variance, estimate } = pace
  const error = Math.sqrt(Math.max(rawSpreadAt(question, estimate), 0) / (information + 10 / variance))
  const needs = [estimate, estimate - error, estimate + error].map((f) => needFor(pace, clip(f, ...question.range), tolerance))
  return forecast([Math.min(...needs), needs[0]!, Math.max(...needs)], plan, pace)
}

/** What an interval of this half-width has gathered already: an audit that starts from it needs so much less. */
export function informationAt(halfWidth: number, level: number): number {
  return prices.tolerance[1] * (probit((1 - level) / 2) / halfWidth) ** 2
}

/** The same of any question: what a start has gathered that leaves so wide an interval by itself. */
export function informationOfStart(pace: Pick<Pace, 'question' | 'lower' | 'upper' | 'estimate'>, halfWidth: number): number {
  return prices.tolerance[1] * needFor(pace, pace.estimate, halfWidth)
}

/** About how many more answers for a mean of which no more is known than the variance of a draw: for example before the first one. */
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
  const need = (probit((1 - level) / 2) / tolerance) ** 2
  return forecast([need, need, need], 'tolerance', { information, variance, draws: answers, left, share: 1 })
}

type Progress = Pick<Pace, 'information' | 'variance' | 'draws' | 'left' | 'share'>

/** `needs`: information for one look, at the least, as it seems and at the most. */
function forecast(needs: readonly [number, number, number], plan: Plan['kind'], progress: Progress): Forecast {
  const [low, answers, high] = needs.map((need, k) => answersFor(prices[plan][k]! * need, progress)) as [number, number, number]
  return { answers, low, high }
}

/**
 * From information to answers: of a finite pool the last draws say most, and some answers do not matter. A forecast that has run out is
 * not "one more": it is at least a tenth of the draws so far.
 */
function answersFor(need: number, { information, variance, draws, left, share }: Progress): number {
  const more = Math.max(draws / 10, (need - information) * variance)
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
    if (prices[pace.plan][1] * needFor(pace, pace.estimate, middle) > gathered) narrow = middle
    else wide = middle
  }
  return wide
}

/**
 * Information at which two score tests, one from either side, leave a width of 2h around the estimate t:
 * (t − low)/(z √g(low)) = (high − t)/(z′ √g(high)),  high = low + 2h.
 */
function needFor(
  { question, lower, upper }: Pick<Pace, 'question' | 'lower' | 'upper'>,
  estimate: number,
  tolerance: number,
): number {
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
  return ((pull(below, to) + pull(above, end(to))) / span) ** 2
}
