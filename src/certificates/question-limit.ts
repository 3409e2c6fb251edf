import { type Bet, betsOf, type Plan } from './plan.ts'
import { density, probit } from './probit.ts'
import { nodes, type Question, spreadAt } from './question.ts'

/** What is known just before a draw, and then the draw, as lines in f: `base` and `move` make X(f) together. */
export interface Evidence {
  /** S + Σ_left h: what was answered, and what is expected of the rest. */
  readonly base: { readonly num: number; readonly den: number }
  /** (d − h) · A/a. */
  readonly move: { readonly num: number; readonly den: number }
  /** A · max (h − d)/a and A · max (d − h)/a at the nodes: how far X can lie from its base. */
  readonly down: readonly number[]
  readonly up: readonly number[]
  /** Variance of X for each unit of the spread, and of X/Σden. */
  readonly variance: number
  readonly relativeVariance: number
  /** Information so far, Σ 1/relativeVariance. */
  readonly information: number
  /** Draws that a budget leaves to the question, in units of this draw. */
  readonly horizon: number
  /** What "cannot tell" adds to base and move at f, at its worst for the bet; missing where everything was told. */
  readonly doubt?: (f: number, sign: 1 | -1) => { readonly base: number; readonly move: number }
}

export interface QuestionLimitOptions {
  readonly question: Question
  /** 1: the lower limit; −1: the upper. */
  readonly sign: 1 | -1
  /** Chance that the limit is ever wrong; 0 for no limit. */
  readonly alpha: number
  /** Points that the question depends on. */
  readonly points: number
  readonly plan: Plan
  /** F can only be one of so many equal steps of its range. */
  readonly steps: number | undefined
  /** Values to test where it can be any, at the least. */
  readonly grid: number
  /** Or these, increasing. */
  readonly values: readonly number[] | undefined
  /** No two values closer than this; infinite: the grid stays as it is. */
  readonly finest: number
}

const ruined = 1e-12

/**
 * One limit of a question. Against every value f on a grid wealth is staked on X(f) having the sign that it has if F lies beyond f; if f is
 * right, the wealth is a supermartingale from 1 and reaches 1/α with probability at most α, ever. Values are kept from the outside in; the
 * limit is the end of the unbroken run of rejected ones.   @see docs/equations.md#question-limit
 */
export class QuestionLimit {
  readonly #options: QuestionLimitOptions
  #bets: readonly Bet[]
  #values: Float64Array
  #wealth: Float64Array
  #isOut: Uint8Array
  /** g(f), and what a tolerance needs against f, by value and deadline. */
  #spreads!: Float64Array
  #needs!: Float64Array
  #plan: Plan
  /** First value that is not rejected, and the end of those that still matter. */
  #from = 0
  #to: number
  value: number

  constructor(options: QuestionLimitOptions) {
    const { question, sign, alpha, points, plan } = options
    this.#options = options
    this.#plan = plan
    this.#bets = betsOf(plan, alpha, points)
    const values = valuesOf(options)
    this.#values = sign === 1 ? values : values.reverse()
    this.#wealth = new Float64Array(values.length * this.#bets.length).fill(1)
    this.#isOut = new Uint8Array(values.length)
    this.#to = values.length
    this.value = question.range[sign === 1 ? 0 : 1]
    this.#prepare()
  }

