import { type AuditRound, audit } from '../audit.ts'
import { AlisError } from '../core/errors.ts'
import type { Model } from '../core/model.ts'
import { pick } from '../core/pick.ts'
import type { RoundFacts } from '../core/record.ts'
import { grownSubject } from '../engines/grown-subject.ts'
import { learnerFor } from '../learners/catalogue.ts'
import type { Oracle } from '../oracles/oracle.ts'
import { type AskedAnswer, askAll, limitsTogether } from '../questions/ask.ts'
import { certifiedRounds, type RecordedRounds, strataAsked } from '../questions/audit-rounds.ts'
import { type Certificate, certificateOf, type Maker, partVersions } from '../questions/certificate.ts'
import { goalOnRecord, questionsAsked, raceOnRecord, recordOf } from '../questions/certified-record.ts'
import type { Committed } from '../questions/commitment.ts'
import type { Conduct } from '../questions/conduct.ts'
import type { Strata } from '../questions/frame.ts'
import { askBest } from '../questions/race.ts'
import type { AuditRecord, Goal, RaceSpec } from '../questions/record.ts'
import { type AuditStrategy, aimedAt, isOver, isReachedBy } from '../questions/rules.ts'
import { inPool, keyOf, type QuestionSpec } from '../questions/spec.ts'
import type { Audited, AuditSubject } from '../questions/subject.ts'
import { modelSubject } from '../running/model-subject.ts'
import { memoryStore } from '../stores/memory.ts'
import type { Store } from '../stores/store.ts'
import type { LoadedData, PoolData } from './pools/pool-data.ts'
import type { Settings } from './settings.ts'
import { version } from './version.ts'

export interface AuditOptions {
  readonly questions: readonly QuestionSpec[]
  /** Find the best of several models. */
  readonly race?: RaceSpec
  readonly goal: Goal
  /** Give limits too that hold for all questions at once. */
  readonly together?: boolean
  readonly batch: number
  readonly strategy: AuditStrategy
  readonly seed: number
  readonly seedChosen: boolean
  /** Where the seed was made from a commitment. */
  readonly committed?: Committed
  /** Who made the predictions, if that is said. */
  readonly madeBy?: Maker
  /** Give the rounds on record too, from the first. */
  readonly fromStart?: boolean
}

/** The model of a project as something to audit. Points that were added are told apart where the pool is in memory, as it must be then. */
export function auditedOf(settings: Settings, data: Pick<PoolData, 'file' | 'engine'> | LoadedData, model: Model): Audited {
  const { classes, loss, l2, added } = settings
  const learner = learnerFor(loss, classes.length, l2)
  const audited: Audited = {
    ...modelSubject(data.engine(), model, learner.loss),
    frame: { classes, models: ['model'], slices: [] },
    poolHash: data.file.table.hash,
    columns: {},
  }
  return 'pool' in data ? grownSubject(audited, arrivalsOf(added, data)) : audited
}

/** The points that a pool began with, and those of each file that was added: files follow one another. */
function arrivalsOf(added: Settings['added'], { pool, file }: Pick<LoadedData, 'pool' | 'file'>): readonly string[][] {
  const { ids, rows } = pool
  const inOrder = [...rows.keys()].sort((a, b) => rows[a]! - rows[b]!).map((k) => ids[k]!)
  const ends = [rows.filter((row) => row < file.began).length, ...added.map(({ poolSize }) => poolSize)]
  return ends.map((end, k) => inOrder.slice(ends[k - 1] ?? 0, end))
}

export interface Concluded {
  readonly certificate: Certificate
  /** What more may be asked of. */
  readonly record: AuditRecord
}

interface AuditParts {
  readonly oracle: Oracle
  readonly store?: Store
  readonly signal?: AbortSignal
  /** How it was carried out, by its record. */
  readonly conduct?: (certified: Pick<Certificate, 'model' | 'rounds'>) => Promise<Conduct | undefined>
}

