import { readFileSync } from 'node:fs'
import { type AuditRound, audit } from '../audit.ts'
import { type Certificate, type CertifiedDraw, certificateOf, type Goal } from '../certificates/certificate.ts'
import { AlisError } from '../core/errors.ts'
import type { Oracle } from '../oracles/oracle.ts'
import { memoryStore } from '../stores/memory.ts'
import type { Store } from '../stores/store.ts'
import type { Metric } from '../strategies/measures.ts'
import type { Predictions } from './predictions.ts'

export interface AuditOptions {
  readonly metric: Metric
  readonly positive?: string
  readonly goal: Goal
  readonly level: number
  readonly batch: number
  readonly strategy: 'alis-audit' | 'uniform'
  readonly seed: number
  readonly seedChosen: boolean
}

/** Runs an audit to its end. Gives every round as it closes, and the certificate at last. */
export async function* certify(
  predictions: Predictions,
  { oracle, store = memoryStore(), signal }: { oracle: Oracle; store?: Store; signal?: AbortSignal },
  options: AuditOptions,
): AsyncGenerator<AuditRound, Certificate> {
  const { engine, model, classes } = predictions
  const { goal, ...rest } = options
  let last: AuditRound | undefined
  const plan = { engine, store, oracle, model, classes, ...rest, ...goal, ...(signal && { signal }) }
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
  const draws = await drawsOn(store)
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
    goal,
    reached: last.isReached,
    pool: { size: engine.size, hash: predictions.poolHash },
    columns: predictions.columns,
    model: model.id,
    classes,
    strategy: options.strategy,
    seed: options.seed,
    seedChosen: options.seedChosen,
    batch: options.batch,
    draws,
    versions: { alis: version() },
  })
}

/** Every answered draw of an audit, in order. */
async function drawsOn(store: Store): Promise<CertifiedDraw[]> {
  const rounds = await store.rounds()
  return rounds.flatMap(({ draws, answers }, round) =>
    draws.flatMap(({ id, order, probability }) => {
      const answer = answers.get(id)
      return answer === undefined ? [] : [{ round, order, id, probability, answer }]
    }),
  )
}

export function version(): string {
  return JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).version
}
