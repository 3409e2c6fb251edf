import { requireInput } from '../core/errors.ts'
import { clip } from '../core/numbers.ts'
import { DrawStatistics } from './draw-statistics.ts'
import { answersUntil, type Forecast, halfWidthAfter, informationOfStart, type Pace } from './forecast.ts'
import { OpenAnswers } from './open-answers.ts'
import { noPlan, type Plan, type Tuning, tuning as tuned } from './plan.ts'
import { type Moments, type Question, type QuestionTotals, requireQuestion, type Worth } from './question.ts'
import type { QuestionAnswer } from './question-answer.ts'
import type { Evidence } from './question-limit.ts'
import { QuestionLimits } from './question-limits.ts'
import { horizonOf, type RoundLeft, type RoundSetting, roundLeft, takeOut } from './round-left.ts'

export type { IntervalState, QuestionAnswer } from './question-answer.ts'

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
  /** Values to say how much there is against at any time, by `eValue`. Default: none. */
  readonly watch?: readonly number[]
  /** What is owned before the first draw against F lying on the outer side of a value, by the side of the limit: of mean 1 at most if it does. Default 1. */
  readonly start?: ((f: number, sign: 1 | -1) => number) | undefined
  /** Numbers that decide how narrow the interval is. Default: those in use. */
  readonly tuning?: Tuning
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
  readonly #answers: OpenAnswers
  readonly #statistics: DrawStatistics
  readonly #limits: QuestionLimits
  readonly #alpha: { readonly lower: number; readonly upper: number }
  readonly #start: QuestionIntervalOptions['start']
  /** Half the width of the interval before the first draw, once it was asked for. */
  #startWidth: number | undefined
  #plan: Plan
  #round: RoundLeft | undefined
  #last: DrawEvidence | undefined

  constructor(options: QuestionIntervalOptions) {
    const { question, counts, lower = 0.025, upper = 0.025, plan = noPlan, steps, grid = 400, values, watch = [] } = options
    const { start, tuning = tuned, finest = values ? Number.POSITIVE_INFINITY : finestFor(question, plan) } = options
    requireQuestion(question)
    const isSplit = lower >= 0 && upper >= 0 && lower + upper > 0 && lower + upper < 1
    requireInput(isSplit, `level: chances of error must be in [0, 1), got ${lower} below and ${upper} above`)
    this.#question = question
    this.#alpha = { lower, upper }
    this.#plan = plan
    this.#answers = new OpenAnswers(question, counts)
    this.#statistics = new DrawStatistics(question, tuning)
    const points = this.#answers.left
    this.#start = start
    this.#limits = new QuestionLimits({ question, points, plan, tuning, steps, grid, values, finest, lower, upper, watch, start })
  }

  /** Where F is thought to be; in the middle of the range before the first draw. */
  get centre(): number {
    const [least, most] = this.#question.range
    return this.#last?.centre ?? (least + most) / 2
  }

  /** Another goal, from the next draw on.   @see docs/equations.md#goals */
  replan(plan: Plan): void {
    this.#plan = plan
    this.#limits.replan(plan)
  }

  /** S: what the answers so far add up to. */
  get seen(): Worth {
    return this.#answers.seen
  }

  /** Counts points whose answer is known without a draw; null: it is known that it cannot be told. They end the round: what is left of it has changed. */
  give(kind: number, worth: Worth | null, count = 1): void {
    this.#answers.answer(kind, worth, count)
    this.#round = undefined
  }

  /** Begins a round: from here on, draws were made with these totals. */
  round(totals: QuestionTotals, setting: RoundSetting): void {
    this.#round = roundLeft(totals, setting)
  }

  /** Adds the next draw of the round. */
  draw(drawn: QuestionDraw): void {
    const { kind, mass, belief, worth } = drawn
    const round = this.#round
    requireInput(round !== undefined, 'draw: round() must come first, got a draw before it')
    const counts = this.#answers.isRelevant(kind) && round.isCovered
    requireInput(!counts || mass > 0, `draw: mass must be positive, got ${mass}`)
    if (counts) this.#bet(round, drawn)
    this.#answers.answer(kind, worth)
    takeOut(round, mass, belief, counts)
  }

  #bet(round: RoundLeft, { kind, mass, belief, worth }: QuestionDraw): void {
    const expected = this.#statistics.expect(this.#answers.seen, round, round.isPlain)
    const weight = round.mass / mass
    const told = worth ?? belief // "cannot tell" moves nothing here; the limits take it at its worst
    const move = { num: (told.num - belief.num) * weight, den: (told.den - belief.den) * weight }
    const { base, centre, variance, relativeVariance } = expected
    const evidence: Evidence = {
      base,
      move,
      down: round.down.map((ratio) => ratio * round.mass),
      up: round.up.map((ratio) => ratio * round.mass),
      variance,
      relativeVariance,
      ...believedOf(round),
      information: this.#statistics.information,
      horizon: this.#plan.kind === 'budget' ? horizonOf(this.#plan.answers, this.#answers.left, round) : 0,
      ...this.#doubtOf({ kind, belief, worth }, weight),
    }
    this.#limits.step(evidence)
    const x = this.#statistics.add(expected, move, round.isPlain)
    this.#last = { base: base.num - centre * base.den, x, centre, variance, mass: round.mass }
  }

  /** Answers that say nothing count, for every value tested, as the one that is worst for the bet. */
  #doubtOf({ kind, belief, worth }: Pick<QuestionDraw, 'kind' | 'belief' | 'worth'>, weight: number): Pick<Evidence, 'doubt'> {
    const answers = this.#answers
    if (worth && !answers.isDoubtful) return {}
    const moveAt = (f: number, sign: 1 | -1) => (answers.worst(kind, f, sign) - (belief.num - f * belief.den)) * weight
    return { doubt: (f, sign) => ({ base: answers.doubt(f, sign), move: worth ? 0 : moveAt(f, sign) }) }
  }

  /** Limits that hold for sure: the smallest and the largest F that any answers to the rest could make. */
  certain(): readonly [low: number, high: number] {
    return this.#answers.certain()
  }

  /** What can be said now.   @see docs/equations.md#states */
  answer(): QuestionAnswer {
    const answers = this.#statistics.draws
    const [smallest, largest] = this.#answers.denominators()
    if (largest <= 0) return { state: 'undefined', value: null, low: null, high: null, answers }
    const numerator = this.#answers.numerator()
    if (numerator !== undefined) {
      const value = numerator / smallest
      return { state: 'known', value, low: value, high: value, answers }
    }
    const low = this.#answers.within(this.#limits.lower.value, 1)
    const high = this.#answers.within(this.#limits.upper.value, -1)
    const estimate = this.#statistics.estimate ?? this.centre
    if (low > high + 1e-12) return { state: 'contradiction', ...around(estimate, this.certain()), answers }
    return { state: smallest > 0 ? 'defined' : 'if any', ...around(estimate, [low, high]), answers }
  }

  /** What the last draw that counted said. */
  get last(): DrawEvidence | undefined {
    return this.#last
  }

  /** For tests and pictures. */
  get limits(): QuestionLimits {
    return this.#limits
  }

  /** How much there is against F ≤ value (that F lies `above`), or against F ≥ value, which must be watched.   @see docs/equations.md#findings */
  eValue(value: number, side: 'above' | 'below'): number {
    return this.#limits.eValue(value, side)
  }

  /** About how many more answers until the interval is ± tolerance. Missing before the first round that counts. */
  forecast(tolerance: number): Forecast | undefined {
    const pace = this.pace()
    return pace && answersUntil(pace, tolerance)
  }

  /** The half-width to expect after so many more answers. Missing before the first round that counts. */
  halfWidthAfter(answers: number): number | undefined {
    const pace = this.pace()
    return pace && halfWidthAfter(pace, answers)
  }

  /** What forecasts rest on. */
  pace(): Pace | undefined {
    const round = this.#round
    if (!round?.isCovered || this.#answers.left === 0) return undefined
    const { expected: estimate, relativeVariance } = this.#statistics.expect(this.#answers.seen, round, round.isPlain)
    const about = { question: this.#question, ...this.#alpha, estimate }
    if (this.#start) this.#startWidth ??= widthAtStart(this.#start, this.#question.range, this.#alpha) / 2
    const known = this.#startWidth === undefined ? 0 : informationOfStart(about, this.#startWidth)
    return {
      ...about,
      plan: this.#plan.kind,
      information: known + this.#statistics.information,
      variance: relativeVariance,
      draws: this.#statistics.draws,
      left: this.#answers.left,
      share: round.mass / round.allMass,
    }
  }
}

/** The variance of X that beliefs give it, where it depends on the value tested. */
function believedOf({ mass, numNum, numDen, denDen }: QuestionTotals): Pick<Evidence, 'believed'> {
  return denDen > 0 ? { believed: { numNum: mass * numNum, numDen: mass * numDen, denDen: mass * denDen } } : {}
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

function finestFor({ range: [least, most] }: Question, plan: Plan): number {
  return (plan.kind === 'tolerance' ? plan.tolerance : 0.02 * (most - least)) / 160
}

/** How far apart limits are by what is owned before the first draw alone. */
function widthAtStart(
  start: NonNullable<QuestionIntervalOptions['start']>,
  [least, most]: Question['range'],
  { lower, upper }: { readonly lower: number; readonly upper: number },
): number {
  const limit = (sign: 1 | -1, alpha: number, from: number, to: number): number => {
    let [out, open] = [from, to]
    for (let step = 0; step < 30 && alpha > 0; step++) {
      const middle = (out + open) / 2
      if (start(middle, sign) >= 1 / alpha) out = middle
      else open = middle
    }
    return out
  }
  return Math.max(0, limit(-1, upper, most, least) - limit(1, lower, least, most))
}

/** Limits that rounding has not made cross, and an estimate between them. */
function around(estimate: number, [low, above]: readonly [number, number]): { value: number; low: number; high: number } {
  const high = Math.max(low, above)
  return { value: clip(estimate, low, high), low, high }
}
