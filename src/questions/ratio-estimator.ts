import type { Forecast } from '../certificates/forecast.ts'
import { noPlan, type Plan } from '../certificates/plan.ts'
import type { QuestionTotals } from '../certificates/question.ts'
import { QuestionInterval } from '../certificates/question-interval.ts'
import type { Label } from '../core/record.ts'
import type { AskedAnswer, AskOptions } from './ask.ts'
import type { QuestionEstimator } from './estimator.ts'
import type { Strata } from './frame.ts'
import { startWealthOf } from './learned.ts'
import type { OpenQuestion } from './masses.ts'
import { type AuditRules, isAbout, type OpenRound, planFor } from './record.ts'
import { keyOf, type QuestionSpec } from './spec.ts'
import { type QuestionTables, tablesOfDenominator } from './tables.ts'
import { totalsOf } from './totals.ts'

/** Of a ratio of two sums, or a mean. */
export class RatioEstimator implements QuestionEstimator {
  readonly question: QuestionSpec
  readonly tables: readonly QuestionTables[]
  readonly #strata: Strata
  readonly #isSinceAsked: boolean
  readonly #interval: QuestionInterval
  /** Of what the question divides by, where that may be nothing. */
  readonly #denominator: Follower | undefined
  readonly #own: Follower
  /** Answers of learning that it starts from. */
  readonly #learned: number | undefined
  #plan: Plan = noPlan
  #isRegistered = false

  constructor(
    question: QuestionSpec,
    tables: readonly QuestionTables[],
    strata: Strata,
    { together = 1, sinceAsked = false }: AskOptions = {},
  ) {
    const own = tables[0]!
    const alpha = (1 - question.level) / together
    this.question = question
    this.tables = tables
    this.#strata = strata
    this.#isSinceAsked = sinceAsked
    const shares = question.isCeiling ? { lower: 0, upper: alpha } : { lower: alpha / 2, upper: alpha / 2 }
    const start = startWealthOf(question, strata)
    this.#interval = new QuestionInterval({ question: own.question, counts: own.counts, steps: own.steps, ...shares, start })
    this.#learned = start && strata.learned!.answers
    this.#own = { tables: own, interval: this.#interval }
    const rest = canBeEmpty(own) ? tablesOfDenominator(question, strata) : undefined
    this.#denominator = rest && {
      tables: rest,
      interval: new QuestionInterval({ question: rest.question, counts: rest.counts, steps: rest.steps, lower: 0, upper: alpha }),
    }
  }

  wanted([totals]: readonly QuestionTotals[], tolerance = 1): readonly OpenQuestion[] {
    const { centre, seen } = this.#interval
    return [{ tables: this.#own.tables, centre, denominator: seen.den + totals!.den, tolerance }]
  }

  give(stratum: number, answer: Label): void {
    for (const { tables, interval } of this.#followers()) interval.give(tables.kinds[stratum]!, tables.worth(stratum, answer))
  }

  begin(round: OpenRound, rules: AuditRules): void {
    const { goal, questions } = rules
    const plan = planFor(goal)
    this.#isRegistered ||= questions.some(({ question }) => keyOf(question) === keyOf(this.question))
    if (JSON.stringify(plan) !== JSON.stringify(this.#plan)) this.#interval.replan(plan)
    this.#plan = plan
    const isOurs = isAbout(this.#strata.frame, rules, this.question) && (this.#isRegistered || !this.#isSinceAsked)
    for (const follower of this.#followers()) beginRound(follower, this.#strata, round, isOurs)
  }

  draw(stratum: number, answer: Label): void {
    for (const follower of this.#followers()) drawPoint(follower, this.#strata, stratum, answer)
  }

  answer(): AskedAnswer {
    const answer = this.#interval.answer()
    const { level } = this.question
    const rest = answer.state === 'if any' ? this.#denominator : undefined
    const most = rest?.interval.answer().high
    return {
      question: this.question,
      ...answer,
      level,
      points: this.#own.tables.points,
      plan: this.#plan,
      isRegistered: this.#isRegistered,
      ...(this.#learned !== undefined && { learned: this.#learned }),
      ...(rest && most !== undefined && most !== null && { atMost: Math.floor(most * this.#own.tables.points + 1e-6) }),
    }
  }

  forecast(tolerance: number): Forecast | undefined {
    return this.#interval.forecast(tolerance)
  }

  *#followers(): Generator<Follower> {
    yield this.#own
    if (this.#denominator) yield this.#denominator
  }
}

/** An interval over some tables, and the round it is in. */
interface Follower {
  readonly tables: QuestionTables
  readonly interval: QuestionInterval
  round?: OpenRound
}

function beginRound(follower: Follower, strata: Strata, round: OpenRound, isOurs: boolean): void {
  const { tables, interval } = follower
  const { allMass, drawn, isPlain } = round
  follower.round = round
  const totals = totalsOf(tables, strata, round)
  interval.round({ ...totals, isCovered: totals.isCovered && isOurs }, { allMass, drawn, isPlain })
}

function drawPoint({ tables, interval, round }: Follower, strata: Strata, stratum: number, answer: Label): void {
  const kind = tables.kinds[stratum]!
  const belief = round!.beliefs.moments(strata.profiles[stratum]!, tables.question.kinds[kind]!)
  interval.draw({ kind, mass: round!.masses[stratum]!, belief, worth: tables.worth(stratum, answer) })
}

/** Whether answers are possible that leave nothing to divide by. */
function canBeEmpty({ question, counts }: QuestionTables): boolean {
  return question.kinds.every((row, kind) => counts[kind] === 0 || row.some(({ den }) => den === 0))
}
