import { pick } from '../core/pick.ts'
import type { Label, Revision, RoundFacts } from '../core/record.ts'
import { askAll, limitsTogether } from './ask.ts'
import type { RecordedRounds } from './audit-rounds.ts'
import {
  type CertifiedDraw,
  type CertifiedQuestion,
  type CertifiedRound,
  firstDifference,
  type GivenAnswer,
} from './certificate.ts'
import { questionsAsked, raceOnRecord, recordOf } from './certified-record.ts'
import { estimatorFor, type QuestionEstimator } from './estimator.ts'
import { type Strata, strataIn, strataOf } from './frame.ts'
import { asSaidThen, type CertifiedLearning, type Learned, type LearnedRules } from './learned.ts'
import { askBest, type BestModel, RaceReader } from './race.ts'
import { type AuditRecord, type AuditRules, RecordReader, rulesIn, strayTotal } from './record.ts'
import { auditStrategies, drawable, rulesFor } from './rules.ts'
import { keyOf, type QuestionSpec, question } from './spec.ts'
import type { AuditSubject } from './subject.ts'

/** What a certificate rests on. */
export interface CertifiedRecord {
  readonly seed: number
  readonly rounds: readonly CertifiedRound[]
  readonly revisions: readonly Revision[]
  readonly questions: readonly CertifiedQuestion[]
  readonly best?: BestModel
  readonly learned?: CertifiedLearning
}

/** What engines may differ by, as they add up the same numbers in another order and compute logarithms to another last bit. */
const tolerance = 1e-9

/**
 * And rules: fits end where a step is small, and come out otherwise where more is told apart than when the rules were made, other slices or
 * another model.
 */
const ruleTolerance = 1e-7

/** Shares as small as this count as of this size. */
const smallShare = 1e-3

/**
 * Makes everything again that a certificate says: from the answers as they were said at the time the rules of every round, from the rules
 * its masses and draws, from the answers that stand every limit. Returns the first thing that does not follow, as a path and both values.
 *
 * `subject`: the predictions, with points taken that the audit was not about. `before`: the record that its model was learned on, up to the audit,
 * for a certificate that rests on it too.   @see docs/equations.md#verify
 */
export async function firstFault(
  subject: AuditSubject,
  certified: CertifiedRecord,
  before?: RecordedRounds,
): Promise<string | undefined> {
  const { rounds, revisions, questions, best, seed } = certified
  const { pool, frame } = subject
  const misshapen = misshapenIn(certified)
  if (misshapen) return misshapen
  const learnedAt = await learningOf(subject, certified, before)
  const strata = await withLearning(strataOf(frame, await pool.counts()), learnedAt())
  const record = await recordOf(subject, strata, rounds)
  let reading: Reading | undefined
  for (const [at, { round, stream, strategy, size, rules, draws, given }] of rounds.entries()) {
    await pool.take(given.map(({ id }) => id))
    const path = `rounds.${at}`
    const later = revisions.filter(({ opened }) => opened > round)
    const then = rulesIn(frame, rules)
    const isSame = reading && reading.later === later.length && reading.asked === askedIn(then)
    const said = async () => {
      const known = await withLearning(strataIn(strata, then.poolSize), learnedAt(round))
      return recordOf(subject, known, asSaid(rounds, later))
    }
    reading = isSame ? reading! : newReading(await said(), then, later.length)
    readUpTo(reading, at)
    const { reader, estimators, race } = reading
    const goal = pick(rules.goal, 'tolerance', 'below', 'budget', 'first')
    const again = rulesFor(reader, { estimators, race }, goal, auditStrategies.find((name) => name === strategy)!)
    const wrong = differenceInRules(then, again, `${path}.rules`) ?? uncovered(rules, path)
    if (wrong) return wrong
    const drawn = await pool.draw({ ...drawable(reader, rules), size, stream: { seed, name: stream } })
    const isLast = at === rounds.length - 1 // which may have been left before its end
    const difference = differenceInDraws(draws, isLast ? drawn.slice(0, draws.length) : drawn, path)
    if (difference) return difference
    await pool.take(drawn.map(({ id }) => id))
  }
  const spec = raceOnRecord(rounds)
  return (
    firstDifference(certified.learned, strata.learned?.certified, 'learned', tolerance) ??
    differenceInAnswers(record, questions) ??
    firstDifference(best, spec && askBest(record, spec), 'best', tolerance)
  )
}

/** These properties of an answer, and the name of the machine that gave it, if it has one. */
const asGiven = <T extends GivenAnswer, K extends keyof T>(point: T, ...names: readonly K[]) => ({
  ...pick(point, ...names),
  ...(point.machine !== undefined && { machine: `${point.machine}` }),
})

/** What does not have the form of what an audit writes: names and numbers that nothing is made of, so that nothing else would show it. */
function misshapenIn({ rounds, revisions, learned }: CertifiedRecord): string | undefined {
  for (const [at, each] of rounds.entries()) {
    const path = `rounds.${at}`
    const { round, strategy, draws, given } = each
    const least = at === 0 ? 0 : rounds[at - 1]!.round + 1
    if (!(Number.isInteger(round) && round >= least))
      return `${path}.round: a whole number of at least ${least} is required, got ${JSON.stringify(round)}`
    if (!auditStrategies.some((name) => name === strategy))
      return `${path}.strategy: one of ${auditStrategies.join(', ')} is required, got ${JSON.stringify(strategy)}`
    const whole = { ...pick(each, 'round', 'stream', 'strategy', 'size', 'rules', 'given', 'draws'), stream: `audit/${round}` }
    const stray =
      firstDifference(each, whole, path) ??
      firstOf(given, (point, k) => firstDifference(point, asGiven(point, 'id', 'answer'), `${path}.given.${k}`)) ??
      firstOf(draws, (draw, k) =>
        firstDifference(draw, asGiven(draw, 'id', 'order', 'probability', 'answer'), `${path}.draws.${k}`),
      )
    if (stray) return stray
  }
  return firstOf(revisions, (revision, k) => revisionFault(revision, k, { rounds, revisions, ...(learned && { learned }) }))
}

