import { requireInput } from '../core/errors.ts'
import { metrics, type RatioMetric, ratioMetrics } from '../metrics/catalogue.ts'
import { listed } from '../text/wording.ts'
import { type Interval, planFor } from './draw-interval.ts'
import type { Forecast } from './forecast.ts'
import { momentsOf, nodeValues, type Question, type QuestionTotals, type Worth } from './question.ts'
import { type IntervalState, QuestionInterval } from './question-interval.ts'

export interface RatioIntervalOptions {
  readonly metric: RatioMetric
  readonly poolSize: number
  /** Chance that the interval is right at all times. Default 0.95. */
  readonly level?: number
  readonly tolerance?: number
  /** Has no effect any more, as for DrawInterval. */
  readonly bets?: 'steady' | 'single'
  /** Values of the ratio to test; by default refined as fewer are left, to a 160th of the tolerance. */
  readonly grid?: Float64Array
}

/** Totals over the points that can be drawn in a round, apart for those predicted positive and negative. p: chance of y = 1. */
export interface RatioTotals {
  /** Σ a over both. */
  readonly mass: number
  readonly positive: PartTotals
  readonly negative: PartTotals
}

export interface PartTotals {
  readonly points: number
  /** Σ a over the part. Needed for precision, where points that are predicted negative can be drawn: they say nothing about it. */
  readonly mass?: number
  /** Σ p */
  readonly predictedLoss: number
  /** Σ p(1 − p)/a */
  readonly predictedVariance: number
  /** max p/a and max (1 − p)/a */
  readonly largestDown: number
  readonly largestUp: number
}

export interface RatioDraw {
  /** Whether the point was predicted positive. */
  readonly isPredicted: boolean
  /** Whether it is positive; null for "cannot tell". */
  readonly isTrue: boolean | null
  readonly mass: number
  /** p */
  readonly chance: number
}

/** `state`: whether there is anything to divide by. Where there is not, the interval is all of 0 to 1. */
export interface RatioAnswer extends Interval {
  readonly state: IntervalState
}

/**
 * An interval for precision, recall or F1 over a pool, from successive draws, valid at every look: a question about two kinds of points,
 * those predicted negative and positive.   @see docs/equations.md#ratio-interval
 */
export class RatioInterval {
  readonly #options: RatioIntervalOptions
  readonly #question: Question
  readonly #level: number
  /** Made with the first round, which says how many points of each kind there are. */
  #interval: QuestionInterval | undefined
  #draws = 0
  #hasParts = true

  constructor(options: RatioIntervalOptions) {
    const { metric, poolSize, level = 0.95 } = options
    requireInput(ratioMetrics.includes(metric), `metric: ${listed(ratioMetrics, 'or')} is required, got ${metric}`)
    requireInput(Number.isInteger(poolSize) && poolSize > 0, `poolSize: must be a whole number above 0, got ${poolSize}`)
    requireInput(level > 0 && level < 1, `level: must be in (0, 1), got ${level}`)
    this.#options = options
    this.#level = level
    this.#question = questionOf(metric)
  }

  /** Begins a round: from here on, draws were made with these totals. */
  round(totals: RatioTotals): void {
    const { poolSize } = this.#options
    const { positive, negative } = totals
    const points = positive.points + negative.points
    const left = poolSize - this.#draws
    requireInput(points === left, `round: totals over the ${left} points that are left are required, got ${points}`)
    this.#interval ??= this.#begin([negative.points, positive.points])
    this.#hasParts = positive.mass !== undefined
    this.#interval.round(totalsOf(this.#question, totals), {
      allMass: totals.mass,
      drawn: this.#draws,
      isPlain: false,
    })
  }

  #begin(counts: readonly number[]): QuestionInterval {
    const { tolerance, grid } = this.#options
    const alpha = (1 - this.#level) / 2
    return new QuestionInterval({
      question: this.#question,
      counts,
      lower: alpha,
      upper: alpha,
      plan: planFor({ tolerance }),
      ...(grid && { values: [...grid] }),
    })
  }

  /** Adds the next draw of the round. "Cannot tell" is taken the worse way for each limit. */
  draw({ isPredicted, isTrue, mass, chance }: RatioDraw): void {
    requireInput(this.#interval !== undefined, 'draw: round() must come first, got a draw before it')
    requireInput(mass > 0, `draw: mass must be positive, got ${mass}`)
    requireInput(
      isPredicted || this.#hasParts || this.#options.metric !== 'precision',
      'draw: masses of both parts are required where points that are predicted negative are drawn for precision, got none',
    )
    const kind = isPredicted ? 1 : 0
    const worths = this.#question.kinds[kind]!
    const worth = isTrue === null ? null : worths[isTrue ? 1 : 0]!
    this.#interval.draw({ kind, mass, belief: momentsOf(worths, [1 - chance, chance]), worth })
    this.#draws++
  }

  interval(): RatioAnswer {
    const { value, low, high, state } = this.#interval?.answer() ?? { value: null, low: null, high: null, state: 'if any' }
    return { value: value ?? 0.5, low: low ?? 0, high: high ?? 1, level: this.#level, answers: this.#draws, state }
  }

  /** About how many more answers until the limits are this close together. Missing before the first round. */
  forecast(tolerance: number): Forecast | undefined {
    return this.#interval?.forecast(tolerance)
  }

  /** What is owned against a grid value, lower side and upper, for tests and pictures. */
  wealthAt(value: number): [lower: number, upper: number] {
    const { lower, upper } = this.#interval!.limits
    return [lower.ownedAt(value), upper.ownedAt(value)]
  }
}

/** The question of a metric about two classes, by the class that is predicted and the one that is answered. */
function questionOf(metric: RatioMetric): Question {
  const { worth, shape = 'product', range } = metrics[metric]
  const context = { positive: 1, shares: [], range }
  const kinds = [0, 1].map((predicted) => [0, 1].map((answer) => worth({ predicted, other: predicted }, answer, context)))
  return { kinds, range, shape }
}

/** What a question needs of a round. An answer moves d(f) by as much for every point of a part: by s = num − f·den, from y = 0 to 1. */
function totalsOf({ kinds, range }: Question, { mass, positive, negative }: RatioTotals): QuestionTotals {
  const parts = [negative, positive].map((part, kind) => {
    const [no, yes] = kinds[kind] as [Worth, Worth]
    return { part, no, num: yes.num - no.num, den: yes.den - no.den }
  })
  const sum = (of: (each: (typeof parts)[0]) => number) => parts.reduce((total, each) => total + of(each), 0)
  const largest = (name: 'largestDown' | 'largestUp', opposite: 'largestDown' | 'largestUp') =>
    nodeValues(range).map((f) =>
      Math.max(...parts.map(({ part, num, den }) => Math.max((num - f * den) * part[name], (f * den - num) * part[opposite]))),
    )
  return {
    isCovered: true,
    mass: parts[0]!.den === 0 ? (positive.mass ?? mass) : mass, // precision is about points that are predicted positive alone
    num: sum(({ part, no, num }) => part.points * no.num + part.predictedLoss * num),
    den: sum(({ part, no, den }) => part.points * no.den + part.predictedLoss * den),
    numNum: sum(({ part, num }) => part.predictedVariance * num * num),
    numDen: sum(({ part, num, den }) => part.predictedVariance * num * den),
    denDen: sum(({ part, den }) => part.predictedVariance * den * den),
    down: largest('largestDown', 'largestUp'),
    up: largest('largestUp', 'largestDown'),
  }
}
