import type { AuditOptions } from '../../projects/certify.ts'
import type { Predictions } from '../../projects/predictions/predictions.ts'
import { type AuditForecast, forecastsFor } from '../../questions/audit-forecast.ts'
import { strataOf } from '../../questions/frame.ts'
import type { AuditStrategy } from '../../questions/rules.ts'
import { type AuditedOptions, auditQuestions } from '../options/audited.ts'
import { goalOf, requireReachable } from '../options/goals.ts'
import type { GoalOptions, OracleOptions, OutputOptions, PageOptions, PoolOptions } from '../options/options.ts'
import type { Seeds } from './audit-facts.ts'

export interface AuditCommandOptions extends PoolOptions, AuditedOptions, OracleOptions, GoalOptions, PageOptions, OutputOptions {
  readonly project?: string
  readonly together?: boolean
  readonly strategy?: AuditStrategy
  readonly seed?: number
  readonly certificate?: string
  readonly report?: string
}

/** An audit but for its randomness. */
export type AuditPlanned = Omit<AuditOptions, keyof Seeds>

/** What to find out and when to stop; refuses what the audit itself would, once there is a project. */
export function planOf(options: AuditCommandOptions, { frame, hasConfidence }: Predictions): AuditPlanned {
  const { models, within = 0.01, level, together, batch, strategy } = options
  const questions = auditQuestions(options, frame)
  const goal = models ? { ...(options.budget !== undefined && { budget: options.budget }) } : goalOf(options, frame.range)
  requireReachable(goal, questions)
  return {
    questions,
    goal,
    ...(models && { race: { within, level } }),
    ...(together && { together }),
    batch,
    strategy: strategy ?? (hasConfidence || models ? 'alis-audit' : 'uniform'),
  }
}

/** About how many answers it takes to know the first thing that is asked; said of an audit before the first of them is. */
export async function forecastsOf(
  { pool, frame }: Predictions,
  { questions, race }: AuditPlanned,
): Promise<readonly AuditForecast[]> {
  if (race || frame.range) return []
  return forecastsFor(strataOf(frame, await pool.counts()), questions.slice(0, 1), [0.1, 0.05, 0.03])
}
