import { basename } from 'node:path'
import { Command, Option } from 'commander'
import { type AuditStrategy, auditStrategies } from '../../audit.ts'
import type { Goal } from '../../certificates/certificate.ts'
import { requireInput } from '../../core/errors.ts'
import { pick } from '../../core/pick.ts'
import { ceilingMetrics, leastOf, type Metric, metricNames, metrics, needsClass } from '../../metrics/catalogue.ts'
import { type AuditOptions, certify } from '../../projects/certify.ts'
import { freshSeed } from '../../projects/fresh-seed.ts'
import { loadPredictions } from '../../projects/load-predictions.ts'
import type { PredictionReading, Predictions } from '../../projects/predictions/predictions.ts'
import { projectNameFor } from '../../projects/project-name.ts'
import { openOrCreate } from '../../projects/settings.ts'
import type { Source } from '../../server/session/state.ts'
import type { Project } from '../../stores/project.ts'
import { keyed, mostClasses } from '../../text/class-keys.ts'
import { count, listed } from '../../text/wording.ts'
import {
  type GoalOptions,
  goalOf,
  jsonFlag,
  type OracleOptions,
  type OutputOptions,
  type PageOptions,
  type PoolOptions,
  quietFlag,
  requiredPool,
  withOptions,
  withPool,
} from '../options/options.ts'
import { oracleOf } from '../options/oracles.ts'
import { names, wholeNumber } from '../options/values.ts'
import { reportFor } from '../reports/audit-report.ts'
import { lateProgress } from '../reports/report.ts'
import { underReadingBar } from '../terminal/reading.ts'
import { closing } from './closing.ts'
import { conductAudit, requireWritable } from './conduct-audit.ts'
import { servePage } from './serve-page.ts'

interface Options extends PoolOptions, OracleOptions, GoalOptions, PageOptions, OutputOptions {
  readonly prediction?: string
  readonly confidence?: string
  readonly probabilities?: string[]
  readonly truth?: string
  readonly classes?: readonly string[]
  readonly project?: string
  readonly id?: string
  readonly metric?: Metric
  readonly positive?: string
  readonly against?: string
  readonly strategy?: AuditStrategy
  readonly seed?: number
  readonly certificate?: string
}

const wordsOfClasses = metricNames.filter(needsClass).map((name) => metrics[name].word)

export function auditCommand(signal: AbortSignal): Command {
  const command = new Command('audit')
    .description(
      "Measure how often a model's predictions are wrong, from few answers, with an interval that holds while you watch.",
    )
    .option('--prediction <column>', 'the predicted class')
    .option('--confidence <column>', 'probability of the predicted class; without it, draws are uniform')
    .option(
      '--probabilities <columns>',
      'one column of probabilities a class, named like the classes, separated by commas',
      names,
    )
    .option('--truth <column>', 'the column that answers (a simulation)')
    .option('--classes <names>', 'classes an answer may name that no prediction does, separated by commas', names)
    .option('--project <NAME.alis>', 'keep every draw and answer in this directory, and go on from there')
    .option('--id <column>', 'names the points (default: a column called id, or else the row number)')
    .addOption(
      new Option('--metric <name>', 'what to measure (default: error)').choices(
        metricNames.filter((name) => metrics[name].needs !== 'other model'),
      ),
    )
    .option('--positive <class>', `the class that ${listed(wordsOfClasses, 'and')} are about`)
    .option('--against <column>', "another model's predictions: measure the difference of the two errors")
    .addOption(
      new Option('--strategy <name>', 'how to draw (default: alis-audit, or uniform without confidences)').choices(
        auditStrategies,
      ),
    )
    .option('--seed <n>', 'repeat an audit (default: fresh from the operating system, and printed)', wholeNumber)
    .option('--certificate <file>', 'write the certificate here, and a page for people beside it')
    .option(...jsonFlag)
    .option(...quietFlag)
    .addHelpText(
      'after',
      `
Examples:
  $ alis audit predictions.csv --prediction label --confidence p --truth y --tolerance 0.01
  $ alis audit predictions.csv --prediction label --confidence p --truth y --below 0.07 --certificate audit.json
  $ alis audit predictions.csv --prediction label --confidence p --truth y --metric f1 --positive spam --tolerance 0.05
  $ alis audit predictions.csv --prediction new --confidence p --against old --truth y --below 0
  $ alis audit predictions.csv --probabilities cat,dog --truth y --budget 500 --json
  $ alis audit predictions.csv --prediction label --confidence p --oracle-command ./ask.py --project audit.alis
  $ alis audit predictions.csv --prediction label --confidence p        people answer, on a page in the browser`,
    )
    .action((argument: string | undefined, options: Options, self: Command) => {
      const path = requiredPool(argument, options, 'predictions')
      if ((options.truth ?? options.oracleCommand ?? options.oracleUrl) !== undefined) return run(path, options, signal)
      const batch = self.getOptionValueSource('batch') === 'default' ? 10 : options.batch // the interval moves after each
      return auditByPage(path, { ...options, batch }, signal)
    })
  return withOptions(withPool(command, 'predictions', ', one row a prediction'), 'goal', 'oracle', 'engine', 'page')
}

