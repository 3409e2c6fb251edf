import { type Bets, betsOf, type Plan, type Tuning } from './plan.ts'
import { density, probit } from './probit.ts'
import { type Moments, nodes, spreadAt } from './question.ts'
import { ValueGrid, type ValueGridOptions } from './value-grid.ts'

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
  /** Variances of X that beliefs give, as a parabola in f; missing where it does not depend on f. */
  readonly believed?: Pick<Moments, 'numNum' | 'numDen' | 'denDen'>
  /** Information so far, Σ 1/relativeVariance. */
  readonly information: number
  /** Draws that a budget leaves to the question, in units of this draw. */
  readonly horizon: number
  /** What "cannot tell" adds to base and move at f, at its worst for the bet; missing where everything was told. */
  readonly doubt?: (f: number, sign: 1 | -1) => { readonly base: number; readonly move: number }
}

export interface QuestionLimitOptions extends ValueGridOptions {
  /** Chance that the limit is ever wrong; 0 for no limit. */
  readonly alpha: number
  /** Points that the question depends on. */
  readonly points: number
  readonly plan: Plan
  readonly tuning: Tuning
  /** Bets go on after a value is rejected: for what is owned against it, not for a limit. */
  readonly isEndless?: boolean
}

const ruined = 1e-12

/**
 * One limit of a question. Against every value f on a grid wealth is staked on X(f) having the sign that it has if F lies beyond f; if f is
 * right, the wealth is a supermartingale from 1 and reaches 1/α with probability at most α, ever.   @see docs/equations.md#question-limit
 */
export class QuestionLimit {
  readonly #options: QuestionLimitOptions
  readonly #grid: ValueGrid
  #plan: Plan
  #bets: Bets
  /** √g(f), and what each deadline of a tolerance needs against f: rows of as many as there are deadlines. */
  #roots!: Float64Array
  #needs!: Float64Array

  constructor(options: QuestionLimitOptions) {
    const { alpha, points, plan, tuning } = options
    this.#options = options
    this.#plan = plan
    this.#bets = betsOf(plan, alpha, points, tuning)
    this.#grid = new ValueGrid(options, this.#bets.weights.length)
    this.#prepare()
    // What was known before the first draw counts from there on.
    const { isOut, values } = this.#grid
    if (!options.isEndless) for (const k of values.keys()) if (this.owned(k) >= 1 / alpha) isOut[k] = 1
  }

  get value(): number {
    return this.#grid.limit
  }

  /** A goal that changes, or comes late: what is owned against each value is split anew. Nothing is replayed.   @see docs/equations.md#goals */
  replan(plan: Plan): void {
    const { alpha, points, tuning } = this.#options
    const bets = betsOf(plan, alpha, points, tuning)
    this.#grid.refill(bets.weights.length, (k) => this.owned(k))
    this.#bets = bets
    this.#plan = plan
    this.#prepare()
  }

  /** What is owned against the value of some place, from the outside in. */
  owned(k: number): number {
    const { weights } = this.#bets
    const own = this.#grid.wealth.subarray(k * weights.length, (k + 1) * weights.length)
    return own.reduce((sum, wealth, j) => (wealth >= ruined ? sum + weights[j]! * wealth : sum), 0)
  }

