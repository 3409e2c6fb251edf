import { clip } from '../core/numbers.ts'
import type { Tuning } from './plan.ts'
import { type Question, spreadAt, type Worth } from './question.ts'

/** Sums over the points left of a round, under its beliefs: variances over the relevant ones, divided by their masses. */
export interface ExpectedSums {
  readonly mass: number
  readonly num: number
  readonly den: number
  readonly numNum: number
  readonly numDen: number
  readonly denDen: number
}

/** What is expected of the next draw. */
export interface Expectation {
  /** S + Σ_left h. */
  readonly base: Worth
  /** Where F is thought to be, and the same without caution: for forecasts. */
  readonly centre: number
  readonly expected: number
  /** Variance of X for each unit of the spread: as the beliefs have it, and put right by what was seen. */
  readonly predicted: number
  readonly variance: number
  /** Of X/Σden. */
  readonly relativeVariance: number
}

/** What the counted draws so far say of F, and of the variance of the next one. All of it is known before that draw. */
export class DrawStatistics {
  readonly #question: Question
  readonly #trust: number
  /** Σ X */
  #sum: Worth = { num: 0, den: 0 }
  #draws = 0
  /** Σ X² over what was predicted, of the draws in rounds that were not plain, and their number. */
  #surprise = 0
  #surprises = 0
  #information = 0

  constructor(question: Question, { trust }: Tuning) {
    this.#question = question
    this.#trust = trust
  }

  /** Draws that counted. */
  get draws(): number {
    return this.#draws
  }

  /** Σ 1/relativeVariance. */
  get information(): number {
    return this.#information
  }

  /** The ratio of the two mean X; missing while there is nothing to divide by. */
  get estimate(): number | undefined {
    return this.#sum.den > 1e-9 ? this.#sum.num / this.#sum.den : undefined
  }

  /** `seen`: sums over what was answered. In a plain round the variance is known. */
  expect(seen: Worth, left: ExpectedSums, isPlain: boolean): Expectation {
    const question = this.#question
    const [least, most] = question.range
    const base = { num: seen.num + left.num, den: seen.den + left.den }
    const known = this.#ratio(base) ?? (least + most) / 2
    const believed = this.#ratio(left) ?? known
    const variance = left.mass * (left.numNum - 2 * believed * left.numDen + believed * believed * left.denDen)
    const smallest = 1e-6 * Math.max(base.den, 1) ** 2 * (most - least) ** 2
    const predicted = Math.max(variance, smallest) / spreadAt(question, believed)
    const correction = isPlain ? 1 : clip((this.#trust + this.#surprise) / (this.#trust + this.#surprises), 0.25, 4)
    return {
      base,
      centre: this.#centre(base, 1) ?? known,
      expected: this.#centre(base, 0) ?? known,
      predicted,
      variance: predicted * correction,
      relativeVariance: (predicted * correction) / Math.max(base.den, 1e-9) ** 2,
    }
  }

  /** What was expected counts like ten draws, and the middle of the range like `middling` ones. */
  #centre({ num, den }: Worth, middling: number): number | undefined {
    const [least, most] = this.#question.range
    const all = 10 + middling + this.#draws
    return this.#ratio({
      num: (10 * num + this.#sum.num + (middling * den * (least + most)) / 2) / all,
      den: (10 * den + this.#sum.den + middling * den) / all,
    })
  }

  #ratio({ num, den }: Worth): number | undefined {
    return den > 1e-9 ? clip(num / den, ...this.#question.range) : undefined
  }

  /** Counts a draw, X = base + move. Returns X at the value that F was thought to have. */
  add({ base, centre, predicted, relativeVariance }: Expectation, move: Worth, isPlain: boolean): number {
    const [num, den] = [base.num + move.num, base.den + move.den]
    const x = num - centre * den
    if (!isPlain) {
      this.#surprise += x ** 2 / (predicted * spreadAt(this.#question, centre))
      this.#surprises++
    }
    this.#sum = { num: this.#sum.num + num, den: this.#sum.den + den }
    this.#information += 1 / relativeVariance
    this.#draws++
    return x
  }
}
