import { requireInput } from '../core/errors.ts'
import { clip } from '../core/numbers.ts'
import { noPlan, type Plan } from './plan.ts'
import {
  isRelevant,
  type Moments,
  type Question,
  type QuestionTotals,
  requireQuestion,
  spreadAt,
  type Worth,
} from './question.ts'
import { type Evidence, QuestionLimit } from './question-limit.ts'

/**
 * `defined`; `if any`: it holds if there is anything to divide by; `undefined`: there is nothing; `known`: nothing is open any more;
 * `contradiction`: one of the cases that the level allows for has happened, and only what is certain is said.
 */
export type IntervalState = 'defined' | 'if any' | 'undefined' | 'known' | 'contradiction'

/** What a record says of a question. Missing numbers: there is nothing to divide by. */
export interface QuestionAnswer {
  readonly state: IntervalState
  readonly value: number | null
  readonly low: number | null
  readonly high: number | null
  /** Draws that counted. */
  readonly answers: number
}

export interface QuestionIntervalOptions {
  readonly question: Question
  /** Points by kind: all that the question is about. */
  readonly counts: readonly number[]
  /** Chances that the lower and the upper limit are ever wrong; 0 for no limit at all. Default 0.025 each. */
  readonly lower?: number
  readonly upper?: number
  /** Default: none. */
  readonly plan?: Plan
  /** F can only be one of so many equal steps of its range: then limits are such values. */
  readonly steps?: number | undefined
  /** Values to test where F can be anything, at the least. Default 400. */
  readonly grid?: number
  /** Or these, increasing. */
  readonly values?: readonly number[]
  /** No two of them closer than this. Default: a 160th of the tolerance, or of 2 % of the range. */
  readonly finest?: number
}

/** A drawn point, as a question sees it. */
export interface QuestionDraw {
  readonly kind: number
  readonly mass: number
  readonly belief: Moments
  /** What its answer adds; null for "cannot tell". */
  readonly worth: Worth | null
}

/**
 * An interval for a question, from successive draws, valid at every look, whatever the beliefs, masses, other questions and goals.
 *
 *   X(f) = S(f) + Σ_left h(f) + (d_J − h_J)(f) · A/a_J,   d(f) = num − f·den,   E[X(f) | past] = Σ d(f)
 *
 * Draws of points that the question does not depend on are skipped, and so are rounds in which some that it depends on could not be drawn.
 *
 * @see docs/equations.md#question-interval
 */
export class QuestionInterval {
  readonly #question: Question
  readonly #relevant: readonly boolean[]
  readonly #lower: QuestionLimit
  readonly #upper: QuestionLimit
  /** Points without an answer, and those whose answer says nothing, by kind. */
  readonly #open: number[]
  readonly #unknown: number[]
  #left: number
  #plan: Plan
  /** S: what was told so far. */
  #seen: Worth = { num: 0, den: 0 }
  /** What is left of the round's totals; `allMass`: of all points, also those that do not matter here. */
  #round: Left | undefined
  /** Of counted draws: Σ X, Σ X² over what was predicted of those in rounds that were not plain, Σ 1/variance. */
  #sum: Worth = { num: 0, den: 0 }
  #counted = 0
  #surprise = 0
  #surprises = 0
  #information = 0
  #last: DrawEvidence | undefined

