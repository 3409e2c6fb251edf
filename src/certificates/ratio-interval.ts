import { requireInput } from '../core/errors.ts'
import { clip } from '../core/numbers.ts'
import { metrics, type RatioMetric, ratioMetrics } from '../metrics/catalogue.ts'
import { listed } from '../text/wording.ts'
import { type Bet, openBets, singleBets, toleranceBets } from './bets.ts'
import type { Interval } from './draw-interval.ts'
import { type Forecast, forecastOf } from './forecast.ts'
import { Grid, type GridChoice } from './grid.ts'

export interface RatioIntervalOptions {
  readonly metric: RatioMetric
  readonly poolSize: number
  /** Chance that the interval is right at all times. Default 0.95. */
  readonly level?: number
  readonly tolerance?: number
  /** As for DrawInterval. Default `steady`. */
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

/**
 * An interval for precision, recall or F1 over a pool, from successive draws, valid at every look. A ratio F = Σ num / Σ den is
 * at most f exactly if Σ d(f) ≤ 0, d(f) = num − f · den; so each f is tested like a mean, and those not rejected remain.
 *
 *   X(f) = [Σ_seen d + Σ_left h + (d_J − h_J) · A/a_J] / (N · den),   h(f) what is predicted of d(f)
 *
 * @see docs/equations.md#ratio-interval
 */
export class RatioInterval {
  readonly #poolSize: number
  readonly #level: number
  readonly #share: number // of the predicted positives in the denominator: F = Σ y ŷ / Σ (a ŷ + (1 − a) y)
  readonly #lower: Side
  readonly #upper: Side
  #totals: RatioTotals | undefined

  constructor({ metric, poolSize, level = 0.95, tolerance, bets = 'steady', grid }: RatioIntervalOptions) {
    requireInput(ratioMetrics.includes(metric), `metric: ${listed(ratioMetrics, 'or')} is required, got ${metric}`)
    requireInput(Number.isInteger(poolSize) && poolSize > 0, `poolSize: must be a whole number above 0, got ${poolSize}`)
    requireInput(level > 0 && level < 1, `level: must be in (0, 1), got ${level}`)
    this.#poolSize = poolSize
    this.#level = level
    this.#share = shareOf(metric)
    const alpha = (1 - level) / 2
    const tuned = bets === 'single' ? singleBets : toleranceBets
    const set = tolerance === undefined ? openBets(alpha) : tuned(tolerance, alpha)
    const choice: GridChoice = grid ? { values: grid } : { finest: (tolerance ?? 0.02) / 160 }
    this.#lower = newSide('lower', choice, set, alpha)
    this.#upper = newSide('upper', choice, set, alpha)
  }

