import { noPlan, type Plan } from '../certificates/plan.ts'
import type { QuestionTotals } from '../certificates/question.ts'
import { type QuestionAnswer, QuestionInterval } from '../certificates/question-interval.ts'
import type { Label } from '../core/record.ts'
import type { Strata } from './frame.ts'
import type { OpenQuestion } from './masses.ts'
import { type AuditRecord, type AuditRules, type OpenRound, planFor, type QuestionReader, readRecord } from './record.ts'
import { keyOf, type QuestionSpec } from './spec.ts'
import { type QuestionTables, tablesFor, tablesOfDenominator } from './tables.ts'
import { totalsOf } from './totals.ts'

/** What a record says of a question. Numbers are missing where there is nothing to divide by. */
export interface AskedAnswer extends QuestionAnswer {
  readonly question: QuestionSpec
  readonly level: number
  /** The one in force at the last draw. */
  readonly plan: Plan
  /** Whether it was asked before some of the draws were made; otherwise it was read off the record afterwards. */
  readonly isRegistered: boolean
  /** Points that it is about: all, or those of a slice. */
  readonly points: number
  /** `if any`: how many points the denominator can have at the most, at the same level. */
  readonly atMost?: number
}

export interface AskOptions {
  /** So many questions are to hold all at once: each may be wrong that much more rarely. Default 1: each by itself. */
  readonly together?: number
}

/**
 * Asks something of a record. Nothing is written, and no other answer changes.
 *
 * @example ask(record, question('recall', { positive: 'spam' }))   // → { value, low, high, state, answers, … }
 */
export function ask(record: AuditRecord, question: QuestionSpec, options: AskOptions = {}): AskedAnswer {
  return askAll(record, [question], options)[0]!
}

/** The same for several, in one reading of the record. */
export function askAll(
  record: AuditRecord,
  questions: readonly QuestionSpec[],
  options: AskOptions = {},
): readonly AskedAnswer[] {
  const inquiries = questions.map((question) => new Inquiry(question, tablesFor(question, record.strata), record.strata, options))
  readRecord(record, inquiries)
  return inquiries.map((inquiry) => inquiry.answer())
}

/** The interval of a question as a record is read. */
export class Inquiry implements QuestionReader {
  readonly question: QuestionSpec
  readonly tables: QuestionTables
  readonly #strata: Strata
  readonly #interval: QuestionInterval
  /** Of what the question divides by, where that may be nothing. */
  readonly #denominator: Follower | undefined
  readonly #own: Follower
  #plan: Plan = noPlan
  #isRegistered = false

  constructor(question: QuestionSpec, tables: QuestionTables, strata: Strata, { together = 1 }: AskOptions = {}) {
    const alpha = (1 - question.level) / together
    this.question = question
    this.tables = tables
    this.#strata = strata
    const shares = question.isCeiling ? { lower: 0, upper: alpha } : { lower: alpha / 2, upper: alpha / 2 }
    this.#interval = new QuestionInterval({ question: tables.question, counts: tables.counts, steps: tables.steps, ...shares })
    this.#own = { tables, interval: this.#interval }
    const rest = canBeEmpty(tables) ? tablesOfDenominator(question, strata) : undefined
    this.#denominator = rest && {
      tables: rest,
      interval: new QuestionInterval({ question: rest.question, counts: rest.counts, steps: rest.steps, lower: 0, upper: alpha }),
    }
  }

  /** Where F is thought to be. */
  get centre(): number {
    return this.#interval.centre
  }

  get interval(): QuestionInterval {
    return this.#interval
  }

  /** An open question as masses see it, under beliefs that give its totals. */
  wanted({ den }: QuestionTotals, tolerance = 1): OpenQuestion {
    return { tables: this.tables, centre: this.centre, denominator: this.#interval.seen.den + den, tolerance }
  }

  give(stratum: number, answer: Label): void {
    for (const { tables, interval } of this.#followers()) interval.give(tables.kinds[stratum]!, tables.worth(stratum, answer))
  }

  begin(round: OpenRound, { goal, questions }: AuditRules): void {
    const plan = planFor(goal)
    this.#isRegistered ||= questions.some(({ question }) => keyOf(question) === keyOf(this.question))
    if (JSON.stringify(plan) !== JSON.stringify(this.#plan)) this.#interval.replan(plan)
    this.#plan = plan
    for (const follower of this.#followers()) beginRound(follower, this.#strata, round)
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
      points: this.tables.points,
      plan: this.#plan,
      isRegistered: this.#isRegistered,
      ...(rest && most !== undefined && most !== null && { atMost: Math.floor(most * this.tables.points + 1e-6) }),
    }
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

function beginRound(follower: Follower, strata: Strata, round: OpenRound): void {
  const { tables, interval } = follower
  const { left, masses, beliefs, allMass, drawn, isPlain } = round
  follower.round = round
  interval.round(totalsOf(tables, strata, left, masses, beliefs), { allMass, drawn, isPlain })
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
