import { requireInput } from '../core/errors.ts'
import { clip } from '../core/numbers.ts'
import { type Bet, fastestBets, openBets, singleBets, toleranceBets } from './bets.ts'
import { type Forecast, forecastOf } from './forecast.ts'
import type { GridChoice } from './grid.ts'
import { type Ledger, ledger, type RoundTotals, spread } from './ledger.ts'
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
  /**
   * `steady`: two deadlines for the tolerance; `fastest`: nothing but these; `single`: one deadline, which needs about a tenth
   * fewer answers than `steady` and is as narrow before. Default `steady`.
   */
  readonly bets?: 'steady' | 'fastest' | 'single'
  /** How 1 − level is split. 0 for no lower limit at all. Default half each. */
  readonly lowerShare?: number
  /** Values to test; by default refined as fewer are left, to a 160th of the tolerance. */
  readonly grid?: Float64Array
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
  readonly #lower: Side
  readonly #upper: Side
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
    const choice: GridChoice = grid ? { values: grid } : { finest: (tolerance ?? 0.02) / 160 }
    const sideOf = (side: 'lower' | 'upper', alpha: number): Side => ({
      record: ledger(poolSize),
      ...(alpha > 0 && { limit: new Limit({ side, alpha, grid: choice, spread, ...betting(bets, tolerance, alpha) }) }),
    })
    this.#lower = sideOf('lower', (1 - level) * lowerShare)
    this.#upper = sideOf('upper', (1 - level) * (1 - lowerShare))
  }

  /** Begins a round: from here on, draws were made with these totals. */
  round({ mass, predictedLoss, predictedVariance, largestDown, largestUp }: RoundTotals): void {
    const totals = { mass, predictedLoss, predictedVariance, largestDown, largestUp }
    for (const [name, total] of Object.entries(totals)) {
      const isFine = total >= 0 && total < Number.POSITIVE_INFINITY
      requireInput(isFine, `round: ${name} must be finite and not negative, got ${total}`)
    }
    this.#lower.record.begin(totals)
    this.#upper.record.begin(totals)
  }

  /** Adds the next draw of the round. */
  draw({ loss, mass, predictedLoss }: DrawnLoss): void {
    requireInput(loss === null || (loss >= 0 && loss <= 1), `draw: loss must be in [0, 1] or null, got ${loss}`)
    requireInput(mass > 0, `draw: mass must be positive, got ${mass}`)
    const [lower, upper] = [this.#lower.record, this.#upper.record]
    const forLower = lower.add(loss ?? 0, mass, predictedLoss)
    const forUpper = upper.add(loss ?? 1, mass, predictedLoss)
    this.#lower.limit?.step(forLower, this.#high)
    this.#upper.limit?.step(forUpper, this.#low)
    const unseen = this.#poolSize - upper.draws()
    this.#low = Math.max(this.#low, this.#lower.limit?.value ?? 0, lower.seen() / this.#poolSize)
    this.#high = Math.min(this.#high, this.#upper.limit?.value ?? 1, (upper.seen() + unseen) / this.#poolSize)
  }

  interval(): Interval {
    const middle = (this.#lower.record.mean() + this.#upper.record.mean()) / 2
    return {
      value: clip(middle, this.#low, this.#high),
      low: this.#low,
      high: this.#high,
      level: this.#level,
      answers: this.#lower.record.draws(),
    }
  }

  /**
   * How many more answers until the limits are this close to the estimate: the information still missing, over what a
   * draw now brings. Missing before the first draw.
   */
  forecast(tolerance: number): Forecast | undefined {
    const { record } = this.#upper
    const { information, variance } = record.pace()
    if (variance === undefined) return undefined
    const answers = record.draws()
    return forecastOf({ level: this.#level, tolerance, information, variance, answers, left: this.#poolSize - answers })
  }
}

/** A record of the draws, with every "cannot tell" counted the same way, and the limit that rests on it, if one was asked for. */
interface Side {
  readonly record: Ledger
  readonly limit?: Limit
}

function betting(
  bets: 'steady' | 'fastest' | 'single',
  tolerance: number | undefined,
  alpha: number,
): { bets: Bet[]; reserve?: number } {
  if (tolerance === undefined) return { bets: openBets(alpha) }
  if (bets === 'single') return { bets: singleBets(tolerance, alpha), reserve: 0.03 }
  return { bets: bets === 'fastest' ? fastestBets(tolerance, alpha) : toleranceBets(tolerance, alpha) }
}
