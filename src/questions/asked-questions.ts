import { requireInput } from '../core/errors.ts'
import { type Metric, metricNames, metrics } from '../metrics/catalogue.ts'
import { type NamedMetric, parseMetric } from '../metrics/metric-names.ts'
import { count, listed } from '../text/wording.ts'
import type { Frame } from './frame.ts'
import { keyOf, type QuestionSpec, question } from './spec.ts'

/** What is asked in a few words, of a command or on the page. */
export interface QuestionWishes {
  /** As people write them: `error`, `recall:spam`. */
  readonly metric?: readonly string[]
  readonly positive?: string
  readonly eachClass?: boolean
  readonly by?: readonly string[]
  /** Metrics that are asked of slices too; all unless said. */
  readonly sliced?: readonly string[]
  readonly eachPool?: boolean
  readonly against?: string
  readonly level: number
}

const mostQuestions = 1000

/** Everything that is asked: each metric of the whole pool, then of each slice; and, if that is wanted, of every pool before points were added. `usual`: what is measured if nothing is said. */
export function questionsFor(asked: QuestionWishes, frame: Frame, usual: readonly NamedMetric[]): readonly QuestionSpec[] {
  const { metric, by = [], sliced, against, level } = asked
  const named = metric ? metric.map((text) => parseMetric(text, frame.classes)) : usual
  const whole = named.flatMap((each) => withClasses(each, asked, frame.classes))
  const ofSlices = whole.filter((each) => sliced?.includes(each.metric) ?? true)
  const slices = frame.slices
    .filter(({ column }) => by.includes(column))
    .flatMap(({ column, values }) => values.map((value) => ({ slice: { column, value } })))
  const pools = asked.eachPool ? (frame.pools ?? []).toReversed().map((poolSize) => ({ poolSize })) : []
  const specs = (pools.length > 0 ? pools : [{}]).flatMap((pool) =>
    [{}, ...slices].flatMap((slice) =>
      ('slice' in slice ? ofSlices : whole).map(({ metric: name, ...classes }) =>
        question(name, { ...classes, ...slice, ...pool, level, ...(against !== undefined && { against }) }),
      ),
    ),
  )
  const different = [...new Map(specs.map((spec) => [keyOf(spec), spec])).values()]
  requireInput(
    different.length <= mostQuestions,
    `questions: at most ${count(mostQuestions)} at once are required, got ${count(different.length)}`,
    'Ask for fewer metrics, classes or slices.',
  )
  return different
}

type WithClasses = { readonly metric: Metric; readonly positive?: string; readonly actual?: string }

/** A metric about a class that is not named: of the one in --positive, or of each. */
function withClasses(
  { metric, positive, actual }: NamedMetric,
  { positive: usual, eachClass }: QuestionWishes,
  classes: readonly string[],
): readonly WithClasses[] {
  const { needs } = metrics[metric]
  if (needs !== 'class' && needs !== 'two classes') return [{ metric }]
  if (positive !== undefined) return [{ metric, positive, ...(actual !== undefined && { actual }) }]
  if (needs === 'two classes') {
    requireInput(
      eachClass === true,
      `metric: two of ${classes.join(', ')} are required for ${metric}, got none`,
      `The class that is predicted comes first, as in ${metric}:${classes.slice(0, 2).join(':')}; --each-class asks for every cell.`,
    )
    return classes.flatMap((own) => classes.map((other) => ({ metric, positive: own, actual: other })))
  }
  if (eachClass) return classes.map((own) => ({ metric, positive: own }))
  requireInput(
    usual !== undefined && classes.includes(usual),
    `positive: one of ${classes.join(', ')} is required for ${metric}, got ${usual ?? 'none'}`,
    `Name it with --positive or as ${metric}:${classes[0]}, or ask for all with --each-class.`,
  )
  return [{ metric, positive: usual }]
}

/** What can be refused before anything is read. */
export function requireQuestions({ metric = [], eachClass, against }: QuestionWishes, hasGrades = false): void {
  const asked = metric.map((text) => text.split(':')[0] as Metric)
  const isAboutClass = (name: Metric) => metrics[name].needs === 'class' || metrics[name].needs === 'two classes'
  const misplaced = asked.find((name) => (metrics[name].needs === 'grades') !== hasGrades)
  requireInput(
    misplaced === undefined,
    `--metric: ${hasGrades ? 'mean' : 'a metric of classes'} is required ${hasGrades ? 'with' : 'without'} --score, got ${misplaced}`,
    hasGrades ? undefined : 'A mean of grades needs --score and --range.',
  )
  requireInput(
    !eachClass || asked.some(isAboutClass),
    `--each-class: a metric about a class is required, got ${asked.join(', ') || 'none'}`,
    `Name it with --metric: ${listed(metricNames.filter(isAboutClass), 'or')}.`,
  )
  requireInput(
    against !== undefined || !asked.includes('difference'),
    '--metric: difference needs another model, got none',
    'Name the column of its predictions with --against.',
  )
  if (against === undefined) return
  const alone = asked.find((name) => metrics[name].needs !== 'other model' && !metrics[name].difference)
  const comparable = metricNames.filter((name) => metrics[name].difference)
  requireInput(
    alone === undefined,
    `--against: a metric whose difference is a ratio of sums is required, got ${alone}`,
    `Ask for ${listed(comparable, 'or')}, or for each model by itself.`,
  )
}
