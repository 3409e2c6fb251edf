import { type Command, Option } from 'commander'
import { requireInput } from '../../core/errors.ts'
import { pick } from '../../core/pick.ts'
import { judgeMetrics, needsClass, usualMetrics } from '../../metrics/catalogue.ts'
import type { NamedMetric } from '../../metrics/metric-names.ts'
import type { PredictionReading } from '../../projects/predictions/predictions.ts'
import type { Frame } from '../../questions/frame.ts'
import type { QuestionSpec } from '../../questions/spec.ts'
import { type QuestionOptions, questionsFor, requireQuestions, withMetrics, withSlices } from './questions.ts'
import { gradeRange, names, numberIn } from './values.ts'

/** What is audited: predictions, the verdicts of a judge, grades, or the predictions of several models. */
export interface AuditedOptions extends QuestionOptions {
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
}

const ofPredictions = ['prediction', 'probabilities'] as const
const aboutClasses = ['metric', 'positive', 'eachClass', 'against'] as const

export function withAudited(command: Command): Command {
  command
    .option('--prediction <column>', 'the predicted class')
    .option('--confidence <column>', 'probability of the predicted class; without it, draws are uniform')
    .option(
      '--probabilities <columns>',
      'one column of probabilities a class, named like the classes, separated by commas',
      names,
    )
  withSlices(withMetrics(command, usualMetrics.ofOne))
  return command
    .option('--against <column>', "another model's predictions: measure the difference of the two")
    .addOption(
      new Option('--judge <column>', 'verdicts of a judge: the pass rate put right, TPR, TNR and kappa').conflicts([
        ...ofPredictions,
        'metric',
        'against',
      ]),
    )
    .addOption(
      new Option('--score <column>', 'grades: the mean of those that people would give').conflicts([
        ...ofPredictions,
        ...aboutClasses.slice(1),
        'confidence',
        'classes',
        'judge',
      ]),
    )
    .option('--range <least..most>', 'with --score: what grades can be, such as 1..5', gradeRange)
    .addOption(
      new Option('--models <columns>', 'predictions of several models, separated by commas: which is the best?')
        .argParser(names)
        .conflicts([
          ...ofPredictions,
          ...aboutClasses,
          'confidence',
          'judge',
          'score',
          'by',
          'together',
          'tolerance',
          'below',
          'strategy',
        ]),
    )
    .option('--within <number>', 'with --models: how much better another may be (default: 0.01)', numberIn(0, 1, { open: true }))
    .option('--truth <column>', 'the column that answers (a simulation)')
    .option('--classes <names>', 'classes an answer may name that no prediction does, separated by commas', names)
    .option('--id <column>', 'names the points (default: a column called id, or else the row number)')
}

/** What makes no sense together, refused before anything is read. */
export function requireAudited(options: AuditedOptions): void {
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
  requireQuestions(options, score !== undefined)
}

export function readingOf(options: AuditedOptions): PredictionReading {
  const { judge, classes } = options
  return {
    ...pick(options, 'prediction', 'confidence', 'probabilities', 'against', 'models', 'score', 'range', 'by', 'id', 'truth'),
    ...(judge !== undefined && { prediction: judge }),
    ...(classes && { known: classes }),
  }
}

/** What is asked of them; of several models nothing but which is the best. */
export function auditQuestions(options: AuditedOptions, frame: Frame): readonly QuestionSpec[] {
  if (options.models) return []
  return questionsFor(options, frame, metricsUnsaid(options, frame))
}

/** What is measured if nothing is said. */
function metricsUnsaid({ judge, score, against, positive }: AuditedOptions, { classes }: Frame): readonly NamedMetric[] {
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
