import { requireInput } from '../core/errors.ts'
import { clip } from '../core/numbers.ts'
import {
  type Expansion,
  extremeMean,
  type FollowedQuestion,
  type Limits,
  type LinearisedMean,
  linearise,
  meanOf,
  sizeOf,
  slopesOf,
  sumOver,
} from './linearisation.ts'
import { noPlan, type Plan } from './plan.ts'
import { momentsOf, type Question, type QuestionTotals } from './question.ts'
import { type QuestionAnswer, QuestionInterval } from './question-interval.ts'

export interface MeanOfRatiosOptions {
  /** The ratios: macro-F1 has the F1 of every class. All are over the same kinds and answers. */
  readonly parts: readonly Question[]
  /** Points by kind. */
  readonly counts: readonly number[]
  /** Chances that the lower and the upper limit are ever wrong. Default 0.025 each. */
  readonly lower?: number
  readonly upper?: number
  /** Default: none. */
  readonly plan?: Plan
  /**
   * Whether the mean itself is bet on, to first order, rather than its parts alone: narrower from about 500 answers on, wider before. To be
   * decided from the plan and the pool, never from answers. Default: no.
   */
  readonly linearised?: boolean
  /** From the first round on that begins with so many answers and can draw every point that matters. Default 150. */
  readonly linearisedAt?: number
  /** Values to test for every ratio, at the least. Default 400. */
  readonly grid?: number
}

/** A drawn point: what is believed of its answer, and the answer, or null for "cannot tell". */
export interface MeanDraw {
  readonly kind: number
  readonly mass: number
  readonly probabilities: ArrayLike<number>
  readonly answer: number | null
}

/**
 * An interval for the mean of some ratios over one pool, at every look: the box of their limits at α/K each, or, linearised,
 *
 *   mean F − mean F̂ = Σ u + (1/K) Σ_k (1 − D_k/D̂_k)(F_k − F̂_k),    Σ u at 0.9 α,   limits for F and D at α/10 in all
 *
 * The mean is over the parts that have anything to divide by. While that is open for some, the state is `if any`, and the interval holds
 * whichever of them count.   @see docs/equations.md#mean-of-ratios
 */
export class MeanOfRatios {
  readonly #options: MeanOfRatiosOptions
  readonly #points: number
  /** Parts that are not undefined from the start, and their denominators: known, or to be estimated. */
  readonly #parts: readonly FollowedQuestion[]
  readonly #sizes: readonly (FollowedQuestion | number)[]
  #linear: LinearisedMean | undefined
  /** How often each answer to points of a kind was given; the last place: "cannot tell". */
  readonly #told: readonly number[][]
  #plan: Plan