  constructor(options: QuestionIntervalOptions) {
    const { question, counts, lower = 0.025, upper = 0.025, plan = noPlan, steps, grid = 400, values } = options
    requireQuestion(question)
    const { kinds, range } = question
    requireInput(
      counts.length === kinds.length,
      `counts: one for each of ${kinds.length} kinds is required, got ${counts.length}`,
    )
    const isSplit = lower >= 0 && upper >= 0 && lower + upper > 0 && lower + upper < 1
    requireInput(isSplit, `level: chances of error must be in [0, 1), got ${lower} below and ${upper} above`)
    this.#question = question
    this.#relevant = kinds.map(isRelevant)
    this.#open = [...counts]
    this.#unknown = counts.map(() => 0)
    this.#left = counts.reduce((sum, count, kind) => sum + (this.#relevant[kind] ? count : 0), 0)
    this.#plan = plan
    const finest =
      options.finest ??
      (values ? Number.POSITIVE_INFINITY : undefined) ??
      (plan.kind === 'tolerance' ? plan.tolerance : 0.02 * (range[1] - range[0])) / 160
    const common = { question, points: this.#left, plan, steps, grid, values, finest }
    this.#lower = new QuestionLimit({ ...common, sign: 1, alpha: lower })
    this.#upper = new QuestionLimit({ ...common, sign: -1, alpha: upper })
  }

  /** Where F is thought to be; in the middle of the range before the first draw. */
  get centre(): number {
    const [least, most] = this.#question.range
    return this.#last?.centre ?? (least + most) / 2
  }

  /** Another goal, from the next draw on.   @see docs/equations.md#goals */
  replan(plan: Plan): void {
    this.#plan = plan
    this.#lower.replan(plan)
    this.#upper.replan(plan)
  }

  /** Counts points whose answer is known without a draw; null: the answer was "cannot tell". */
  give(kind: number, worth: Worth | null, count = 1): void {
    const { num, den } = worth ?? { num: 0, den: 0 }
    this.#see(kind, { num: count * num, den: count * den }, count)
    if (!worth) this.#unknown[kind]! += count
  }

  /**
   * Begins a round: from here on, draws were made with these totals. `allMass`: of all points that could be drawn; `drawn`: answers before it;
   * `isPlain`: all masses were the same, and beliefs too for points of one prediction.
   */
  round(totals: QuestionTotals, { allMass, drawn, isPlain }: { allMass: number; drawn: number; isPlain: boolean }): void {
    this.#round = { ...totals, isPlain, allMass, drawn }
  }

  /** Adds the next draw of the round. */
  draw({ kind, mass, belief, worth }: QuestionDraw): void {
    const round = this.#round
    requireInput(round !== undefined, 'draw: round() must come first, got a draw before it')
    requireInput(this.#open[kind]! > 0, `draw: a point that is open is required, got one more than there are of kind ${kind}`)
    const isRelevant = this.#relevant[kind]!
    if (isRelevant && round.isCovered) this.#bet(round, { kind, mass, belief, worth })
    if (worth) this.#see(kind, worth)
    else this.#see(kind, { num: 0, den: 0 }, 1)
    if (!worth) this.#unknown[kind]!++
    round.num -= belief.num
    round.den -= belief.den
    round.allMass -= mass
    round.drawn++
    if (!isRelevant || mass <= 0) return
    round.mass -= mass
    round.numNum -= belief.numNum / mass
    round.numDen -= belief.numDen / mass
    round.denDen -= belief.denDen / mass
  }

  #see(kind: number, { num, den }: Worth, count = 1): void {
    this.#seen = { num: this.#seen.num + num, den: this.#seen.den + den }
    this.#open[kind]! -= count
    if (this.#relevant[kind]) this.#left -= count
  }

  #bet(round: Left, { kind, mass, belief, worth }: QuestionDraw): void {
    const question = this.#question
    const [least, most] = question.range
    const inside = (f: number) => clip(f, least, most)
    const middle = (least + most) / 2
    const base = { num: this.#seen.num + round.num, den: this.#seen.den + round.den }
    const known = base.den > 1e-9 ? inside(base.num / base.den) : middle
    const weighed = (10 * base.den + this.#sum.den + base.den) / (11 + this.#counted)
    const centre =
      weighed > 1e-9 ? inside((10 * base.num + this.#sum.num + base.den * middle) / (11 + this.#counted) / weighed) : known
    const believed = round.den > 1e-9 ? inside(round.num / round.den) : known
    const predicted = round.mass * (round.numNum - 2 * believed * round.numDen + believed * believed * round.denDen)
    const smallest = 1e-6 * Math.max(base.den, 1) ** 2 * (most - least) ** 2
    const ratio = Math.max(predicted, smallest) / spreadAt(question, believed)
    const correction = round.isPlain ? 1 : clip((100 + this.#surprise) / (100 + this.#surprises), 0.25, 4)
    const variance = ratio * correction
    const relativeVariance = variance / Math.max(base.den, 1e-9) ** 2
    const weight = round.mass / mass
    const told = worth ?? belief // "cannot tell" moves nothing here; the limits take it at its worst
    const move = { num: (told.num - belief.num) * weight, den: (told.den - belief.den) * weight }
    const evidence: Evidence = {
      base,
      move,
      down: round.down.map((ratio) => ratio * round.mass),
      up: round.up.map((ratio) => ratio * round.mass),
      variance,
      relativeVariance,
      information: this.#information,
      horizon: this.#horizon(round),
      ...this.#doubtOf({ kind, belief, worth }, weight),
    }
    this.#lower.step(evidence)
    this.#upper.step(evidence)
    this.#lower.narrow(this.#upper.value)
    this.#upper.narrow(this.#lower.value)
    const x = base.num + move.num - centre * (base.den + move.den)
    if (!round.isPlain) {
      this.#surprise += x ** 2 / (ratio * spreadAt(question, centre))
      this.#surprises++
    }
    this.#sum = { num: this.#sum.num + base.num + move.num, den: this.#sum.den + base.den + move.den }
    this.#information += 1 / relativeVariance
    this.#counted++
    this.#last = { base: base.num - centre * base.den, x, centre, variance, mass: round.mass }
  }

  /** Draws that a budget leaves, in units of the draw at hand: of those ahead that matter, with the correction for a finite pool. */
  #horizon({ mass, allMass, drawn }: Left): number {
    if (this.#plan.kind !== 'budget') return 0
    const { answers } = this.#plan
    const ahead = Math.max(((answers - drawn) * mass) / allMass, 1, 0.03 * answers)
    return 0.9 * (ahead >= this.#left ? 1e6 : (this.#left * ahead) / (this.#left - ahead))
  }

  /** Answers that say nothing count, for every value tested, as the one that is worst for the bet. */
  #doubtOf({ kind, belief, worth }: Pick<QuestionDraw, 'kind' | 'belief' | 'worth'>, weight: number): Pick<Evidence, 'doubt'> {
    const { kinds } = this.#question
    const unknown = this.#unknown.flatMap((count, k) => (count > 0 ? [{ count, worths: kinds[k]! }] : []))
    if (unknown.length === 0 && worth) return {}
    return {
      doubt(f, sign) {
        let base = 0
        for (const { count, worths } of unknown) base += count * worst(worths, f, sign)
        return { base, move: worth ? 0 : (worst(kinds[kind]!, f, sign) - (belief.num - f * belief.den)) * weight }
      },
    }
  }

  /** Limits that hold for sure: the smallest and the largest F that any answers to the rest could make. */
  certain(): readonly [low: number, high: number] {
    return [this.#certain(1), this.#certain(-1)]
  }

  #certain(sign: 1 | -1): number {
    const { kinds, range } = this.#question
    let [least, most] = range
    for (let step = 0; step < 50; step++) {
      const f = (least + most) / 2
      let sum = this.#seen.num - f * this.#seen.den
      for (const [kind, worths] of kinds.entries()) {
        const count = this.#open[kind]! + this.#unknown[kind]!
        if (count > 0) sum += count * worst(worths, f, sign)
      }
      const isBeyond = sign * sum > 1e-12 // F lies on the inner side of f for certain
      if (isBeyond === (sign === 1)) least = f
      else most = f
    }
    return sign === 1 ? least : most
  }

  /** What can be said now.   @see docs/equations.md#states */
  answer(): QuestionAnswer {
    const { kinds } = this.#question
    const possible = kinds.map((_, kind) => this.#open[kind]! + this.#unknown[kind]!)
    const denominator = (pick: (...numbers: number[]) => number) =>
      possible.reduce(
        (sum, count, kind) => (count > 0 ? sum + count * pick(...kinds[kind]!.map(({ den }) => den)) : sum),
        this.#seen.den,
      )
    const [smallest, largest] = [denominator(Math.min), denominator(Math.max)]
    const answers = this.#counted
    if (largest <= 0) return { state: 'undefined', value: null, low: null, high: null, answers }
    if (possible.every((count, kind) => count === 0 || !this.#relevant[kind])) {
      const numerator = possible.reduce((sum, count, kind) => sum + count * kinds[kind]![0]!.num, this.#seen.num)
      const value = numerator / smallest
      return { state: 'known', value, low: value, high: value, answers }
    }
    const [low, high] = this.certain()
    const [inner, outer] = [Math.max(this.#lower.value, low), Math.min(this.#upper.value, high)]
    const { num, den } = this.#sum
    const estimate = den > 1e-9 ? num / den : this.centre
    if (inner > outer + 1e-12) return { state: 'contradiction', value: clip(estimate, low, high), low, high, answers }
    const limits = { low: inner, high: Math.max(outer, inner) }
    return { state: smallest > 0 ? 'defined' : 'if any', value: clip(estimate, limits.low, limits.high), ...limits, answers }
  }

  /** What the last draw that counted said. */
  get last(): DrawEvidence | undefined {
    return this.#last
  }

  /** For tests and pictures. */
  get limits(): { readonly lower: QuestionLimit; readonly upper: QuestionLimit } {
    return { lower: this.#lower, upper: this.#upper }
  }
}

/** X and what was expected of it, at the value that F is thought to have. */
export interface DrawEvidence {
  readonly base: number
  readonly x: number
  readonly centre: number
  /** Of X, for each unit of the spread. */
  readonly variance: number
  /** A: of the points that the question depends on and that were left. */
  readonly mass: number
}

/** What is left of a round. */
interface Left extends Writable<QuestionTotals> {
  readonly isPlain: boolean
  allMass: number
  drawn: number
}

type Writable<T> = { -readonly [name in keyof T]: T[name] }

/** The smallest num − f·den of some answers, or the largest. */
function worst(worths: readonly Worth[], f: number, sign: 1 | -1): number {
  let found = Number.POSITIVE_INFINITY
  for (const { num, den } of worths) found = Math.min(found, sign * (num - f * den))
  return sign * found
}
