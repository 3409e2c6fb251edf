import { requireInput } from '../core/errors.ts'
import type { Forecast } from './forecast.ts'
import type { Plan } from './plan.ts'
import { nodes, type Question } from './question.ts'
import { QuestionInterval } from './question-interval.ts'

/** What an interval says. It holds at every moment it is looked at, however often, and under any rule for stopping. */
export interface Interval {
  /** Unbiased estimate of the mean, moved inside the interval if it lies outside. */
  readonly value: number
  readonly low: number
  readonly high: number
  readonly level: number
  readonly answers: number
}

/** Totals over the points that can be drawn in a round, known before its first draw. What an engine's survey returns. */
export interface RoundTotals {
  /** Σ a */
  readonly mass: number
  /** Σ p: losses predicted. Predictions may be as wrong as they like; that costs width, never coverage. */
  readonly predictedLoss: number
  /** Σ p(1 − p)/a */
  readonly predictedVariance: number
  /** max p/a and max (1 − p)/a, or anything larger. */
  readonly largestDown: number
  readonly largestUp: number
}

export interface DrawIntervalOptions {
  readonly poolSize: number
  /** Chance that the interval is right at all times. Default 0.95. */
  readonly level?: number
  /** Half-width wanted: bets are tuned to reach it with few answers. */
  readonly tolerance?: number
  /** Or the number of answers there will be: bets are tuned to be narrow then. Without either they aim at every width at once. */
  readonly budget?: number
  /** Has no effect any more: a tolerance or a budget says what to bet for. */
  readonly bets?: 'steady' | 'fastest' | 'single'
  /** How 1 − level is split. 0 for no lower limit at all. Default half each. */
  readonly lowerShare?: number
  /** Values to test, increasing; by default refined as fewer are left, to a 160th of the tolerance. */
  readonly grid?: Float64Array
}

export interface DrawnLoss {
  /** In [0, 1]; null for "cannot tell". */
  readonly loss: number | null
  readonly mass: number
  readonly predictedLoss: number
}

/** The mean of a number from 0 to 1: every point alike, and nothing unknown in the denominator. */
const mean: Question = {
  kinds: [[0, 1].map((num) => ({ num, den: 1 }))],
  range: [0, 1],
  shape: 'product',
}

/**
 * An interval for the mean loss of one fixed model over a pool, from successive draws, valid at every look: the simplest of all
 * questions. Draws enter in draw order, never in order of arrival.   @see docs/equations.md#draw-interval
 */
export class DrawInterval {
  readonly #poolSize: number
  readonly #level: number
  readonly #interval: QuestionInterval
  #draws = 0

  constructor({ poolSize, level = 0.95, tolerance, budget, lowerShare = 0.5, grid }: DrawIntervalOptions) {
    requireInput(Number.isInteger(poolSize) && poolSize > 0, `poolSize: must be a whole number above 0, got ${poolSize}`)
    requireInput(level > 0 && level < 1, `level: must be in (0, 1), got ${level}`)
    requireInput(
      tolerance === undefined || (tolerance > 0 && tolerance < 0.5),
      `tolerance: must be in (0, 0.5), got ${tolerance}`,
    )
    requireInput(
      budget === undefined || (Number.isInteger(budget) && budget > 0),
      `budget: must be a whole number above 0, got ${budget}`,
    )
    requireInput(lowerShare >= 0 && lowerShare <= 1, `lowerShare: must be in [0, 1], got ${lowerShare}`)
    this.#poolSize = poolSize
    this.#level = level
    this.#interval = new QuestionInterval({
      question: mean,
      counts: [poolSize],
      lower: (1 - level) * lowerShare,
      upper: (1 - level) * (1 - lowerShare),
      plan: planFor({ tolerance, budget }),
      ...(grid && { values: [...grid] }),
    })
  }

  /** Begins a round: from here on, draws were made with these totals. */
  round({ mass, predictedLoss, predictedVariance, largestDown, largestUp }: RoundTotals): void {
    const totals = { mass, predictedLoss, predictedVariance, largestDown, largestUp }
    for (const [name, total] of Object.entries(totals)) {
      const isFine = total >= 0 && total < Number.POSITIVE_INFINITY
      requireInput(isFine, `round: ${name} must be finite and not negative, got ${total}`)
    }
    this.#interval.round(
      {
        isCovered: true,
        mass,
        num: predictedLoss,
        den: this.#poolSize - this.#draws,
        numNum: predictedVariance,
        numDen: 0,
        denDen: 0,
        down: new Array<number>(nodes).fill(largestDown),
        up: new Array<number>(nodes).fill(largestUp),
      },
      { allMass: mass, drawn: this.#draws, isPlain: false },
    )
  }

  /** Adds the next draw of the round. "Cannot tell" counts, for either limit, as the worse of right and wrong. */
  draw({ loss, mass, predictedLoss }: DrawnLoss): void {
    requireInput(loss === null || (loss >= 0 && loss <= 1), `draw: loss must be in [0, 1] or null, got ${loss}`)
    const isOpen = this.#draws < this.#poolSize
    requireInput(isOpen, `draw: at most as many as the ${this.#poolSize} points of the pool are required, got one more`)
    const belief = { num: predictedLoss, den: 1, numNum: predictedLoss * (1 - predictedLoss), numDen: 0, denDen: 0 }
    this.#interval.draw({ kind: 0, mass, belief, worth: loss === null ? null : { num: loss, den: 1 } })
    this.#draws++
  }

  interval(): Interval {
    const { value, low, high } = this.#interval.answer()
    return { value: value!, low: low!, high: high!, level: this.#level, answers: this.#draws } // no pool is empty
  }

  /** About how many more answers until the limits are this close together. Missing before the first round. */
  forecast(tolerance: number): Forecast | undefined {
    return this.#interval.forecast(tolerance)
  }
}

/** What to bet for: a tolerance, a budget, or nothing. */
export function planFor({ tolerance, budget }: { tolerance?: number | undefined; budget?: number | undefined }): Plan {
  if (tolerance !== undefined) return { kind: 'tolerance', tolerance }
  return budget === undefined ? { kind: 'none' } : { kind: 'budget', answers: budget }
}
