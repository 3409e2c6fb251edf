import type { Question } from './question.ts'

export interface ValueGridOptions {
  readonly question: Question
  /** 1: from the smallest value up; −1: from the largest down. */
  readonly sign: 1 | -1
  /** F can only be one of so many equal steps of its range. */
  readonly steps: number | undefined
  /** Values to test where it can be any, at the least. */
  readonly grid: number
  /** Or these, increasing. */
  readonly values: readonly number[] | undefined
  /** No two values closer than this; infinite: the grid stays as it is. */
  readonly finest: number
  /** What is owned against a value before the first draw. Default 1. */
  readonly start?: ((f: number) => number) | undefined
}

/**
 * The values that a limit tests, from the outside in, with what is owned against each: a row of wealth, one for every bet. Rejected is
 * rejected for good; the limit is the end of the unbroken run of rejected values.   @see docs/equations.md#grid
 */
export class ValueGrid {
  readonly #options: ValueGridOptions
  #values: Float64Array
  #wealth: Float64Array
  #isOut: Uint8Array
  /** First value that is not rejected, and the end of those that still matter. */
  from = 0
  to: number
  limit: number

  constructor(options: ValueGridOptions, width: number) {
    const { question, sign } = options
    this.#options = options
    const values = valuesOf(options)
    this.#values = sign === 1 ? values : values.reverse()
    this.#wealth = new Float64Array(values.length * width).fill(1)
    const { start } = options
    if (start) for (let k = 0; k < values.length; k++) this.#wealth.fill(start(this.#values[k]!), k * width, (k + 1) * width)
    this.#isOut = new Uint8Array(values.length)
    this.to = values.length
    this.limit = question.range[sign === 1 ? 0 : 1]
  }

  get values(): Float64Array {
    return this.#values
  }

  /** One row a value, one after another. */
  get wealth(): Float64Array {
    return this.#wealth
  }

  get isOut(): Uint8Array {
    return this.#isOut
  }

  /** Gives every value a row of as many equal numbers as there are bets now. */
  refill(width: number, owned: (k: number) => number): void {
    const wealth = new Float64Array(this.#values.length * width)
    for (let k = 0; k < this.#values.length; k++) wealth.fill(owned(k), k * width, (k + 1) * width)
    this.#wealth = wealth
  }

  /** Moves the limit to the end of the run of rejected values; with equal steps, to the next value inside. */
  settle(): void {
    const inside = this.#options.steps ? 1 : 0
    for (; this.from < this.to && this.#isOut[this.from]; this.from++)
      this.limit = this.#values[Math.min(this.from + inside, this.#values.length - 1)]!
  }

  /** Forgets the values beyond the other limit, and puts more between those that are left. True if there are others now. */
  narrow(other: number): boolean {
    const { sign, finest, grid, steps } = this.#options
    if (finest === Number.POSITIVE_INFINITY) return false
    while (this.to > this.from && sign * (this.#values[this.to - 1]! - other) > 0) this.to--
    const count = this.to - this.from
    if (steps || count === 0 || count >= grid / 2) return false
    if (Math.abs(this.#values[this.to - 1]! - this.limit) / count <= finest) return false
    this.#refine()
    return true
  }

  /**
   * A value in the middle of every gap goes on with what the next value further in has gained. That keeps the proof: if F lies beyond it,
   * it lies beyond the other too, and what was staked there was a supermartingale. What it starts from is its own.
   */
  #refine(): void {
    const { start } = this.#options
    const width = this.#wealth.length / this.#values.length
    const count = this.to - this.from
    const values = new Float64Array(2 * count)
    const wealth = new Float64Array(2 * count * width)
    const isOut = new Uint8Array(2 * count)
    for (let k = 0; k < 2 * count; k++) {
      const parent = this.from + (k >> 1)
      const outside = parent === this.from ? this.limit : this.#values[parent - 1]!
      values[k] = k % 2 === 0 ? (outside + this.#values[parent]!) / 2 : this.#values[parent]!
      wealth.set(this.#wealth.subarray(parent * width, (parent + 1) * width), k * width)
      isOut[k] = this.#isOut[parent]!
      if (!start) continue
      const share = start(values[k]!) / start(this.#values[parent]!)
      for (let j = k * width; j < (k + 1) * width; j++) wealth[j]! *= share
    }
    this.#values = values
    this.#wealth = wealth
    this.#isOut = isOut
    this.from = 0
    this.to = 2 * count
  }
}

/** Where F can only be one of some values, these; otherwise closer together towards the ends, where variances are small. */
function valuesOf({ question, steps, grid, values }: ValueGridOptions): Float64Array {
  if (values) return Float64Array.from(values)
  const [least, most] = question.range
  const width = most - least
  if (steps) return Float64Array.from({ length: steps + 1 }, (_, j) => least + (width * j) / steps)
  return Float64Array.from({ length: grid }, (_, i) => least + width * Math.sin((Math.PI / 2) * ((i + 0.5) / grid)) ** 2)
}
