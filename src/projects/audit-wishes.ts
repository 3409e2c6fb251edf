import { requireInput } from '../core/errors.ts'
import { pick } from '../core/pick.ts'
import { judgeMetrics, needsClass, usualMetrics } from '../metrics/catalogue.ts'
import type { NamedMetric } from '../metrics/metric-names.ts'
import { type QuestionWishes, questionsFor, requireQuestions } from '../questions/asked-questions.ts'
import type { Frame } from '../questions/frame.ts'
import type { QuestionSpec } from '../questions/spec.ts'
import type { PredictionReading } from './predictions/predictions.ts'

/** What is audited: predictions, the verdicts of a judge, grades, or the predictions of several models. */
export interface AuditedWishes extends QuestionWishes {
  readonly prediction?: string
  readonly confidence?: string
  readonly probabilities?: readonly string[]
  readonly judge?: string
  readonly score?: string
  readonly range?: readonly [number, number]
  readonly models?: readonly string[]
  readonly within?: number
  readonly truth?: string
  readonly classes?: readonly string[]
  readonly id?: string
  /** Columns that annotators are shown. */
  readonly show?: readonly string[]
  /** With another model: metrics of the first by itself that are measured too. */
  readonly alone?: readonly string[]
}

/** What makes no sense together, refused before anything is read. */
export function requireAudited(options: AuditedWishes): void {
  const { score, range, models, within } = options
  requireInput(
    score === undefined || range !== undefined,
    '--range: what grades can be is required with --score, got nothing',
    'For example --range 1..5.',
  )
  requireInput(range === undefined || score !== undefined, '--range: needs --score, got none')
  requireInput(within === undefined || models !== undefined, '--within: needs --models, got none')
  requireInput(
    models === undefined || models.length >= 2,
    `--models: two columns or more are required, got ${models?.length}`,
    'One model is measured with --prediction.',
  )
  requireInput(options.alone === undefined || options.against !== undefined, '--alone: needs --against, got none')
  const { alone, eachClass, against: _, ...others } = options
  if (alone) requireQuestions({ ...others, metric: alone, ...(eachClass && { eachClass }) })
  requireQuestions(alone ? { ...options, eachClass: false } : options, score !== undefined)
}

export function readingOf(options: AuditedWishes): PredictionReading {
  const { judge, classes } = options
  return {
    ...pick(
      options,
      'prediction',
      'confidence',
      'probabilities',
      'against',
      'models',
      'score',
      'range',
      'by',
      'id',
      'truth',
      'show',
    ),
    ...(judge !== undefined && { prediction: judge }),
    ...(classes && { known: classes }),
  }
}

/** What is asked of them; of several models nothing but which is the best. */
export function auditQuestions(options: AuditedWishes, frame: Frame): readonly QuestionSpec[] {
  if (options.models) return []
  const { alone, against: _, ...others } = options
  const own = alone ? questionsFor({ ...others, metric: alone }, frame, []) : []
  return [...own, ...questionsFor(options, frame, metricsUnsaid(options, frame))]
}

/** What is measured if nothing is said. */
function metricsUnsaid({ judge, score, against, positive }: AuditedWishes, { classes }: Frame): readonly NamedMetric[] {
  if (score !== undefined) return [{ metric: usualMetrics.ofGrades }]
  if (judge === undefined) return [{ metric: against === undefined ? usualMetrics.ofOne : usualMetrics.ofTwo }]
  const passing = positive ?? passingClass(classes)
  requireInput(
    classes.includes(passing),
    `positive: one of ${classes.join(', ')} is required, got ${passing}`,
    'It is the verdict of those that pass.',
  )
  return judgeMetrics.map((metric) => ({ metric, ...(needsClass(metric) && { positive: passing }) }))
}

const passes = ['pass', 'yes', 'true', '1', 'correct', 'good']

/** The verdict that means well, if its name says so. */
function passingClass(classes: readonly string[]): string {
  const found = classes.filter((name) => passes.includes(name.toLowerCase()))
  requireInput(
    found.length === 1,
    `positive: the verdict of those that pass is required, got ${found.length === 0 ? 'none' : found.join(' and ')} among ${classes.join(', ')}`,
    'Name it with --positive.',
  )
  return found[0]!
}
