import { requireInput } from '../core/errors.ts'
import { clip, logSumExp } from '../core/numbers.ts'
import type { Interval } from './draw-interval.ts'

export interface BatchIntervalOptions {
  readonly poolSize: number
  /** Chance that the interval is right at all times. Default 0.95. */
  readonly level?: number
  /** Half-width to tune the bets for; without it they aim at several sample sizes. */
  readonly tolerance?: number
}

/** What is known of a round of independent draws before the first answer: over the points U that could be drawn. */
export interface BatchTotals {
  /** Σ π: draws expected. */
  readonly expected: number
  /** Σ g: losses predicted. */
  readonly predictedLoss: number
  /** max g/π and max (1 − g)/π, or anything larger. */
  readonly largestDown: number
  readonly largestUp: number
  /** Variance expected of one draw; `expectedVariance()` makes it from a prediction and the past. */
  readonly variance: number
}

export interface BatchDraw {
  /** In [0, 1]; null for "cannot tell". */
  readonly loss: number | null
  readonly predictedLoss: number
  readonly probability: number
}

/** What the draws of a round, or of one shard's part of it, say. Parts add up, in any order. */
export interface BatchEvidence {
  readonly lower: Float64Array
  readonly upper: Float64Array
  /** Σ ℓ, with "cannot tell" as 0 and as 1. */
  readonly least: number
  readonly most: number
  readonly answers: number
  /** Σ ((ℓ − g)/π)² and Σ (ℓ − g)/π, with "cannot tell" as ½. */
  readonly squares: number
  readonly residuals: number
}

/**
 * An interval for the mean loss of one fixed model over a pool, from rounds of independent (Bernoulli) draws, valid at
 * every look. For any c with 1 + c r/π > 0, r = ℓ − g,
 *
 *   E(m) = ∏_drawn (1 + c rᵢ/πᵢ) · exp(−c (N m − S − G))
 *
 * has mean at most 1 if m is the mean loss; so do products over rounds and mixtures over c. Log-linear in m: the whole
 * state is a few numbers, whatever the number of draws.   @see docs/equations.md#batch-interval
 */
export class BatchInterval {
  readonly #poolSize: number
  readonly #level: number
  readonly #rates: (variance: number) => number[]
  /** log E(m) = offset − slope · m, for each bet; lower limit with c > 0, upper with c < 0. */
  readonly #lower: Line[]
  readonly #upper: Line[]
  #least = 0
  #most = 0
  #answers = 0
  #estimate = { weight: 0, sum: 0 }
  #past = { draws: 0, variance: 0 }
  #low = 0
  #high = 1

  constructor({ poolSize, level = 0.95, tolerance }: BatchIntervalOptions) {
    requireInput(Number.isInteger(poolSize) && poolSize > 0, `poolSize: must be a whole number above 0, got ${poolSize}`)
    requireInput(level > 0 && level < 1, `level: must be in (0, 1), got ${level}`)
    this.#poolSize = poolSize
    this.#level = level
    const evidence = 2 * Math.log(2 / (1 - level))
    this.#rates =
      tolerance === undefined
        ? (variance) => horizons.map((draws) => Math.sqrt(evidence / (variance * draws)))
        : (variance) => [0.5, 1, 2].map((times) => (times * tolerance) / variance)
    const lines = () => this.#rates(1).map(() => ({ offset: 0, slope: 0 }))
    this.#lower = lines()
    this.#upper = lines()
  }

