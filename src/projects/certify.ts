import { readFileSync } from 'node:fs'
import { type AuditRound, type AuditStrategy, answersIn, audit, auditRounds } from '../audit.ts'
import { type Certificate, type CertifiedDraw, type Columns, certificateOf, type Goal } from '../certificates/certificate.ts'
import { AlisError } from '../core/errors.ts'
import type { Model } from '../core/model.ts'
import type { ScoreTransform } from '../core/score-transform.ts'
import type { Engine } from '../engines/engine.ts'
import { learnerFor } from '../learners/catalogue.ts'
import { errorLens } from '../losses/error-lens.ts'
import type { Metric } from '../metrics/catalogue.ts'
import type { Oracle } from '../oracles/oracle.ts'
import { memoryStore } from '../stores/memory.ts'
import type { Store } from '../stores/store.ts'
import type { PoolData } from './pools/pool-data.ts'
import type { Settings } from './settings.ts'

export interface AuditOptions {
  readonly metric: Metric
  readonly positive?: string
  readonly goal: Goal
  readonly level: number
  readonly batch: number
  readonly strategy: AuditStrategy
  readonly seed: number
  readonly seedChosen: boolean
  /** Give the rounds on record too, from the first. */
  readonly fromStart?: boolean
}

/** What is audited: one fixed model on the points of an engine that are not labelled yet. */
export interface Audited {
  readonly engine: Engine
  readonly model: Model
  readonly lens?: ScoreTransform
  readonly classes: readonly string[]
  readonly poolHash: string
  readonly columns: Columns
}

/** The model of a project as something to audit. */
export function auditedOf(settings: Settings, { file, engine }: PoolData, model: Model): Audited {
  const { classes, loss, l2 } = settings
  const learner = learnerFor(loss, classes.length, l2)
  return {
    engine: engine(),
    model,
    lens: errorLens(learner.loss, classes.length),
    classes,
    poolHash: file.table.hash,
    columns: {},
  }
}

/** Runs an audit to its end. Gives every round as it closes, and the certificate at last. */
export async function* certify(
  audited: Audited,
  { oracle, store = memoryStore(), signal }: { oracle: Oracle; store?: Store; signal?: AbortSignal },
  options: AuditOptions,
): AsyncGenerator<AuditRound, Certificate> {
  const { engine, model, classes, lens } = audited
  const { goal, ...rest } = options
  let last: AuditRound | undefined
  const plan = { engine, store, oracle, model, classes, ...rest, ...goal, ...(lens && { lens }), ...(signal && { signal }) }
  for await (const round of audit(plan)) {
    last = round
    yield round
  }
  if (!last)
    throw new AlisError(
      'bad-input',
      `audit: somebody to ask is required, got a pool where no answer changes the ${options.metric}`,
    )
  const { value, low, high, level, answers } = last.interval
  const { after, size, ...record } = await recordOf(store, model, engine.size)
  const draws = record.draws.slice(0, answers) // what else was answered came after, in draw order
  const isStopped = !last.isReached && last.answers.size < last.draws.length
  const { metric, positive } = options
  return certificateOf({
    metric,
    ...(positive !== undefined && { positive }),
    value,
    low,
    high,
    level,
    answers,
    unknown: draws.filter(({ answer }) => answer === null).length,
    goal: isStopped ? { ...goal, budget: answers } : goal, // where people stop, that was the budget
    reached: last.isReached,
    pool: { size: engine.size - size, hash: audited.poolHash },
    columns: audited.columns,
    model: model.id,
    classes,
    strategy: options.strategy,
    seed: options.seed,
    seedChosen: options.seedChosen,
    batch: options.batch,
    ...(after > 0 && { after }),
    draws,
    versions: { alis: version() },
  })
}

/** Every answered draw of an audit, in order, and how many rounds and labelled points came before it. */
async function recordOf(
  store: Store,
  model: Model,
  poolSize: number,
): Promise<{ after: number; size: number; draws: CertifiedDraw[] }> {
  const rounds = await store.rounds()
  const own = auditRounds(rounds, model, poolSize)
  const after = own[0]?.round ?? rounds.length
  const size = new Set(rounds.slice(0, after).flatMap(({ draws }) => draws.map(({ id }) => id))).size
  const draws = own.flatMap((facts, round) => {
    const answers = answersIn(facts)
    return facts.draws.flatMap(({ id, order, probability }) => {
      const answer = answers.get(id)
      return answer === undefined ? [] : [{ round, order, id, probability, answer }]
    })
  })
  return { after, size, draws }
}

export function version(): string {
  return JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).version
}
