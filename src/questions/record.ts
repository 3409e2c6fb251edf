import { noPlan, type Plan } from '../certificates/plan.ts'
import type { QuestionTotals } from '../certificates/question.ts'
import { AlisError, requireInput } from '../core/errors.ts'
import type { Label } from '../core/record.ts'
import { type Answered, type BeliefRule, type Beliefs, beliefsOf } from './beliefs.ts'
import { type Frame, placeOfPool, presence, type Strata } from './frame.ts'
import type { LearnedRules } from './learned.ts'
import { type MassRule, massesOf } from './masses.ts'
import { inPool, keyOf, type QuestionSpec } from './spec.ts'
import { type QuestionTables, tablesFor } from './tables.ts'
import { totalsOf } from './totals.ts'

/**
 * Rounds of successive draws with the rules that made their masses and beliefs, who was left, and the answers. Whatever is asked of a pool,
 * now or later, is a function of it: asking one thing more changes no other answer.   @see docs/equations.md#record
 */
export interface AuditRecord {
  readonly strata: Strata
  readonly rounds: readonly RecordedRound[]
}

/** A round of a record: what it was drawn by, what was known, and what came of it. */
export interface RecordedRound {
  readonly rules: AuditRules
  /** Answers that were known without a draw when the round began, and not before. */
  readonly given: readonly KnownAnswer[]
  /** In draw order; one without an answer yet ends what can be read. */
  readonly draws: readonly RecordedDraw[]
}

export interface KnownAnswer {
  readonly code: number
  /** A class or a grade; null for "cannot tell". */
  readonly answer: Label
}

/** A point that was drawn, by its stratum. */
export interface RecordedDraw {
  readonly code: number
  readonly answer: Label | undefined
}

/** How a round was drawn, as plain data: on record before its points are shown, and never made anew from answers. */
export interface AuditRules {
  readonly belief: BeliefRule
  readonly mass: MassRule
  /** All masses alike, and beliefs too for points with one prediction. */
  readonly isPlain: boolean
  /** What bets on these draws aim at, whichever question is asked of them, then or later: it was set before they were made. */
  readonly goal: Goal
  /** Where points had been added by then: how many the pool had. Points that came later could not be drawn. */
  readonly poolSize?: number
  readonly questions: readonly RegisteredQuestion[]
  /** Of the first round of a model that was learned on the same record: what was known of it by then. */
  readonly learned?: LearnedRules
  /** Models that race for the best, to within so much accuracy. */
  readonly race?: RaceSpec
}

/** Which of the models is the best, or as good but for `within`, asked at a level. */
export interface RaceSpec {
  readonly within: number
  readonly level: number
}

/** When an audit may stop: once every interval is this narrow on either side, or every upper limit below a value; or after so many answers. */
export interface Goal {
  readonly tolerance?: number
  readonly below?: number
  readonly budget?: number
  /** Of the first question alone: draws are made for it, and the others are told as far as its answers go. */
  readonly first?: true
}

/** What bets aim at for a goal. A ceiling is best reached without a width in mind. */
export function planFor({ tolerance, below, budget }: Goal): Plan {
  if (tolerance !== undefined) return { kind: 'tolerance', tolerance }
  return budget !== undefined && below === undefined ? { kind: 'budget', answers: budget } : noPlan
}

/**
 * Rules of a round, with the pool that they and their questions are about. Where points were added and a round names no pool, it was drawn
 * before that.
 */
export function rulesIn({ pools }: Frame, rules: AuditRules): AuditRules {
  if (!pools) return rules
  const poolSize = rules.poolSize ?? pools[0]!
  const questions = rules.questions.map((each) => ({ ...each, question: inPool(each.question, poolSize) }))
  return { ...rules, poolSize, questions }
}

/** Whether a round was drawn from all of the pool that a question is about. Otherwise nothing is bet: what was won would be about other points. */
export function isAbout({ pools }: Frame, { poolSize }: AuditRules, asked: QuestionSpec): boolean {
  return !pools || placeOfPool(pools, asked.poolSize) <= placeOfPool(pools, poolSize)
}

/** A question that was asked before the draws were made. */
export interface RegisteredQuestion {
  readonly question: QuestionSpec
  /** Whether masses served it, or its goal had been reached by then. */
  readonly isOpen: boolean
  /** What it needed of the round, for each of its tables: kept to be compared with on replay. */
  readonly totals?: readonly QuestionTotals[]
}

/** A round while its draws are read. */
export interface OpenRound {
  readonly beliefs: Beliefs
  readonly masses: Float64Array
  /** Points of each stratum when it began. */
  readonly left: Float64Array
  readonly allMass: number
  /** Answers before it that were drawn from the same pool. */
  readonly drawn: number
  readonly isPlain: boolean
}

/** Reads a record from the start, for any number of questions at once. */
export class RecordReader {
  readonly strata: Strata
  /** Points of each stratum that are neither drawn nor given. */
  readonly left: Float64Array
  readonly answered: Answered[] = []
  #readers: readonly QuestionReader[]
  readonly #tables = new Map<string, readonly QuestionTables[]>()
  #drawn = 0
  #rounds = 0
  readonly #drawnIn = new Map<number | undefined, number>()
  #poolSize: number | undefined

  constructor(strata: Strata, readers: readonly QuestionReader[] = []) {
    this.strata = strata
    this.left = strata.counts.slice()
    this.#readers = readers
  }