  /** The variance of one draw to expect: a prediction worth twenty draws, corrected by what has been seen. */
  expectedVariance(predicted: number): number {
    return (20 * predicted + this.#past.variance) / (20 + this.#past.draws)
  }

  /** What some draws of a round say. Needs nothing but the totals, so shards can do it where their draws are. */
  evidence(totals: BatchTotals, draws: readonly BatchDraw[]): BatchEvidence {
    const stakes = this.#stakes(totals)
    const sum = { least: 0, most: 0, squares: 0, residuals: 0 }
    const lower = new Float64Array(stakes.lower.length)
    const upper = new Float64Array(stakes.upper.length)
    for (const { loss, predictedLoss, probability } of draws) {
      requireInput(loss === null || (loss >= 0 && loss <= 1), `batch: loss must be in [0, 1] or null, got ${loss}`)
      const low = (loss ?? 0) - predictedLoss
      const high = (loss ?? 1) - predictedLoss
      for (const [d, c] of stakes.lower.entries()) lower[d]! += Math.log1p((c * low) / probability)
      for (const [d, c] of stakes.upper.entries()) upper[d]! += Math.log1p((c * high) / probability)
      sum.least += loss ?? 0
      sum.most += loss ?? 1
      const residual = ((loss ?? 0.5) - predictedLoss) / probability
      sum.squares += residual ** 2
      sum.residuals += residual
    }
    return { lower, upper, answers: draws.length, ...sum }
  }

  /** Adds a round: its totals and all its evidence, in one piece or in parts. */
  batch(totals: BatchTotals, ...parts: readonly BatchEvidence[]): void {
    const { expected, predictedLoss } = totals
    const stakes = this.#stakes(totals)
    const before = { least: this.#least, most: this.#most }
    const add = (lines: Line[], side: 'lower' | 'upper', seen: number) => {
      for (const [d, line] of lines.entries()) {
        const c = stakes[side][d]!
        line.offset += parts.reduce((total, part) => total + part[side][d]!, 0) + c * (seen + predictedLoss)
        line.slope += c * this.#poolSize
      }
    }
    add(this.#lower, 'lower', before.least)
    add(this.#upper, 'upper', before.most)
    for (const { least, most, answers, squares, residuals } of parts) {
      this.#least += least
      this.#most += most
      this.#answers += answers
      this.#past.variance += (expected ** 2 * squares) / this.#poolSize ** 2
      this.#estimate.sum += expected * residuals
    }
    this.#past.draws += expected
    this.#estimate.sum += expected * ((before.least + before.most) / 2 + predictedLoss)
    this.#estimate.weight += expected
    this.#tighten()
  }

  interval(): Interval {
    const mean = this.#estimate.weight > 0 ? this.#estimate.sum / this.#estimate.weight / this.#poolSize : 0.5
    return {
      value: clip(mean, this.#low, this.#high),
      low: this.#low,
      high: this.#high,
      level: this.#level,
      answers: this.#answers,
    }
  }

  /** The lines log E(m) = offset − slope · m, for tests and pictures. */
  lines(): { lower: readonly Line[]; upper: readonly Line[] } {
    return { lower: this.#lower, upper: this.#upper }
  }

  #stakes({ expected, largestDown, largestUp, variance }: BatchTotals) {
    const rates = this.#rates(variance).map((rate) => (rate * expected) / this.#poolSize)
    const cap = 0.9
    return {
      lower: rates.map((rate) => Math.min(rate, cap / largestDown)),
      upper: rates.map((rate) => -Math.min(rate, cap / largestUp)),
    }
  }

  #tighten(): void {
    const conclusive = Math.log(2 / (1 - this.#level))
    const isOut = (lines: Line[], m: number) =>
      logSumExp(lines.map(({ offset, slope }) => offset - slope * m)) - Math.log(lines.length) >= conclusive
    const lower = bisect((m) => isOut(this.#lower, m))
    const upper = 1 - bisect((m) => isOut(this.#upper, 1 - m))
    this.#low = Math.max(this.#low, lower, this.#least / this.#poolSize)
    this.#high = Math.min(this.#high, upper, (this.#most + this.#poolSize - this.#answers) / this.#poolSize)
  }
}

interface Line {
  offset: number
  slope: number
}

/** Sample sizes the bets are tuned for when no tolerance is given. */
const horizons = [50, 200, 800, 3200, 12800]

/** The end of the run of values from 0 on that are out; 0 if none is. Evidence against m only falls as m grows. */
function bisect(isOut: (m: number) => boolean): number {
  if (!isOut(0)) return 0
  let low = 0
  let high = 1
  for (let step = 0; step < 60; step++) {
    const middle = (low + high) / 2
    if (isOut(middle)) low = middle
    else high = middle
  }
  return low
}
