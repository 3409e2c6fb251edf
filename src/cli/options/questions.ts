import { type Command, InvalidArgumentError, Option } from 'commander'
import { requireInput } from '../../core/errors.ts'
import { didYouMean } from '../../core/nearest-name.ts'
import { type Metric, metricNames, metrics, needsClass } from '../../metrics/catalogue.ts'
import { type NamedMetric, parseMetric } from '../../metrics/metric-names.ts'
import type { Frame } from '../../questions/frame.ts'
import { keyOf, type QuestionSpec, question } from '../../questions/spec.ts'
import { count, listed } from '../../text/wording.ts'
import { names } from './values.ts'

export interface QuestionOptions {
  /** As people write them: `error`, `recall:spam`. */
  readonly metric?: readonly string[]
  readonly positive?: string
  readonly eachClass?: boolean
  readonly by?: readonly string[]
  readonly eachPool?: boolean
  readonly against?: string
  readonly level: number
}

const wordsOfClasses = metricNames.filter(needsClass).map((name) => metrics[name].word)

/** Takes metrics and the classes they are about. `usual`: what is measured if nothing is said. */
export function withMetrics(command: Command, usual: string): Command {
  return command
    .addOption(
      new Option('--metric <names>', `what to measure, separated by commas, a class after a colon (default: ${usual})`)
        .choices(metricNames)
        .argParser(metricsIn),
    )
    .option('--positive <class>', `the class that ${listed(wordsOfClasses, 'and')} are about`)
    .addOption(new Option('--each-class', 'ask what is about a class for every class').conflicts('positive'))
}

export function withSlices(command: Command): Command {
  return command.option('--by <columns>', 'ask everything also by each value of these columns; may be repeated', columnsIn)
}

/** Whole list of metrics so far; `--metric` may be repeated. Classes are looked at once they are known. */
function metricsIn(text: string, before: readonly string[] = []): readonly string[] {
  const all = text.split(',').map((metric) => metric.trim())
  for (const metric of all) {
    const name = metric.split(':')[0]!
    if (metricNames.some((known) => known === name)) continue
    const hint = didYouMean(name, metricNames)
    throw new InvalidArgumentError(
      `one of ${metricNames.join(', ')} is required, got ${JSON.stringify(name)}${hint ? `\n${hint}` : ''}`,
    )
  }
  return [...before, ...all]
}

function columnsIn(text: string, before: readonly string[] = []): readonly string[] {
  return [...new Set([...before, ...names(text)])]
}

const mostQuestions = 1000

/** Everything that is asked: each metric of the whole pool, then of each slice; and, if that is wanted, of every pool before points were added. `usual`: what is measured if nothing is said. */
export function questionsFor(asked: QuestionOptions, frame: Frame, usual: readonly NamedMetric[]): readonly QuestionSpec[] {
  const { metric, by = [], against, level } = asked
  const named = metric ? metric.map((text) => parseMetric(text, frame.classes)) : usual
  const whole = named.flatMap((each) => withClasses(each, asked, frame.classes))
  const slices = frame.slices
    .filter(({ column }) => by.includes(column))
    .flatMap(({ column, values }) => values.map((value) => ({ slice: { column, value } })))
  const pools = asked.eachPool ? (frame.pools ?? []).toReversed().map((poolSize) => ({ poolSize })) : []
  const specs = (pools.length > 0 ? pools : [{}]).flatMap((pool) =>
    [{}, ...slices].flatMap((slice) =>
      whole.map(({ metric: name, ...classes }) =>
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
  { positive: usual, eachClass }: QuestionOptions,
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
export function requireQuestions({ metric = [], eachClass, against }: QuestionOptions, hasGrades = false): void {
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
