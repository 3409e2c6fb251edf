import { requireInput } from '../core/errors.ts'
import { clip } from '../core/numbers.ts'
import { type Bet, fastestBets, openBets, toleranceBets } from './bets.ts'
import { type Forecast, forecastOf } from './forecast.ts'
import { Limit } from './limit.ts'

/** What an interval says. It holds at every moment it is looked at, however often, and under any rule for stopping. */
export interface Interval {
  /** Unbiased estimate of the mean, moved inside the interval if it lies outside. */
  readonly value: number
  readonly low: number
  readonly high: number
  readonly level: number
  readonly answers: number
}

export interface DrawIntervalOptions {
  readonly poolSize: number
  /** Chance that the interval is right at all times. Default 0.95. */
  readonly level?: number
  /** Half-width wanted. Bets are tuned to reach it with few answers; without it they aim at every width at once. */
  readonly tolerance?: number
  /** `steady` is useful all along; `fastest` reaches the tolerance a little sooner and is wide before. Default `steady`. */
  readonly bets?: 'steady' | 'fastest'
  /** How 1 − level is split. 0 for no lower limit at all. Default half each. */
  readonly lowerShare?: number
  /** Values to test; default a fortieth of the tolerance apart. */
  readonly grid?: Float64Array
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

export interface DrawnLoss {
  /** In [0, 1]; null for "cannot tell". */
  readonly loss: number | null
  readonly mass: number
  readonly predictedLoss: number
}

/**
 * An interval for the mean loss of one fixed model over a pool, from successive draws, valid at every look.
 *
 *   X_k = (S + G)/N + (ℓ_J − p_J) · A/(a_J N),   E[X_k | past] = θ
 *
 * S: losses seen; G, A: predicted losses and masses of what is left. Draws enter in draw order, never in order of arrival.
 * "Cannot tell" counts as right in the record behind the lower limit and as wrong in the one behind the upper.
 *
 * @see docs/equations.md#draw-interval
 */
export class DrawInterval {
  readonly #poolSize: number
  readonly #level: number
  readonly #lower: Ledger
  readonly #upper: Ledger
  #low = 0
  #high = 1

  constructor({ poolSize, level = 0.95, tolerance, bets = 'steady', lowerShare = 0.5, grid }: DrawIntervalOptions) {
    requireInput(Number.isInteger(poolSize) && poolSize > 0, `poolSize: must be a whole number above 0, got ${poolSize}`)
    requireInput(level > 0 && level < 1, `level: must be in (0, 1), got ${level}`)
    requireInput(
      tolerance === undefined || (tolerance > 0 && tolerance < 0.5),
      `tolerance: must be in (0, 0.5), got ${tolerance}`,
    )
    requireInput(lowerShare >= 0 && lowerShare <= 1, `lowerShare: must be in [0, 1], got ${lowerShare}`)
    this.#poolSize = poolSize
    this.#level = level
    const values = grid ?? gridOf(tolerance)
    const limitOf = (side: 'lower' | 'upper', alpha: number) =>
      alpha > 0 ? new Limit({ side, alpha, bets: betsOf(bets, tolerance, alpha), grid: values, spread }) : undefined
    this.#lower = ledger(poolSize, limitOf('lower', (1 - level) * lowerShare))
    this.#upper = ledger(poolSize, limitOf('upper', (1 - level) * (1 - lowerShare)))
  }

  /** Begins a round: from here on, draws were made with these totals. */
  round({ mass, predictedLoss, predictedVariance, largestDown, largestUp }: RoundTotals): void {
    const totals = { mass, predictedLoss, predictedVariance, largestDown, largestUp }
    for (const [name, total] of Object.entries(totals)) {
      const isFine = total >= 0 && total < Number.POSITIVE_INFINITY
      requireInput(isFine, `round: ${name} must be finite and not negative, got ${total}`)
    }
    this.#lower.begin(totals)
    this.#upper.begin(totals)
  }

  /** Adds the next draw of the round. */
  draw({ loss, mass, predictedLoss }: DrawnLoss): void {
    requireInput(loss === null || (loss >= 0 && loss <= 1), `draw: loss must be in [0, 1] or null, got ${loss}`)
    requireInput(mass > 0, `draw: mass must be positive, got ${mass}`)
    this.#lower.add(loss ?? 0, mass, predictedLoss)
    this.#upper.add(loss ?? 1, mass, predictedLoss)
    this.#low = Math.max(this.#low, this.#lower.limit() ?? 0, this.#lower.seen() / this.#poolSize)
    const unseen = this.#poolSize - this.#upper.draws()
    this.#high = Math.min(this.#high, this.#upper.limit() ?? 1, (this.#upper.seen() + unseen) / this.#poolSize)
  }