  constructor(options: MeanOfRatiosOptions) {
    const { parts, counts, lower = 0.025, upper = 0.025, plan = noPlan, linearised: isLinearised, grid = 400 } = options
    requireInput(parts.length > 0, 'parts: at least one is required, got none')
    requireInput(
      parts.every(({ kinds }) => kinds.every((worths, kind) => worths.length === parts[0]!.kinds[kind]?.length)),
      'parts: the same kinds and answers for all are required, got others',
    )
    this.#options = options
    this.#points = counts.reduce((a, b) => a + b, 0)
    this.#plan = plan
    this.#told = parts[0]!.kinds.map((worths) => new Array<number>(worths.length + 1).fill(0))
    const questions = parts.filter(({ kinds }) => kinds.some((worths, k) => counts[k]! > 0 && worths.some(({ den }) => den > 0)))
    const sizes = isLinearised ? questions.map((part) => sizeOf(part, counts)) : []
    const limits = questions.length + sizes.filter((size) => typeof size !== 'number').length
    const share = isLinearised ? (lower + upper) / 20 / limits : undefined
    const levels = { lower: share ?? lower / limits, upper: share ?? upper / limits }
    // Limits that only bound a product of two small numbers need no fine grid.
    const finest = ({ range: [least, most] }: Question) =>
      isLinearised ? { grid: 100, finest: 0.005 * (most - least) } : { grid }
    const follow = (question: Question): FollowedQuestion => ({
      question,
      interval: new QuestionInterval({ question, counts, ...levels, plan: this.#planOfParts(), ...finest(question) }),
    })
    this.#parts = questions.map(follow)
    this.#sizes = sizes.map((size) => (typeof size === 'number' ? size : follow(size)))
  }

  /** Another goal, from the next draw on. Whether the mean is linearised stays as it was. */
  replan(plan: Plan): void {
    this.#plan = plan
    for (const { interval } of [...this.#parts, ...this.#followedSizes()]) interval.replan(this.#planOfParts())
    this.#linear?.interval.replan(plan)
  }

  /** Counts points whose answer is known without a draw; null: it was "cannot tell". */
  give(kind: number, answer: number | null, count = 1): void {
    for (const { question, interval } of this.#followed())
      interval.give(kind, answer === null ? null : question.kinds[kind]![answer]!, count)
    this.#told[kind]![answer ?? this.#told[kind]!.length - 1]! += count
  }

  /** Begins a round. `totalsOf` is asked for the totals of every question that is bet on in it, always in the same order. */
  round(totalsOf: (question: Question) => QuestionTotals, round: Parameters<QuestionInterval['round']>[1]): void {
    const { linearised, linearisedAt = 150 } = this.#options
    const totals = this.#followed().map(({ question }) => totalsOf(question))
    const isCovered = totals.every((each) => each.isCovered)
    if (linearised && !this.#linear && round.drawn >= linearisedAt && isCovered) this.#linearise()
    for (const [k, { question, interval }] of this.#followed().entries()) interval.round(totals[k] ?? totalsOf(question), round)
  }

  /** Adds the next draw of the round. */
  draw({ kind, mass, probabilities, answer }: MeanDraw): void {
    for (const { question, interval } of this.#followed()) {
      const worths = question.kinds[kind]!
      interval.draw({ kind, mass, belief: momentsOf(worths, probabilities), worth: answer === null ? null : worths[answer]! })
    }
    this.#told[kind]![answer ?? this.#told[kind]!.length - 1]!++
  }

  /** What can be said now.   @see docs/equations.md#mean-of-ratios */
  answer(): QuestionAnswer {
    const parts = this.parts().filter(({ state }) => state !== 'undefined')
    const answers = Math.max(0, ...parts.map((part) => part.answers))
    if (parts.length === 0) return { state: 'undefined', value: null, low: null, high: null, answers }
    const value = meanOf(parts.map((part) => part.value!))
    if (parts.every(({ state }) => state === 'known')) return { state: 'known', value, low: value, high: value, answers }
    const box = boxOf(parts)
    const first = this.#firstOrder(parts)
    const [low, high] = first ? [Math.max(box[0], first[0]), Math.min(box[1], first[1])] : box
    if (low > high + 1e-12 || this.#isContradicted()) {
      const [least, most] = this.certain()
      return { state: 'contradiction', value: clip(value, least, most), low: least, high: most, answers }
    }
    const state = parts.some((part) => part.state === 'if any') ? 'if any' : 'defined'
    return { state, value: clip(value, low, Math.max(low, high)), low, high: Math.max(low, high), answers }
  }

  /** What is said of each part that was not undefined from the start: at the level of its share, so that all hold at once. */
  parts(): readonly QuestionAnswer[] {
    return this.#parts.map(({ interval }) => interval.answer())
  }

  /** Limits that hold for sure. */
  certain(): Limits {
    const certain = this.#parts.map(({ interval }) => {
      const [low, high] = interval.certain()
      return { ...interval.answer(), low, high }
    })
    return boxOf(certain.filter(({ state }) => state !== 'undefined'))
  }

  /**
   * What an answer to a point of a kind adds to the mean, to first order, as far as is known: masses are made from its variance.
   * `expected`: the denominator that is expected of the points left, for a part.
   */
  influence(expected: (part: Question) => number): readonly (readonly number[])[] {
    const questions = this.#parts.map(({ question }) => question)
    const ratios = this.#parts.map(({ question, interval }) => {
      const [least, most] = question.range
      const margin = 0.05 * (most - least)
      return clip(interval.centre, least + margin, most - margin)
    })
    const seen = ({ kinds }: Question) =>
      sumOver(
        this.#told,
        kinds.map((worths) => worths.map(({ den }) => den)),
      )
    const sizes = questions.map((part) => Math.max(1, seen(part) + expected(part)))
    return slopesOf(questions, { ratios, sizes })
  }

  /** Fixes F̂ and D̂ from the past, and asks for Σ u from here on. */
  #linearise(): void {
    const { counts, lower = 0.025, upper = 0.025, grid = 400 } = this.#options
    const at: Expansion = {
      ratios: this.#parts.map(({ interval }) => interval.answer().value ?? interval.centre),
      sizes: this.#sizes.map((size) =>
        typeof size === 'number' ? size : Math.max(1, size.interval.answer().value! * this.#points),
      ),
    }
    const parts = this.#parts.map(({ question }) => question)
    const common = { counts, lower: 0.9 * lower, upper: 0.9 * upper, plan: this.#plan, grid }
    this.#linear = linearise({ parts, at, told: this.#told, ...common })
  }

  /** Limits by first order and its remainder, where every part is defined for certain. */
  #firstOrder(parts: readonly QuestionAnswer[]): Limits | undefined {
    if (!this.#linear || parts.length < this.#parts.length) return undefined
    if (!parts.every(({ state }) => state === 'defined' || state === 'known')) return undefined
    const sizes = this.#sizes.map((size): Limits => {
      if (typeof size === 'number') return [size, size]
      const { low, high } = size.interval.answer()
      return [low! * this.#points, high! * this.#points]
    })
    return this.#linear.limits(
      parts.map(({ low, high }): Limits => [low!, high!]),
      sizes,
    )
  }

  #isContradicted(): boolean {
    return this.#followed().some(({ interval }) => interval.answer().state === 'contradiction')
  }

  #followed(): readonly FollowedQuestion[] {
    return [...this.#parts, ...this.#followedSizes(), ...(this.#linear ? [this.#linear] : [])]
  }

  #followedSizes(): readonly FollowedQuestion[] {
    return this.#sizes.filter((size) => typeof size !== 'number')
  }

  /** A tolerance is one for the mean: linearised, its parts need not come as close. */
  #planOfParts(): Plan {
    return this.#options.linearised && this.#plan.kind === 'tolerance' ? noPlan : this.#plan
  }
}

/** The smallest and the largest mean of parts within their limits. */
function boxOf(parts: readonly QuestionAnswer[]): Limits {
  const isSure = ({ state }: QuestionAnswer) => state === 'defined' || state === 'known'
  const [sure, open] = [parts.filter(isSure), parts.filter((part) => !isSure(part))]
  const lows = (those: readonly QuestionAnswer[]) => those.map(({ low }) => low!)
  const highs = (those: readonly QuestionAnswer[]) => those.map(({ high }) => high!)
  return [extremeMean(lows(sure), lows(open), 1), extremeMean(highs(sure), highs(open), -1)]
}
