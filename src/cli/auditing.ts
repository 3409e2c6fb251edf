import { readFileSync } from 'node:fs'
import { type AuditRound, audit } from '../audit.ts'
import { type Certificate, type CertifiedDraw, certificateOf, type Goal } from '../certificates/certificate.ts'
import { AlisError } from '../core/errors.ts'
import type { Oracle } from '../oracles/oracle.ts'
import { memoryStore } from '../stores/memory.ts'
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
  oracle: Oracle,
  options: AuditOptions,
  signal?: AbortSignal,
): AsyncGenerator<AuditRound, Certificate> {
  const { engine, model, classes } = predictions
  const { goal, ...rest } = options
  const draws: CertifiedDraw[] = []
  let last: AuditRound | undefined
  const plan = { engine, store: memoryStore(), oracle, model, classes, ...rest, ...goal, ...(signal && { signal }) }
  for await (const round of audit(plan)) {
    last = round
    for (const { id, order, probability } of round.draws) {
      const answer = round.answers.get(id)
      if (answer !== undefined) draws.push({ round: round.round, order, id, probability, answer })
    }
    yield round
  }
  if (!last)
    throw new AlisError(
      'bad-input',
      `audit: somebody to ask is required, got a pool where no answer changes the ${options.metric}`,
    )
  const { value, low, high, level, answers } = last.interval
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

export function version(): string {
  return JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).version
}