/** A revision must lead from what was said of a drawn point to what was said next, or stands. */
function revisionFault(
  revision: Revision,
  k: number,
  { rounds, revisions, learned }: Pick<CertifiedRecord, 'rounds' | 'revisions' | 'learned'>,
): string | undefined {
  const { id, opened } = revision
  const path = `revisions.${k}`
  const next = revisions.slice(k + 1).find((later) => later.id === id)
  const points = [...(learned?.points ?? []), ...rounds.flatMap(({ given, draws }) => [...given, ...draws])]
  const point = points.find((each) => each.id === id)
  if (!point) return `${path}.id: a point of the certificate is required, got ${JSON.stringify(id)}`
  const isInTime = Number.isInteger(opened) && opened <= (next?.opened ?? opened)
  if (!isInTime) return `${path}.opened: a number of rounds is required, got ${JSON.stringify(opened)}`
  const expected = { ...pick(revision, 'id', 'from', 'opened'), to: next ? next.from : point.answer }
  return firstDifference(revision, expected, path)
}

function firstOf<T>(items: readonly T[], faultIn: (item: T, place: number) => string | undefined): string | undefined {
  for (const [k, item] of items.entries()) {
    const fault = faultIn(item, k)
    if (fault) return fault
  }
  return undefined
}

const withLearning = async (strata: Strata, learned: Promise<Learned | undefined>): Promise<Strata> => {
  const { learned: _, ...bare } = strata
  const known = await learned
  return { ...bare, ...(known && { learned: known }) }
}

/** What learning says of the model, by the answers that stood when a round was opened, or stand now. Counted anew, whatever is on record. */
async function learningOf(subject: AuditSubject, { rounds }: CertifiedRecord, before: RecordedRounds | undefined) {
  const [first] = rounds
  const facts = first?.rules.learned ? await before?.rounds() : undefined
  if (!first || !facts) return async () => undefined
  const { pools = [] } = subject.frame
  const poolSize = first.rules.poolSize ?? pools[0] ?? subject.pool.size
  const look = (rounds: readonly RoundFacts[], known?: LearnedRules) =>
    subject.learned?.({ rounds, model: before!.model, poolSize, ...(known && { known }) })
  const counted = await look(asSaidThen(facts, first.round))
  return async (round = Number.POSITIVE_INFINITY) => look(asSaidThen(facts, round), counted?.rules)
}

/** Rules but for what fits leave open; what they come to for each question, but for rounding too. */
function differenceInRules(then: AuditRules, again: AuditRules, path: string): string | undefined {
  const shaped = firstDifference(then, again, path, Number.POSITIVE_INFINITY)
  const bare = (rules: AuditRules) => ({ ...rules, questions: rules.questions.map(({ totals: _, ...each }) => each) })
  const difference = shaped ?? firstDifference(bare(then), bare(again), path, ruleTolerance, smallShare)
  if (difference) return difference
  return firstOf(again.questions, ({ totals = [] }, k) =>
    firstOf(totals, (made, j) => {
      const stray = strayTotal(then.questions[k]!.totals![j]!, made, ruleTolerance)
      return stray && `${path}.questions.${k}.totals.${j}.${stray.name}: must be ${stray.made}, got ${stray.kept}`
    }),
  )
}

function differenceInDraws(
  draws: readonly CertifiedDraw[],
  drawn: readonly { readonly id: string; readonly order: number; readonly probability: number }[],
  path: string,
): string | undefined {
  const facts = (some: typeof drawn) => some.map((draw) => pick(draw, 'id', 'order', 'probability'))
  return firstDifference(facts(draws), facts(drawn), `${path}.draws`, tolerance)
}

/** Everything that is said of a question, asked again. */
function differenceInAnswers(record: AuditRecord, questions: readonly CertifiedQuestion[]): string | undefined {
  const left = questionsAsked(record.strata.frame, record.rounds).find(
    (each) => !questions.some((asked) => keyOf(asked.question) === keyOf(each)),
  )
  if (left) return `questions: all that was asked before draws is required, got no answer to ${JSON.stringify(left)}`
  const specs = questions.map((asked) => canonical(asked.question))
  const each = askAll(record, specs)
  const together = questions.some((asked) => asked.together) ? limitsTogether(record, each) : []
  for (const [k, asked] of each.entries()) {
    const { claim: _, together: said, ...given } = questions[k]!
    const path = `questions.${k}`
    const difference =
      firstDifference(given, asked, path, tolerance, smallShare) ??
      (said && firstDifference(said, together[k], `${path}.together`, tolerance, smallShare))
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

/** With no more than a question has. */
const canonical = (spec: QuestionSpec) => question(spec.metric, spec)

function newReading(record: AuditRecord, rules: AuditRules, later: number): Reading {
  const reader = new RecordReader(record.strata)
  const estimators = rules.questions
    .map((each) => canonical(each.question))
    .map((spec) => estimatorFor(spec, record.strata, { tables: reader.tables(spec) }))
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
