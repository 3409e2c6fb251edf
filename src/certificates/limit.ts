import { clip } from '../core/numbers.ts'
import type { Bet } from './bets.ts'

/** What is known just before a draw, and then the draw: X has mean θ given the past and lies on one side of `bound`. */
export interface Evidence {
  readonly x: number
  /** The smallest X possible for a lower limit, the largest for an upper one. */
  readonly bound: number
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
  /** Values of θ to test, increasing. The limit is one of them, so their spacing is what the interval loses. */
  readonly grid: Float64Array
  /** How the variance of a draw depends on θ: m(1 − m) for losses of 0 and 1. */
  spread(m: number): number
  /** No bet can lose more than this share of its wealth in one draw. Default 0.95. */
  readonly cap?: number
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
  readonly #spreads: Float64Array
  /** One wealth for each grid value and bet. */
  readonly #wealth: Float64Array
  readonly #isRejected: Uint8Array
  /** Grid positions still worth betting on. */
  #live: Int32Array
  #clock = 0
  #value: number

  constructor(options: LimitOptions) {
    this.#options = options
    this.#sign = options.side === 'lower' ? 1 : -1
    this.#value = options.side === 'lower' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY
    this.#spreads = options.grid.map((m) => options.spread(m))
    this.#wealth = new Float64Array(options.grid.length * options.bets.length).fill(1)
    this.#isRejected = new Uint8Array(options.grid.length)
    this.#live = Int32Array.from(options.grid.keys())
  }

  get side(): 'lower' | 'upper' {
    return this.#options.side
  }

  /** The largest value rejected together with all below it (for an upper limit: mirrored); ∓∞ while there is none. */
  get value(): number {
    return this.#value
  }

  /** Lets every gambler bet on one draw. Costs the number of live grid values times the number of bets. */
  step({ x, bound, ratio, centre }: Evidence): void {
    const { bets, grid, spread, alpha, cap = 0.95 } = this.#options
    const wealth = this.#wealth
    const sign = this.#sign
    const around = spread(centre)
    const budgets = bets.map(({ deadline }) => {
      const whole = deadline * around
      return Math.max(whole - this.#clock, 0.05 * whole)
    })
    let kept = 0
    for (const i of this.#live) {
      const m = grid[i]!
      const variance = clip(this.#spreads[i]! / around, 0.25, 4) * around
      const most = cap / Math.max(sign * (m - bound), 1e-12)
      let mixture = 0
      let largest = 0
      for (let j = 0; j < bets.length; j++) {
        const at = i * bets.length + j
        const before = wealth[at]!
        const lambda = Math.min(bets[j]!.stake(before, ratio * variance, budgets[j]! / variance), most)
        const after = before * (1 + lambda * sign * (x - m))
        wealth[at] = after
        mixture += bets[j]!.weight * after
        if (after > largest) largest = after
      }
      if (mixture >= 1 / alpha) this.#isRejected[i] = 1
      else if (largest >= ruined) this.#live[kept++] = i // a ruined gambler never rejects
    }
    this.#live = this.#live.subarray(0, kept)
    this.#clock += 1 / ratio
    this.#advance()
  }

  #advance(): void {
    const { grid } = this.#options
    const last = grid.length - 1
    for (let k = this.#reached; k <= last; k++, this.#reached = k) {
      const i = this.#sign === 1 ? k : last - k
      if (!this.#isRejected[i]) return
      this.#value = grid[i]!
    }
  }
  #reached = 0

  /** Wealth of each bet against the i-th grid value, for tests and pictures. */
  wealthAt(i: number): number[] {
    const { length } = this.#options.bets
    return [...this.#wealth.subarray(i * length, (i + 1) * length)]
  }

  /** Grid values rejected so far. */
  rejected(): number[] {
    return [...this.#options.grid].filter((_, i) => this.#isRejected[i])
  }
}