  /** From here on, these follow the record too. */
  follow(readers: readonly QuestionReader[]): void {
    this.#readers = [...this.#readers, ...readers]
  }

  /** Rounds that have begun. */
  get rounds(): number {
    return this.#rounds
  }

  /** Draws so far, those that could not be told among them. */
  get drawn(): number {
    return this.#drawn
  }

  /** Those from the pool while it had so many points; a budget is of these. */
  drawnIn(poolSize: number | undefined): number {
    return this.#drawnIn.get(poolSize) ?? 0
  }

  tables(spec: QuestionSpec): readonly QuestionTables[] {
    const question = inPool(spec, this.strata.poolSize)
    const key = keyOf(question)
    const known = this.#tables.get(key) ?? tablesFor(question, this.strata)
    this.#tables.set(key, known)
    return known
  }

  /** Counts points whose answers are known without a draw. */
  give(known: readonly KnownAnswer[]): void {
    for (const { code, answer } of known) {
      const stratum = this.#remove(code)
      this.answered.push({ stratum, answer })
      for (const reader of this.#readers) reader.give(stratum, answer)
    }
  }

  begin(recorded: AuditRules): OpenRound {
    const rules = rulesIn(this.strata.frame, recorded)
    const round = this.open(rules)
    this.#rounds++
    this.#poolSize = rules.poolSize
    for (const { question, totals = [] } of rules.questions)
      for (const [k, kept] of totals.entries()) requireSame(kept, totalsOf(this.tables(question)[k]!, this.strata, round))
    for (const reader of this.#readers) reader.begin(round, rules)
    return round
  }

  /** What rules make of the points that are left: those that were not in the pool have no mass. */
  open(rules: AuditRules): OpenRound {
    const { belief, mass, isPlain, questions, poolSize } = rulesIn(this.strata.frame, rules)
    const isThere = presence(this.strata, poolSize)
    const open = questions.filter(({ isOpen }) => isOpen).flatMap(({ question }) => this.tables(question))
    const beliefs = beliefsOf(belief, this.strata)
    const left = this.left.slice()
    const there = left.map((count, k) => (isThere(k) ? count : 0))
    const masses = massesOf(mass, open, this.strata, there, beliefs).map((a, k) => (isThere(k) ? a : 0))
    const allMass = masses.reduce((sum, a, k) => sum + a * left[k]!, 0)
    return { beliefs, masses, left, allMass, drawn: this.drawnIn(poolSize), isPlain }
  }

  draw(code: number, answer: Label): void {
    const stratum = this.#remove(code)
    this.#drawn++
    this.#drawnIn.set(this.#poolSize, this.drawnIn(this.#poolSize) + 1)
    this.answered.push({ stratum, answer })
    for (const reader of this.#readers) reader.draw(stratum, answer)
  }

  #remove(code: number): number {
    const stratum = this.strata.at(code)
    const isThere = stratum >= 0 && this.left[stratum]! > 0
    requireInput(isThere, `record: a point that is left is required, got one more of stratum ${code} than there are`)
    this.left[stratum]!--
    return stratum
  }
}

/** What follows a record for one question. */
export interface QuestionReader {
  give(stratum: number, answer: Label): void
  begin(round: OpenRound, rules: AuditRules): void
  draw(stratum: number, answer: Label): void
}

/** Reads a whole record; ends at the first draw without an answer. */
export function readRecord({ strata, rounds }: AuditRecord, readers: readonly QuestionReader[]): RecordReader {
  const reader = new RecordReader(strata, readers)
  for (const { rules, given, draws } of rounds) {
    reader.give(given)
    reader.begin(rules)
    for (const { code, answer } of draws) {
      if (answer === undefined) return reader
      reader.draw(code, answer)
    }
  }
  return reader
}

function requireSame(kept: QuestionTotals, made: QuestionTotals): void {
  const bad = strayTotal(kept, made)
  if (bad)
    throw new AlisError(
      'bad-input',
      `record: ${bad.name} of a question must be ${bad.made} as its rules have it, got ${bad.kept}`,
      'The record or the predictions were changed. Begin a new audit: answers that are there count as given.',
    )
}

/** What machines may differ by: some compute logarithms to another last bit. */
const rounding = 1e-9

/**
 * The first of some totals that is not as made again, but for rounding. Sums of differences come to next to nothing where they should come to
 * nothing, and what is left is rounding: so it is measured by the largest of all sums.
 */
export function strayTotal(kept: QuestionTotals, made: QuestionTotals, tolerance = rounding) {
  const { isCovered, down, up, ...sums } = made
  const parts = [{ isCovered: Number(isCovered) }, sums, listedAs('down', down), listedAs('up', up)]
  const flat = { ...kept, isCovered: Number(kept.isCovered), ...listedAs('down', kept.down), ...listedAs('up', kept.up) }
  for (const part of parts) {
    const scale = Math.max(rounding, ...Object.values(part).map(Math.abs))
    for (const [name, value] of Object.entries(part)) {
      const got = Number((flat as Readonly<Record<string, unknown>>)[name])
      if (!(Math.abs(got - value) <= tolerance * scale)) return { name, kept: got, made: value }
    }
  }
  return undefined
}

const listedAs = (name: string, values: readonly number[] = []) =>
  Object.fromEntries(values.map((value, k) => [`${name}.${k}`, value]))