  /** A goal that changes, or comes late: what is owned against each value is split anew. Nothing is replayed.   @see docs/equations.md#goals */
  replan(plan: Plan): void {
    const { alpha, points } = this.#options
    const bets = betsOf(plan, alpha, points)
    const wealth = new Float64Array(this.#values.length * bets.length)
    for (let k = 0; k < this.#values.length; k++) wealth.fill(this.owned(k), k * bets.length, (k + 1) * bets.length)
    this.#bets = bets
    this.#wealth = wealth
    this.#plan = plan
    this.#prepare()
  }

  /** What is owned against the value of some place, from the outside in. */
  owned(k: number): number {
    const own = this.#wealth.subarray(k * this.#bets.length, (k + 1) * this.#bets.length)
    return own.reduce((sum, wealth, j) => (wealth >= ruined ? sum + this.#bets[j]!.weight * wealth : sum), 0)
  }

  /** Bets on one draw, against every value that is left. */
  step(evidence: Evidence): void {
    const { question, sign, alpha } = this.#options
    if (alpha <= 0) return
    const { base: b, move: m, down, up, variance, doubt } = evidence
    const [least, most] = question.range
    const scale = (nodes - 1) / (most - least)
    const width = this.#bets.length
    for (let k = this.#from; k < this.#to; k++) {
      if (this.#isOut[k]) continue
      const f = this.#values[k]!
      const worst = doubt?.(f, sign)
      const base = b.num - f * b.den + (worst?.base ?? 0)
      const x = base + m.num - f * m.den + (worst?.move ?? 0)
      const node = Math.min(Math.max(Math.floor((f - least) * scale), 0), nodes - 2)
      const t = (f - least) * scale - node
      const below = down[node]! * (1 - t) + down[node + 1]! * t
      const above = up[node]! * (1 - t) + up[node + 1]! * t
      // The floor keeps rounding errors from being bet on, where X and its reach are both 0.
      const reach = Math.max(sign === 1 ? below - base : base + above, 1e-6 * (below + above), 1e-12)
      const deviation = Math.sqrt(variance * this.#spreads[k]!)
      let mixture = 0
      for (let j = 0; j < width; j++) {
        const at = k * width + j
        const before = this.#wealth[at]!
        if (before < ruined) continue
        const after = before * (1 + sign * this.#stake(k, j, before, deviation, reach, evidence) * x)
        this.#wealth[at] = after
        mixture += this.#bets[j]!.weight * after
      }
      if (mixture >= 1 / alpha) this.#isOut[k] = 1
    }
    this.#settle()
  }

  /** λ: known before the draw, and never so much that the wealth could become negative. */
  #stake(k: number, j: number, wealth: number, deviation: number, reach: number, evidence: Evidence): number {
    const bet = this.#bets[j]!
    if (bet.kind === 'all-in') return 0.999 / reach
    const most = 0.99 / reach
    if (bet.kind === 'steady') return Math.min(bet.size / deviation, most)
    const chance = wealth * bet.goal
    if (chance >= 1 || wealth < 1e-9) return 0
    const need = this.#needs[k * 2 + j]!
    const draws =
      this.#plan.kind === 'budget'
        ? evidence.horizon
        : Math.max(1, Math.max(need - evidence.information, 0.03 * need) * evidence.relativeVariance)
    return Math.min(density(probit(chance)) / chance / (deviation * Math.sqrt(draws)), most)
  }

  /** Wealth of each bet against a value, by its place in an increasing grid that was never refined: for tests. */
  wealthAt(place: number): number[] {
    const k = this.#options.sign === 1 ? place : this.#values.length - 1 - place
    return [...this.#wealth.subarray(k * this.#bets.length, (k + 1) * this.#bets.length)]
  }

  /** What depends on the values and the plan alone. */
  #prepare(): void {
    const { question, sign } = this.#options
    const [least, most] = question.range
    this.#spreads = this.#values.map((f) => spreadAt(question, f))
    this.#needs = new Float64Array(2 * this.#values.length)
    if (this.#plan.kind !== 'tolerance') return
    const { tolerance } = this.#plan
    for (const [k, f] of this.#values.entries()) {
      // f is in the way of an interval of half-width h exactly while the other limit is 2h away: two score tests at one estimate.
      const other = sign === 1 ? Math.min(f + 2 * tolerance, most) : Math.max(f - 2 * tolerance, least)
      const isEnd = other <= least || other >= most
      const root =
        (Math.sqrt(this.#spreads[k]!) + (isEnd ? 0 : Math.sqrt(spreadAt(question, other)))) / Math.max(Math.abs(f - other), 1e-9)
      for (const [j, bet] of this.#bets.entries())
        if (bet.kind === 'deadline') this.#needs[2 * k + j] = bet.delay * bet.quantile ** 2 * root ** 2
    }
  }

  /** Moves the limit to the end of the run of rejected values; with equal steps, to the next value inside. */
  #settle(): void {
    const { steps } = this.#options
    while (this.#from < this.#to && this.#isOut[this.#from]) {
      const inside = Math.min(this.#from + (steps ? 1 : 0), this.#values.length - 1)
      this.value = this.#values[inside]!
      this.#from++
    }
  }

  /** Forgets the values beyond the other limit, and puts more between those that are left. */
  narrow(other: number): void {
    const { sign, finest, grid, steps } = this.#options
    if (finest === Number.POSITIVE_INFINITY) return
    while (this.#to > this.#from && sign * (this.#values[this.#to - 1]! - other) > 0) this.#to--
    const count = this.#to - this.#from
    const spacing = count > 0 ? Math.abs(this.#values[this.#to - 1]! - this.value) / count : 0
    if (!steps && count > 0 && count < grid / 2 && spacing > finest) this.#refine()
  }

  /**
   * A value in the middle of every gap goes on with what the next value further in has gained. That keeps the proof: if F lies beyond it,
   * it lies beyond the other too, and what was staked there was a supermartingale.
   */
  #refine(): void {
    const width = this.#bets.length
    const count = this.#to - this.#from
    const values = new Float64Array(2 * count)
    const wealth = new Float64Array(2 * count * width)
    const isOut = new Uint8Array(2 * count)
    for (let k = 0; k < 2 * count; k++) {
      const parent = this.#from + (k >> 1)
      const outside = parent === this.#from ? this.value : this.#values[parent - 1]!
      values[k] = k % 2 === 0 ? (outside + this.#values[parent]!) / 2 : this.#values[parent]!
      wealth.set(this.#wealth.subarray(parent * width, (parent + 1) * width), k * width)
      isOut[k] = this.#isOut[parent]!
    }
    this.#values = values
    this.#wealth = wealth
    this.#isOut = isOut
    this.#from = 0
    this.#to = 2 * count
    this.#prepare()
    this.#settle()
  }
}

/** Where F can only be one of some values, these; otherwise closer together towards the ends, where variances are small. */
function valuesOf({ question, steps, grid, values }: QuestionLimitOptions): Float64Array {
  if (values) return Float64Array.from(values)
  const [least, most] = question.range
  const width = most - least
  if (steps) return Float64Array.from({ length: steps + 1 }, (_, j) => least + (width * j) / steps)
  return Float64Array.from({ length: grid }, (_, i) => least + width * Math.sin((Math.PI / 2) * ((i + 0.5) / grid)) ** 2)
}