/** The columns to read, and what to measure of them. */
function readingOf(options: Options): PredictionReading {
  const metric: Metric = options.against === undefined ? (options.metric ?? 'error') : 'difference'
  const columns = pick(options, 'prediction', 'confidence', 'probabilities', 'against', 'id', 'truth')
  return { ...columns, metric, ...pick(options, 'positive'), ...(options.classes && { known: options.classes }) }
}

function planOf(options: Options, { hasConfidence }: Predictions, seeds: Seeds): AuditOptions {
  const { level, batch, strategy = hasConfidence ? 'alis-audit' : 'uniform' } = options
  return { ...pick(readingOf(options), 'metric', 'positive'), goal: goalOf(options), level, batch, strategy, ...seeds }
}

/** People answer, on the page. */
async function auditByPage(path: string, options: Options, signal: AbortSignal): Promise<never> {
  const reading = readingOf(options)
  const predictions = await underReadingBar({ signal }, (loading) => loadPredictions(path, reading, loading, options))
  const { engine, classes, model } = predictions
  await engine.close()
  requireMeasurable(reading, goalOf(options), classes) // before anything is written
  requireInput(
    classes.length >= 2 && classes.length <= mostClasses,
    `classes: from 2 to ${mostClasses} are required on a page, got ${classes.length}`,
    'Name classes that no prediction has with --classes, or let a program answer.',
  )
  const name = options.project ?? projectNameFor(path)
  const seeds = await closing(openOrCreate(name), (project) => keepAudit(project, path, model.id, options.seed))
  const source: Source = {
    kind: 'predictions',
    predicted: { path, reading },
    audit: planOf(options, predictions, seeds),
    labelling: { question: 'Which class is this?', guidelines: '', classes: keyed(classes) },
  }
  const lines = [`${basename(path)}: ${count(engine.size)} predictions of ${count(classes.length)} classes, into ${name}`]
  const again = () => process.argv.slice(2)
  return servePage({ directory: process.cwd(), work: { project: name, source } }, options, { signal, lines, again })
}

async function run(path: string, options: Options, signal: AbortSignal): Promise<void> {
  const { certificate: file } = options
  if (file !== undefined) requireWritable(file)
  const reading = readingOf(options)
  const progress = lateProgress()
  const wish = { ...options, working: progress.working }
  const predictions = await underReadingBar({ isSilent: options.json || options.quiet, signal }, (loading) =>
    loadPredictions(path, reading, loading, wish),
  )
  const { engine, classes, hasConfidence, model, says } = predictions
  requireMeasurable(reading, goalOf(options), classes) // before anything is written
  const project = options.project === undefined ? undefined : await openOrCreate(options.project)
  const seeds = project ? await keepAudit(project, path, model.id, options.seed) : seedsOf(options.seed)
  const how = hasConfidence ? 'drawn where answers say most' : 'drawn uniformly: no confidence is given'
  const opening = [
    `${basename(path)}: ${count(engine.size)} predictions of ${count(classes.length)} classes, ${how}`,
    `seed ${seeds.seed}${options.seed === undefined ? ' (fresh)' : ''}`,
    ...says,
  ]
  const report = reportFor(options, { metric: reading.metric, file, opening })
  progress.report = report
  const oracle = oracleOf(options, classes)?.(engine) ?? predictions.answers!() // one of the two was given
  const auditing = certify(
    predictions,
    { oracle, signal, ...(project && { store: project }) },
    planOf(options, predictions, seeds),
  )
  try {
    await conductAudit(auditing, report, { file, project })
  } finally {
    await oracle.close()
    await engine.close()
    await project?.close()
  }
}

/** What the audit itself would refuse, once there is a project. */
function requireMeasurable({ metric, positive }: PredictionReading, { below }: Goal, classes: readonly string[]): void {
  requireInput(
    !needsClass(metric) || (positive !== undefined && classes.includes(positive)),
    `positive: one of ${classes.join(', ')} is required for ${metric}, got ${positive ?? 'none'}`,
    'Name it with --positive.',
  )
  if (below === undefined) return
  const asked = ceilingMetrics.map((name) => (metrics[name].needs === 'other model' ? `a ${name}` : name))
  requireInput(
    ceilingMetrics.includes(metric),
    `--below: ${listed(asked, 'or')} is required, got ${metric}`,
    'Set a --tolerance or a --budget.',
  )
  const least = leastOf(metric)
  requireInput(below > least, `--below: a number in (${least}, 1) is required, got ${below}`)
}

type Seeds = Pick<AuditOptions, 'seed' | 'seedChosen'>

const seedsOf = (seed: number | undefined): Seeds => ({ seed: seed ?? freshSeed(), seedChosen: seed !== undefined })

/** Writes down what a project audits, or checks that it still does. Gives the seed that it began with. */
async function keepAudit(project: Project, path: string, model: string, seed: number | undefined): Promise<Seeds> {
  const begun = await project.recall<Seeds & { readonly model: string }>('audit')
  requireInput(
    (await project.recall('settings')) === undefined,
    `${project.path}: must be a project that audits, got one that learns`,
    'Measure its own model with alis certify, or begin another project.',
  )
  const { seed: own, seedChosen } = begun ?? seedsOf(seed)
  if (!begun) await project.remember('audit', { seed: own, seedChosen, model })
  requireInput(
    begun === undefined || begun.model === model,
    `${path}: must hold the predictions that the audit began with, got others`,
    'An audit is about one fixed model. Begin another project for another one.',
  )
  return { seed: own, seedChosen }
}