/** Runs an audit to its end. Gives every round as it closes, and the certificate at last. */
export async function* certify(
  audited: Audited,
  { oracle, store = memoryStore(), signal, conduct }: AuditParts,
  options: AuditOptions,
): AsyncGenerator<AuditRound, Concluded> {
  const { goal, questions, together, ...rest } = options
  let last: AuditRound | undefined
  const subject: AuditSubject = audited
  for await (const round of audit({ subject, store, oracle, questions, ...rest, ...goal, ...(signal && { signal }) })) {
    last = round
    yield round
  }
  const strata = await strataAsked(audited, store)
  if (!last) throw nothingToAsk(certainAnswers(strata, aimedAt(questions, goal)), goal)
  const asked = last.questions.map(({ question }) => question)
  return conclude(audited, strata, await store.rounds(), {
    questions: asked,
    answers: last.answered,
    seed: options.seed,
    seedChosen: options.seedChosen,
    ...pick(options, 'committed', 'madeBy'),
    ...(together && { together }),
    ...(conduct && { conduct }),
  })
}

/** Refuses an audit of fresh predictions that would end before the first answer. */
export async function requireSomethingToAsk(
  subject: AuditSubject,
  { questions, goal, race }: Pick<AuditOptions, 'questions' | 'goal' | 'race'>,
): Promise<void> {
  if (race) return
  const certain = certainAnswers(await strataAsked(subject, noRecord), aimedAt(questions, goal))
  if (certain.every((asked) => isReachedBy(asked, goal) || isOver(asked))) throw nothingToAsk(certain, goal)
}

const noRecord: RecordedRounds = { rounds: async () => [], model: async () => undefined }

const certainAnswers = (strata: Strata, questions: readonly QuestionSpec[]) => askAll({ strata, rounds: [] }, questions)

/** Why no answer was asked for: what is certain is enough, or no answer changes it. */
function nothingToAsk(certain: readonly AskedAnswer[], goal: Goal): AlisError {
  const isOpen = certain.some(({ state }) => state !== 'known' && state !== 'undefined')
  if (!isOpen || !certain.every((asked) => isReachedBy(asked, goal)))
    return new AlisError('bad-input', 'audit: somebody to ask is required, got a pool where no answer changes what is asked')
  return new AlisError(
    'bad-input',
    'audit: a goal that takes answers is required, got one that is reached without any',
    'Set a smaller tolerance or a lower ceiling.',
  )
}

interface CertificateParts
  extends Pick<AuditOptions, 'questions' | 'together' | 'seed' | 'seedChosen' | 'committed' | 'madeBy'>,
    Pick<AuditParts, 'conduct'> {
  readonly answers: number
}

async function conclude(
  audited: Audited,
  strata: Strata,
  facts: readonly RoundFacts[],
  { questions: asked, together, answers, conduct: carriedOut, ...parts }: CertificateParts,
): Promise<Concluded> {
  const { rounds, revisions, after } = certifiedRounds(audited, facts, answers)
  const conduct = await carriedOut?.({ model: audited.model, rounds })
  const record = await recordOf(audited, strata, rounds)
  const all = everyQuestion(asked, questionsAsked(audited.frame, rounds), strata.poolSize)
  const each = askAll(record, all)
  const limits = together ? limitsTogether(record, each) : undefined
  const questions = each.map((told, k) => ({
    ...told,
    ...(limits && { together: limits[k]! }),
  }))
  const race = raceOnRecord(rounds)
  const best = race && askBest(record, race)
  const certificate = certificateOf({
    questions,
    ...(best && { best }),
    answers,
    unknown: rounds.flatMap(({ draws }) => draws).filter(({ answer }) => answer === null).length,
    ...goalOnRecord(audited.frame, { rounds, questions, ...(best && { best }) }),
    ...parts,
    pool: { size: strata.points, hash: audited.poolHash },
    columns: audited.columns,
    model: audited.model,
    classes: audited.frame.classes,
    ...(after > 0 && { after }),
    ...(strata.learned && { learned: strata.learned.certified }),
    rounds,
    revisions,
    ...(conduct && { conduct }),
    versions: { alis: version(), ...partVersions },
  })
  return { certificate, record }
}

/** What is asked now, and all that was asked before: by picking some of many, people would be shown the most striking. */
function everyQuestion(
  now: readonly QuestionSpec[],
  before: readonly QuestionSpec[],
  poolSize: number | undefined,
): readonly QuestionSpec[] {
  const all = [...now.map((each) => inPool(each, poolSize)), ...before]
  return [...new Map(all.map((each) => [keyOf(each), each])).values()]
}
