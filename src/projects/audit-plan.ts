import { closing } from '../core/closing.ts'
import { requireInput } from '../core/errors.ts'
import { type AuditForecast, forecastsFor } from '../questions/audit-forecast.ts'
import { strataOf } from '../questions/frame.ts'
import { type AuditStrategy, aimedAt } from '../questions/rules.ts'
import type { AuditFacts, Seeds } from './audit-facts.ts'
import { type AuditedWishes, auditQuestions } from './audit-wishes.ts'
import { type AuditOptions, requireSomethingToAsk } from './certify.ts'
import { committable } from './committed.ts'
import { type GoalWishes, goalOf, requireReachable } from './goals.ts'
import { loadPredictions } from './load-predictions.ts'
import type { PoolWish } from './pools/engine-choice.ts'
import type { Loading } from './pools/pool-data.ts'
import type { PredictionReading, Predictions } from './predictions/predictions.ts'

/** An audit as it is asked for, by options or on the page. */
export interface AuditWishes extends AuditedWishes, GoalWishes {
  readonly together?: boolean
  readonly strategy?: AuditStrategy
}

/** An audit but for its randomness. */
export type AuditPlanned = Omit<AuditOptions, keyof Seeds>

/** What to find out and when to stop; refuses what the audit itself would, once there is a project. */
export function planOf(
  options: AuditWishes,
  { frame, hasConfidence }: Pick<Predictions, 'frame' | 'hasConfidence'>,
): AuditPlanned {
  const { models, within = 0.01, level, together, batch, strategy } = options
  const questions = auditQuestions(options, frame)
  const goal = models ? { ...(options.budget !== undefined && { budget: options.budget }) } : goalOf(options, frame.range)
  requireReachable(goal, aimedAt(questions, goal))
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
  { pool, frame }: Pick<Predictions, 'pool' | 'frame'>,
  { questions, race }: AuditPlanned,
): Promise<readonly AuditForecast[]> {
  if (race || frame.range) return []
  return forecastsFor(strataOf(frame, await pool.counts()), questions.slice(0, 1), [0.1, 0.05, 0.03])
}

/** An audit that people answer on a page, as far as it is known before there is a project. */
export interface PageAudit {
  readonly reading: PredictionReading
  readonly plan: AuditPlanned
  readonly points: number
  /** What is on record of the predictions. */
  readonly facts: Required<Pick<AuditFacts, 'model' | 'columns' | 'classes'>>
  /** What a commitment to it fixes. */
  readonly fixed: ReturnType<typeof committable>
  /** Answers that predictions name, or grades that can be given. */
  readonly classes: readonly string[]
  readonly forecasts: readonly AuditForecast[]
}

/** Reads predictions once, and refuses what cannot be audited, before anything is written. */
export async function planForPage(
  path: string,
  reading: PredictionReading,
  wishes: AuditWishes,
  { loading, wish }: { readonly loading?: Loading; readonly wish?: PoolWish },
): Promise<PageAudit> {
  return closing(loadPredictions(path, reading, loading, wish), async (predictions) => {
    const { pool, frame, model, columns } = predictions
    const facts = { model, columns, classes: frame.classes }
    const plan = planOf(wishes, predictions)
    await requireSomethingToAsk(predictions, plan)
    const classes = frame.range ? gradesIn(frame.range) : frame.classes
    return {
      reading,
      plan,
      points: pool.size,
      facts,
      fixed: committable(predictions, plan),
      classes,
      forecasts: await forecastsOf(predictions, plan),
    }
  })
}

/** Whole grades. */
function gradesIn([least, most]: readonly [number, number]): string[] {
  const first = Math.ceil(least)
  const grades = Array.from({ length: Math.min(100, Math.floor(most) - first + 1) }, (_, k) => `${first + k}`)
  requireInput(grades.length >= 2, `range: two whole grades or more are required on a page, got ${least}..${most}`)
  return grades
}