  /** Begins a round: from here on, draws were made with these totals. */
  round(totals: RatioTotals): void {
    this.#totals = totals
    for (const side of [this.#lower, this.#upper]) {
      side.left = { mass: totals.mass, positive: { ...totals.positive }, negative: { ...totals.negative } }
    }
  }

  /** Adds the next draw of the round. "Cannot tell" is taken the worse way for each limit. */
  draw(drawn: RatioDraw): void {
    requireInput(this.#totals !== undefined, 'draw: round() must come first, got a draw before it')
    requireInput(drawn.mass > 0, `draw: mass must be positive, got ${drawn.mass}`)
    // y = 1 raises every one of these ratios where ŷ = 1, and lowers it (or leaves it) where ŷ = 0.
    this.#step(this.#lower, drawn, drawn.isTrue ?? !drawn.isPredicted)
    this.#step(this.#upper, drawn, drawn.isTrue ?? drawn.isPredicted)
    const { low, high } = this.interval()
    this.#lower.grid.settle(high)
    this.#upper.grid.settle(low)
  }

  interval(): Interval {
    const low = Math.max(0, this.#lower.grid.limit)
    const high = Math.min(1, this.#upper.grid.limit)
    const middle = (estimateOf(this.#lower) + estimateOf(this.#upper)) / 2
    return { value: clip(middle, low, high), low, high, level: this.#level, answers: this.#lower.draws }
  }

  /** How many more answers until the limits are this close to the estimate. Missing before the first draw. */
  forecast(tolerance: number): Forecast | undefined {
    const { grid, bets, draws } = this.#lower
    if (draws === 0) return undefined
    const { value } = this.interval()
    let nearest = grid.from
    for (let k = grid.from; k < grid.to; k++)
      if (Math.abs(grid.values[k]! - value) < Math.abs(grid.values[nearest]! - value)) nearest = k
    const at = nearest * grid.width + bets.length
    const [information = 0, , variance = 1] = grid.rows.subarray(at, at + 3)
    return forecastOf({ level: this.#level, tolerance, information, variance, answers: draws, left: this.#poolSize - draws })
  }

  /** What the gamblers against a grid value own together, lower side and upper, for tests and pictures. */
  wealthAt(value: number): [lower: number, upper: number] {
    const owned = ({ bets, grid }: Side) => {
      const row = grid.rowOf(value)
      return bets.reduce((sum, { weight }, j) => sum + weight * row[j]!, 0)
    }
    return [owned(this.#lower), owned(this.#upper)]
  }

  #step(side: Side, { isPredicted, mass, chance }: RatioDraw, isTrue: boolean): void {
    const { sign, grid, bets, left, seen } = side
    const { rows } = grid
    const share = this.#share
    const n = this.#poolSize
    const { positive, negative } = left
    const predicted = {
      num: positive.predictedLoss,
      den: share * positive.points + (1 - share) * (positive.predictedLoss + negative.predictedLoss),
    }
    const den = (seen.den + predicted.den) / n // known before the draw
    const scale = left.mass / mass
    const y = isTrue ? 1 : 0
    const own = {
      num: isPredicted ? y - chance : 0,
      den: (1 - share) * (y - chance),
    }
    for (let k = grid.from; den > 0 && k < grid.to; k++) {
      if (grid.isRejected(k)) continue
      const f = grid.values[k]!
      const inside = 1 - (1 - share) * f // how far one answer moves d where ŷ = 1
      const outside = (1 - share) * f //     and where ŷ = 0
      const base = (seen.num + predicted.num - f * (seen.den + predicted.den)) / n
      const move = ((own.num - f * own.den) * scale) / n
      const x = (base + move) / den
      const down = Math.max(inside * positive.largestDown, outside * negative.largestUp)
      const up = Math.max(inside * positive.largestUp, outside * negative.largestDown)
      const bound = (base + (sign === 1 ? -down : up) * (left.mass / n)) / den
      const spread = inside ** 2 * positive.predictedVariance + outside ** 2 * negative.predictedVariance
      const expected = Math.max((left.mass * spread) / n ** 2, 1e-6) / den ** 2

      const row = k * grid.width
      const clock = row + bets.length
      const surprise = clock + 1
      const pace = clock + 2
      const variance = expected * clip((100 + rows[surprise]!) / (100 + side.draws), 0.25, 4)
      const most = 0.95 / Math.max(-sign * bound, 1e-12)
      let mixture = 0
      for (let j = 0; j < bets.length; j++) {
        const bet = bets[j]!
        const remaining = Math.max(bet.deadline - rows[clock]!, 0.05 * bet.deadline)
        const lambda = Math.min(bet.stake(rows[row + j]!, variance, remaining), most)
        rows[row + j]! *= 1 + lambda * sign * x
        mixture += bet.weight * rows[row + j]!
      }
      if (mixture >= 1 / side.alpha) grid.reject(k)
      rows[surprise]! += (move / den) ** 2 / expected
      rows[clock]! += 1 / variance
      rows[pace] = variance
    }
    side.estimate.num += seen.num + predicted.num + own.num * scale
    side.estimate.den += seen.den + predicted.den + own.den * scale
    side.draws++
    seen.num += isPredicted ? y : 0
    seen.den += share * (isPredicted ? 1 : 0) + (1 - share) * y
    takeOut(left, isPredicted ? left.positive : left.negative, mass, chance)
  }
}

/** a: what a point that is only predicted to be positive adds to the denominator, over one that is positive too. */
function shareOf(metric: RatioMetric): number {
  const den = (answer: number) =>
    metrics[metric].worth({ predicted: 1, other: 1 }, answer, { positive: 1, shares: [], range: [0, 1] }).den
  return den(0) / den(1)
}

type Side = ReturnType<typeof newSide>

type Left = { -readonly [key in keyof PartTotals]: PartTotals[key] }

const nothing: PartTotals = { points: 0, predictedLoss: 0, predictedVariance: 0, largestDown: 0, largestUp: 0 }

function newSide(side: 'lower' | 'upper', choice: GridChoice, bets: readonly Bet[], alpha: number) {
  const positive: Left = { ...nothing }
  const negative: Left = { ...nothing }
  return {
    sign: side === 'lower' ? 1 : -1,
    alpha,
    bets,
    /** A row a value: the wealth of each bet; information so far; Σ x² over what was predicted for it; variance of the last draw. */
    grid: new Grid({ side, choice, start: [...bets.map(() => 1), 0, 0, 1] }),
    seen: { num: 0, den: 0 },
    estimate: { num: 0, den: 0 },
    draws: 0,
    left: { mass: 0, positive, negative },
  }
}

function takeOut(left: Side['left'], part: Left, mass: number, chance: number): void {
  left.mass -= mass
  part.points -= 1
  part.predictedLoss -= chance
  part.predictedVariance -= (chance * (1 - chance)) / mass
}

/** The ratio of two unbiased estimates: consistent, and biased by order 1/answers. */
function estimateOf({ estimate: { num, den } }: Side): number {
  return den > 0 ? clip(num / den, 0, 1) : 0.5
}