  /** What is owned against a value of the grid. */
  ownedAt(value: number): number {
    return this.owned(this.#grid.values.indexOf(value))
  }

  /** Bets on one draw, against every value that is left. */
  step(evidence: Evidence): void {
    const { question, sign, alpha, isEndless } = this.#options
    if (alpha <= 0) return
    const { base: b, move: m, down, up, doubt } = evidence
    const { values, isOut, from, to } = this.#grid
    const least = question.range[0]
    const scale = (nodes - 1) / (question.range[1] - least)
    const root = Math.sqrt(evidence.variance)
    for (let k = from; k < to; k++) {
      if (isOut[k]) continue
      const f = values[k]!
      let base = b.num - f * b.den
      let x = base + m.num - f * m.den
      if (doubt) {
        const worst = doubt(f, sign)
        base += worst.base
        x += worst.base + worst.move
      }
      const place = (f - least) * scale
      const node = Math.min(Math.max(Math.floor(place), 0), nodes - 2)
      const t = place - node
      const below = down[node]! * (1 - t) + down[node + 1]! * t
      const above = up[node]! * (1 - t) + up[node + 1]! * t
      // The floor keeps rounding errors from being bet on, where X and its reach are both 0.
      const reach = Math.max(sign === 1 ? below - base : base + above, 1e-6 * (below + above), 1e-12)
      const deviation = Math.max(root * this.#roots[k]!, this.#leastDeviation(f, evidence))
      const owned = this.#bet(k, sign * x, deviation, reach, evidence)
      if (owned >= 1 / alpha && !isEndless) isOut[k] = 1
    }
    this.#grid.settle()
  }

  #leastDeviation(f: number, { believed }: Evidence): number {
    if (!believed) return 0
    const { numNum, numDen, denDen } = believed
    return this.#options.tuning.leastDeviation * Math.sqrt(Math.max(0, numNum - 2 * f * numDen + f * f * denDen))
  }

  /**
   * Every bet against one value. Stakes λ are known before the draw, and never so large that wealth could become negative. `gain`: X(f),
   * with the sign that the bet is on. Returns what is owned afterwards.   @see docs/equations.md#stakes
   */
  #bet(k: number, gain: number, deviation: number, reach: number, evidence: Evidence): number {
    const { weights, deadlines, sizes } = this.#bets
    const { wealth } = this.#grid
    const most = 0.99 / reach
    let owned = 0
    let at = k * weights.length
    let j = 0
    for (; j < deadlines.length; j++, at++) {
      const before = wealth[at]!
      const chance = before * deadlines[j]!.goal
      let stake = 0
      if (chance < 1 && before >= 1e-9) {
        const draws = this.#draws(k * deadlines.length + j, evidence)
        stake = Math.min(density(probit(chance)) / (chance * deviation * Math.sqrt(draws)), most)
      }
      wealth[at] = before * (1 + stake * gain)
      owned += weights[j]! * wealth[at]!
    }
    if (wealth[at]! >= ruined) {
      wealth[at]! *= 1 + (0.999 / reach) * gain // all in
      owned += weights[j]! * wealth[at]!
    }
    const rate = 1 / deviation
    let steady = 0
    for (let i = 0; i < sizes.length; i++) {
      const before = wealth[++at]!
      if (before < ruined) continue
      const stake = sizes[i]! * rate
      const after = before * (1 + Math.min(stake, most) * gain)
      wealth[at] = after
      steady += after
    }
    return owned + weights[j + 1]! * steady // the steady bets have the same share each
  }

  /** Draws until a deadline, in units of the draw at hand. `place`: of what it needs. */
  #draws(place: number, { horizon, information, relativeVariance }: Evidence): number {
    if (this.#plan.kind === 'budget') return horizon
    const need = this.#needs[place]!
    return Math.max(1, Math.max(need - information, 0.03 * need) * relativeVariance)
  }

  /** What depends on the values and the plan alone. */
  #prepare(): void {
    const { question, sign } = this.#options
    const [least, most] = question.range
    const { deadlines } = this.#bets
    const { values } = this.#grid
    this.#roots = values.map((f) => Math.sqrt(spreadAt(question, f)))
    this.#needs = new Float64Array(deadlines.length * values.length)
    if (this.#plan.kind !== 'tolerance') return
    const reach = 2 * this.#plan.tolerance
    for (const [k, f] of values.entries()) {
      // f is in the way of an interval of half-width h exactly while the other limit is 2h away: two score tests at one estimate.
      const other = sign === 1 ? Math.min(f + reach, most) : Math.max(f - reach, least)
      const isEnd = other <= least || other >= most
      const root = (this.#roots[k]! + (isEnd ? 0 : Math.sqrt(spreadAt(question, other)))) / Math.max(Math.abs(f - other), 1e-9)
      for (let j = 0; j < deadlines.length; j++) this.#needs[k * deadlines.length + j] = deadlines[j]!.need * root ** 2
    }
  }

  /** Gives up the values beyond the other limit, and tests more between those that are left. */
  narrow(other: number): void {
    if (this.#grid.narrow(other)) this.#prepare()
  }

  /** The wealth of each bet against a value, by its place in an increasing grid that was never refined: for tests. */
  wealthAt(place: number): number[] {
    const { length } = this.#bets.weights
    const k = this.#options.sign === 1 ? place : this.#grid.values.length - 1 - place
    return [...this.#grid.wealth.subarray(k * length, (k + 1) * length)]
  }
}
