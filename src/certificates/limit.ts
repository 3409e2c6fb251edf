import { clip } from '../core/numbers.ts'
import type { Bet } from './bets.ts'
import { Grid, type GridChoice } from './grid.ts'

/** What is known just before a draw, and then the draw: X has mean θ given the past and lies between `low` and `high`. */
export interface Evidence {
  readonly x: number
  readonly low: number
  readonly high: number
  /** Variance of the draw for each unit of `spread(m)`. */
  readonly ratio: number
  /** Where θ is thought to be. */
  readonly centre: number
}

export interface LimitOptions {
  readonly side: 'lower' | 'upper'
  /** Chance that the limit is ever wrong. */
  readonly alpha: number
  readonly bets: readonly Bet[]
  readonly grid: GridChoice
  /** How the variance of a draw depends on θ: m(1 − m) for losses of 0 and 1. */
  spread(m: number): number
  /** No bet can lose more than this share of its wealth in one draw. Default 0.95. */
  readonly cap?: number
  /** Share of a deadline that is always left, so that betting goes on after it. Default 0.05. */
  readonly reserve?: number
}

const ruined = 1e-9

/**
 * A confidence limit that holds at every look. Against each value m on the grid a gambler bets that θ lies beyond it; if m
 * is right his wealth is a supermartingale from 1, so it reaches 1/α with probability at most α (Ville), ever. Values whose
 * gambler got there are rejected for good; the limit is the end of the unbroken run of rejected values.
 *
 * @see docs/equations.md#limit
 */
export class Limit {
  readonly #options: LimitOptions
  readonly #sign: 1 | -1
  readonly #grid: Grid
  #clock = 0

  constructor(options: LimitOptions) {
    const { side, grid: choice, bets } = options
    this.#options = options
    this.#sign = side === 'lower' ? 1 : -1
    this.#grid = new Grid({ side, choice, start: bets.map(() => 1) })
  }

  /** The largest value rejected together with all below it (for an upper limit: mirrored); ∓∞ while there is none. */
  get value(): number {
    return this.#grid.limit
  }

  /** Lets every gambler bet on one draw. Values beyond `other`, the limit on the other side, are given up. */
  step({ x, low, high, ratio, centre }: Evidence, other = this.#sign * Number.POSITIVE_INFINITY): void {
    const { bets, spread, alpha, cap = 0.95, reserve = 0.05 } = this.#options
    const grid = this.#grid
    const { values, rows, width } = grid
    const sign = this.#sign
    const bound = sign === 1 ? low : high
    const around = spread(centre)
    const budgets = bets.map(({ deadline }) => Math.max(deadline * around - this.#clock, reserve * deadline * around))
    for (let k = grid.from; k < grid.to; k++) {
      if (grid.isRejected(k)) continue
      const m = values[k]!
      const variance = clip(spread(m) / around, 0.25, 4) * around
      const most = cap / Math.max(sign * (m - bound), 1e-12)
      let mixture = 0
      let largest = 0
      for (let j = 0; j < width; j++) {
        const at = k * width + j
        const before = rows[at]!
        const lambda = Math.min(bets[j]!.stake(before, ratio * variance, budgets[j]! / variance), most)
        const after = before * (1 + lambda * sign * (x - m))
        rows[at] = after
        mixture += bets[j]!.weight * after
        if (after > largest) largest = after
      }
      if (mixture >= 1 / alpha) grid.reject(k)
      if (largest < ruined) grid.to = k // a ruined gambler never rejects, and no run of rejected values passes him
    }
    this.#clock += 1 / ratio
    grid.settle(other)
  }

  /** Wealth of each bet against a grid value, for tests and pictures. */
  wealthAt(value: number): number[] {
    return this.#grid.rowOf(value)
  }

  /** Grid values rejected so far. */
  rejected(): number[] {
    return this.#grid.rejected()
  }
}
