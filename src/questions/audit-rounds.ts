import { requireInput } from '../core/errors.ts'
import type { Model } from '../core/model.ts'
import { drawnIds, isFor, type Label, poolSizes, type Revision, type RoundFacts, requireUntaken } from '../core/record.ts'
import type { CertifiedRound } from './certificate.ts'
import { recordOf } from './certified-record.ts'
import { type Strata, strataOf, withPoints } from './frame.ts'
import type { AuditRecord, AuditRules } from './record.ts'
import type { AuditSubject } from './subject.ts'

/** A record as an audit reads it: a store, or anything else that has its rounds and models. */
export interface RecordedRounds {
  rounds(): Promise<readonly RoundFacts[]>
  model(id: string): Promise<Model | undefined>
}

/** The rounds of a record that an audit rests on, and all others. */
export interface AuditRounds {
  /** Those that measured the model, over the pool as it is or as it was before points were added. */
  readonly own: readonly RoundFacts[]
  readonly others: readonly RoundFacts[]
  /** Where the audit begins: points of earlier rounds are not part of it. */
  readonly start: number
}

export function auditRounds(record: readonly RoundFacts[], model: string): AuditRounds {
  const own = record.filter((round) => isFor('audit', round) && round.rules && round.model === model)
  return { own, others: record.filter((round) => !own.includes(round)), start: own[0]?.round ?? record.length }
}

/** The points that an audit is about: those that nothing was known of when it began, and all that were added since. Takes what was drawn. */
export async function strataAsked(subject: AuditSubject, source: RecordedRounds): Promise<Strata> {
  const { pool, frame, model } = subject
  const record = await source.rounds()
  const { own, start } = auditRounds(record, model)
  requireSizes(subject, record, own)
  await pool.take(record.flatMap(drawnIds))
  const since = new Set(record.filter(({ round }) => round >= start).flatMap(drawnIds))
  const earlier = new Set(record.filter(({ round }) => round < start).flatMap(drawnIds))
  const drawn = await pool.codesOf([...since].filter((id) => !earlier.has(id)))
  const learned = await learnedIn(subject, source, record)
  const counts = await pool.counts()
  requireUntaken(pool.size - counts.counts.reduce((sum, count) => sum + count, 0), record)
  return { ...strataOf(frame, withPoints(counts, drawn)), ...(learned && { learned }) }
}

/** What the rounds before an audit say of its model. An audit that began without that goes on without. */
async function learnedIn(subject: AuditSubject, { model }: RecordedRounds, record: readonly RoundFacts[]) {
  const { own, start } = auditRounds(record, subject.model)
  const known = (own[0]?.rules as AuditRules | undefined)?.learned
  if (own.length > 0 && !known) return undefined
  const poolSize = known?.evidence?.poolSize ?? subject.pool.size
  return subject.learned?.({ rounds: record.slice(0, start), model, poolSize, ...(known && { known }) })
}

/** Every round must have been drawn from a pool that the subject knows: which of its points were there decides what the draws say. */
function requireSizes({ pool, frame }: AuditSubject, record: readonly RoundFacts[], own: readonly RoundFacts[]): void {
  const { pools = [pool.size] } = frame
  const sizes = poolSizes(record)
  for (const round of own) {
    const size = sizes[record.indexOf(round)]!
    const { poolSize = pools[0]! } = round.rules as AuditRules
    requireInput(
      size === poolSize && pools.includes(size),
      `audit: the pool of ${size} points that round ${round.round} was drawn from is required, got one of ${pools.join(', ')}`,
      'Where points were added, say which: grownSubject.',
    )
  }
}

/** What is known of the points of a round. One that was drawn and will not be asked any more counts as "cannot tell". */
export function answersIn({ draws, answers, isClosed }: RoundFacts): Map<string, Label> {
  if (!isClosed) return new Map(answers)
  return new Map(draws.map(({ id }) => [id, answers.get(id) ?? null]))
}

/** What other rounds have said since, in the order of their points: answers that were known without a draw. */
export function givenIn(others: readonly RoundFacts[], from: number, until: number): [id: string, answer: Label][] {
  const between = others.filter(({ round }) => round >= from && round < until)
  return [...new Map(between.flatMap((round) => [...answersIn({ ...round, isClosed: true })]))]
}

const byMachine = (id: string, machines?: ReadonlyMap<string, string>) => {
  const machine = machines?.get(id)
  return machine === undefined ? {} : { machine }
}

/** The rounds of an audit as a certificate has them, with so many answers in draw order; all that there are by default. */
export function certifiedRounds(
  { model }: Pick<AuditSubject, 'model'>,
  facts: readonly RoundFacts[],
  answers = Number.POSITIVE_INFINITY,
) {
  const { own, others, start } = auditRounds(facts, model)
  const machines = new Map(others.flatMap((round) => [...(round.machines ?? [])]))
  const rounds: CertifiedRound[] = []
  let from = start
  let left = answers
  for (const round of own) {
    const known = answersIn(round)
    const isKnown = (id: string) => known.has(id) && left-- > 0
    const end = round.draws.findIndex(({ id }) => !isKnown(id))
    const draws = round.draws.slice(0, end < 0 ? undefined : end)
    rounds.push({
      round: round.round,
      stream: round.stream,
      strategy: round.strategy,
      size: round.size,
      rules: round.rules as AuditRules,
      given: givenIn(others, from, round.round).map(([id, answer]) => ({ id, answer, ...byMachine(id, machines) })),
      draws: draws.map(({ id, order, probability }) => ({
        id,
        order,
        probability,
        answer: known.get(id)!,
        ...byMachine(id, round.machines),
      })),
    })
    from = round.round + 1
    if (end >= 0) break
  }
  const isLearned = rounds[0]?.rules.learned !== undefined
  const before = isLearned ? facts.slice(0, start).flatMap(drawnIds) : []
  const ids = new Set([...before, ...rounds.flatMap(({ given, draws }) => [...given, ...draws].map(({ id }) => id))])
  const revisions: Revision[] = facts.flatMap((each) => each.revisions.filter(({ id }) => ids.has(id)))
  return { rounds, revisions, after: start }
}

/**
 * The record of an audit, from its store: what more may be asked of it.
 *
 * @example ask(await auditRecord(subject, store), question('kappa'))
 */
export async function auditRecord(subject: AuditSubject, store: RecordedRounds): Promise<AuditRecord> {
  const strata = await strataAsked(subject, store)
  return recordOf(subject, strata, certifiedRounds(subject, await store.rounds()).rounds)
}
