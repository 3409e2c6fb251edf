/** Values to test: given once and for all, or refined as fewer are left, down to a spacing. */
export type GridChoice = { readonly values: Float64Array } | { readonly finest: number }

export interface GridOptions {
  readonly side: 'lower' | 'upper'
  /** Increasing values, or the spacing to end with. The limit is one of the values, so their spacing is what an interval loses. */
  readonly choice: GridChoice
  /** What every value starts with: a row of numbers, its gamblers' wealth among them. */
  readonly start: readonly number[]
}

const coarsest = 2 ** -9
const few = 512 // values left when the grid is refined: so many that the spacing of the moment does not show

/**
 * The values a limit tests, from the outside in: increasing for a lower limit, decreasing for an upper one. Rejected is
 * rejected for good; the limit is the end of the unbroken run of rejected values.
 *
 * As the run grows, fewer values are left, and each may be split: the new value m′ goes on with what the next value m
 * further in has gained. That keeps the proof. If θ is on the outer side of m′ it is so of m too, and a bet against either
 * is unfavourable: the wealth that m′ inherits was a supermartingale, and stays one.   @see docs/equations.md#grid
 */
export class Grid {
  readonly width: number
  readonly #sign: 1 | -1
  readonly #finest: number
  #spacing: number
  #values: Float64Array
  #rows: Float64Array
  #isRejected: Uint8Array
  #limit: number
  /** First value that is not rejected, and the end of those that still matter. */
  from = 0
  to: number

  constructor({ side, choice, start }: GridOptions) {
    this.#sign = side === 'lower' ? 1 : -1
    this.#limit = -this.#sign * Number.POSITIVE_INFINITY
    this.#finest = 'finest' in choice ? choice.finest : Number.POSITIVE_INFINITY
    this.#spacing = coarsest
    const values = 'values' in choice ? choice.values : evenly(side)
    this.#values = side === 'lower' ? values.slice() : values.slice().reverse()
    this.width = start.length
    this.#rows = Float64Array.from({ length: values.length * start.length }, (_, k) => start[k % start.length]!)
    this.#isRejected = new Uint8Array(values.length)
    this.to = values.length
  }

  get values(): Float64Array {
    return this.#values
  }

  /** One row of numbers a value, one after another. */
  get rows(): Float64Array {
    return this.#rows
  }

  /** The last value of the unbroken run of rejected ones; ∓∞ while there is none. */
  get limit(): number {
    return this.#limit
  }

  isRejected(k: number): boolean {
    return this.#isRejected[k] === 1
  }

  reject(k: number): void {
    this.#isRejected[k] = 1
  }

  /** Brings the limit up to date, forgets values beyond the limit on the other side, and refines what is left. */
  settle(other: number): void {
    while (this.from < this.to && this.#isRejected[this.from]) this.#limit = this.#values[this.from++]!
    while (this.to > this.from && this.#sign * (this.#values[this.to - 1]! - other) > 0) this.to--
    while (this.to - this.from <= few && this.#spacing / 2 >= this.#finest) this.#refine()
  }

  /** Puts a value in the middle of every gap, from the limit on; it takes over the row of the value further in. */
  #refine(): void {
    const { width } = this
    const half = this.#spacing / 2
    const count = this.to - this.from
    const values = new Float64Array(2 * count)
    const rows = new Float64Array(2 * count * width)
    const isRejected = new Uint8Array(2 * count)
    for (let k = 0; k < 2 * count; k++) {
      const parent = this.from + (k >> 1)
      values[k] = this.#values[parent]! - (k % 2 === 0 ? this.#sign * half : 0)
      rows.set(this.#rows.subarray(parent * width, (parent + 1) * width), k * width)
      isRejected[k] = this.#isRejected[parent]!
    }
    this.#values = values
    this.#rows = rows
    this.#isRejected = isRejected
    this.#spacing = half
    this.from = 0
    this.to = 2 * count
    if (count === 0) this.#spacing = 0 // nothing is left to refine
  }

  /** The row of a value, for tests and pictures. */
  rowOf(value: number): number[] {
    const k = this.#values.indexOf(value)
    return [...this.#rows.subarray(k * this.width, (k + 1) * this.width)]
  }

  /** Values rejected so far, increasing. */
  rejected(): number[] {
    return [...this.#values].filter((_, k) => this.#isRejected[k]).sort((a, b) => a - b)
  }
}

/** From one end of [0, 1] to the other; the outer end, which no draw can reject, is left out. */
function evenly(side: 'lower' | 'upper'): Float64Array {
  return Float64Array.from({ length: 1 / coarsest }, (_, i) => (side === 'lower' ? i + 1 : i) * coarsest)
}
