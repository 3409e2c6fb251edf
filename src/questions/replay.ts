import type { Label, Revision } from '../core/record.ts'
import { askAll } from './ask.ts'
import {
  type CertifiedDraw,
  type CertifiedQuestion,
  type CertifiedRound,
  firstDifference,
  type GivenAnswer,
} from './certificate.ts'
import { recordOf } from './certified-record.ts'
import { estimatorFor, type QuestionEstimator } from './estimator.ts'
import { strataIn, strataOf } from './frame.ts'
import { askBest, type BestModel, RaceReader } from './race.ts'
import { type AuditRecord, type AuditRules, RecordReader, rulesIn } from './record.ts'
import { type AuditStrategy, drawable, rulesFor } from './rules.ts'
import { keyOf } from './spec.ts'
import type { AuditSubject } from './subject.ts'

/** What a certificate rests on. */
export interface CertifiedRecord {
  readonly seed: number
  readonly rounds: readonly CertifiedRound[]
  readonly revisions: readonly Revision[]
  readonly questions: readonly CertifiedQuestion[]
  readonly best?: BestModel
}

/** What engines may differ by, as they add up the same numbers in another order and compute logarithms to another last bit. */
const tolerance = 1e-9

/**
 * Makes everything again that a certificate says: from the answers as they were said at the time the rules of every round, from the rules
 * its masses and draws, from the answers that stand every limit. Returns the first thing that does not follow, as a path and both values.
 *
 * `subject`: the predictions, with points taken that the audit was not about.   @see docs/equations.md#verify
 */
export async function firstFault(subject: AuditSubject, certified: CertifiedRecord): Promise<string | undefined> {
  const { rounds, revisions, questions, best, seed } = certified
  const { pool, frame } = subject
  const strata = strataOf(frame, await pool.counts())
  const record = await recordOf(subject, strata, rounds)
  let reading: Reading | undefined
  for (const [at, { round, stream, strategy, size, rules, draws, given }] of rounds.entries()) {
    await pool.take(given.map(({ id }) => id))
    const path = `rounds.${at}`
    const later = revisions.filter(({ opened }) => opened > round)
    const then = rulesIn(frame, rules)
    const isSame = reading && reading.later === later.length && reading.asked === askedIn(then)
    const said = () => recordOf(subject, strataIn(strata, then.poolSize), asSaid(rounds, later))
    reading = isSame ? reading! : newReading(await said(), then, later.length)
    readUpTo(reading, at)
    const { reader, estimators, race } = reading
    const again = rulesFor(reader, { estimators, race }, rules.goal, strategy as AuditStrategy)
    const wrong = firstDifference(then, again, `${path}.rules`, tolerance) ?? uncovered(rules, path)
    if (wrong) return wrong
    const drawn = await pool.draw({ ...drawable(reader, rules), size, stream: { seed, name: stream } })
    const difference = differenceInDraws(draws, drawn, path)
    if (difference) return difference
    await pool.take(drawn.map(({ id }) => id))
  }
  return differenceInAnswers(record, questions) ?? (best && firstDifference(best, askBest(record, best), 'best', tolerance))
}

function differenceInDraws(
  draws: readonly CertifiedDraw[],
  drawn: readonly { readonly id: string; readonly order: number; readonly probability: number }[],
  path: string,
): string | undefined {
  for (const [k, { id, order, probability }] of draws.entries()) {
    const expected = drawn[k] && { id: drawn[k].id, order: drawn[k].order, probability: drawn[k].probability }
    const difference = firstDifference({ id, order, probability }, expected, `${path}.draws.${k}`, tolerance)
    if (difference) return difference
  }
  return undefined
}

/** Everything that is said of a question, asked again. */
function differenceInAnswers(record: AuditRecord, questions: readonly CertifiedQuestion[]): string | undefined {
  const specs = questions.map(({ question }) => question)
  const together = askAll(record, specs, { together: specs.length })
  for (const [k, asked] of askAll(record, specs).entries()) {
    const { claim: _, together: said, ...given } = questions[k]!
    const path = `questions.${k}`
    const { low, high } = together[k]!
    const difference =
      firstDifference(given, asked, path, tolerance) ??
      (said && firstDifference(said, { low, high }, `${path}.together`, tolerance))
    if (difference) return difference
    if (given.low !== null && given.high !== null && given.low > given.high)
      return `${path}: a lower limit that is not above the upper one is required, got ${given.low} and ${given.high}`
  }
  return undefined
}

/** An open question must have had every point that it depends on within reach. */
function uncovered({ questions }: AuditRules, path: string): string | undefined {
  const at = questions.findIndex(({ isOpen, totals }) => isOpen && totals?.some(({ isCovered }) => !isCovered))
  return at < 0
    ? undefined
    : `${path}.rules.questions.${at}: masses above 0 are required wherever its answer matters, got some that are 0`
}

/** The rounds with the answers that stood before these revisions. */
function asSaid(rounds: readonly CertifiedRound[], later: readonly Revision[]): readonly CertifiedRound[] {
  const first = new Map<string, Label>()
  for (const { id, from } of later) if (!first.has(id)) first.set(id, from)
  const then = <T extends GivenAnswer>(point: T): T => (first.has(point.id) ? { ...point, answer: first.get(point.id)! } : point)
  return rounds.map((each) => ({ ...each, given: each.given.map(then), draws: each.draws.map(then) }))
}

/** A record that is read round by round, as it was when so many revisions were still to come, with the questions of the time. */
interface Reading {
  readonly record: AuditRecord
  readonly reader: RecordReader
  readonly estimators: readonly QuestionEstimator[]
  readonly race: RaceReader | undefined
  readonly asked: string
  readonly later: number
  /** Where it has come to: before the draws of this round. */
  at: number
}

const askedIn = ({ poolSize, questions, race }: AuditRules) =>
  JSON.stringify([poolSize, questions.map(({ question }) => keyOf(question)), race?.within, race?.level])

function newReading(record: AuditRecord, rules: AuditRules, later: number): Reading {
  const reader = new RecordReader(record.strata)
  const estimators = rules.questions.map(({ question }) =>
    estimatorFor(question, record.strata, { tables: reader.tables(question) }),
  )
  const race = rules.race && new RaceReader(rules.race, record.strata)
  reader.follow(race ? [...estimators, race] : estimators)
  reader.give(record.rounds[0]?.given ?? [])
  return { record, reader, estimators, race, asked: askedIn(rules), later, at: 0 }
}

function readUpTo(reading: Reading, at: number): void {
  const { reader, record } = reading
  for (; reading.at < at; reading.at++) {
    const { rules, draws } = record.rounds[reading.at]!
    reader.begin(rules)
    for (const { code, answer } of draws) reader.draw(code, answer ?? null)
    reader.give(record.rounds[reading.at + 1]!.given)
  }
}