  interval(): Interval {
    const middle = (this.#lower.mean() + this.#upper.mean()) / 2
    return {
      value: clip(middle, this.#low, this.#high),
      low: this.#low,
      high: this.#high,
      level: this.#level,
      answers: this.#lower.draws(),
    }
  }

  /**
   * How many more answers until the limits are this close to the estimate: the information still missing, over what a
   * draw now brings. Missing before the first draw.
   */
  forecast(tolerance: number): Forecast | undefined {
    const { information, variance } = this.#upper.pace()
    if (variance === undefined) return undefined
    const left = this.#poolSize - this.#upper.draws()
    return forecastOf({ level: this.#level, tolerance, information, variance, left })
  }
}

/** Variance of a loss of 0 or 1 with mean m, kept away from 0. */
function spread(m: number): number {
  const inside = clip(m, 1e-4, 1 - 1e-4)
  return inside * (1 - inside)
}

function betsOf(bets: 'steady' | 'fastest', tolerance: number | undefined, alpha: number): Bet[] {
  if (tolerance === undefined) return openBets(alpha)
  return bets === 'fastest' ? fastestBets(tolerance, alpha) : toleranceBets(tolerance, alpha)
}

/** Values strictly between 0 and 1, a fortieth of the tolerance apart. */
function gridOf(tolerance = 0.02): Float64Array {
  const steps = Math.ceil(40 / tolerance)
  return Float64Array.from({ length: steps - 1 }, (_, i) => (i + 1) / steps)
}

/** One record of the draws, with every "cannot tell" counted the same way, and the limit that rests on it. */
interface Ledger {
  begin(totals: RoundTotals): void
  add(loss: number, mass: number, predicted: number): void
  /** Missing where none was asked for. */
  limit(): number | undefined
  /** Σ ℓ so far. */
  seen(): number
  draws(): number
  /** Mean of the X so far: unbiased for θ. */
  mean(): number
  /** Σ 1/variance so far, and the variance of the last draw; both without the caution of the first bets. */
  pace(): { information: number; variance: number | undefined }
}

function ledger(poolSize: number, limit: Limit | undefined): Ledger {
  let totals: RoundTotals | undefined
  const left = { mass: 0, predicted: 0, variance: 0 } // A, G, V: what is left of the round's totals
  let seen = 0
  let draws = 0
  let sum = 0 // Σ X
  let surprise = 0 // Σ x² over what was predicted for it
  const pace: { information: number; variance: number | undefined } = { information: 0, variance: undefined }

  return {
    begin(next) {
      totals = next
      left.mass = next.mass
      left.predicted = next.predictedLoss
      left.variance = next.predictedVariance
    },
    add(loss, mass, predicted) {
      requireInput(totals !== undefined, 'draw: round() must come first, got a draw before it')
      const base = (seen + left.predicted) / poolSize
      const variance = Math.max((left.mass * left.variance) / poolSize ** 2, 1e-6)
      const predictedRatio = variance / spread(base)
      const centre = (25 * base + sum) / (25 + draws)
      const correction = clip((100 + surprise / spread(centre)) / (100 + draws), 0.25, 4)
      const caution = 1 + 20 / (draws + 1)
      const bound =
        limit?.side === 'lower'
          ? base - (left.mass * totals.largestDown) / poolSize
          : base + (left.mass * totals.largestUp) / poolSize

      pace.variance = predictedRatio * correction * spread(centre)
      pace.information += 1 / pace.variance
      const x = ((loss - predicted) * left.mass) / (mass * poolSize)
      limit?.step({ x: base + x, bound, ratio: predictedRatio * correction * caution, centre })

      surprise += (x * x) / predictedRatio
      sum += base + x
      seen += loss
      draws++
      left.mass -= mass
      left.predicted -= predicted
      left.variance -= (predicted * (1 - predicted)) / mass
    },
    limit: () => limit?.value,
    seen: () => seen,
    draws: () => draws,
    mean: () => (draws > 0 ? sum / draws : 0.5),
    pace: () => pace,
  }
}
