import { basename } from 'node:path'
import { Command, Option } from 'commander'
import { certificateText, type Goal } from '../../certificates/certificate.ts'
import { requireInput } from '../../core/errors.ts'
import { ceilingMetrics, leastOf, type Metric, metricNames, metrics, needsClass } from '../../metrics/catalogue.ts'
import { certify } from '../../projects/certify.ts'
import { freshSeed } from '../../projects/fresh-seed.ts'
import { loadPredictions } from '../../projects/load-predictions.ts'
import { projectNameFor } from '../../projects/project-name.ts'
import { openOrCreate } from '../../projects/settings.ts'
import type { Source } from '../../server/session/state.ts'
import type { Project } from '../../stores/project.ts'
import { keyed, mostClasses } from '../../text/class-keys.ts'
import { count, listed } from '../../text/wording.ts'
import {
  type GoalOptions,
  goalOf,
  names,
  type OracleOptions,
  type PoolOptions,
  requiredPool,
  wholeNumber,
  withEngine,
  withGoal,
  withOracle,
  withPool,
} from '../options/options.ts'
import { oracleOf } from '../options/oracles.ts'
import { conduct, type Report, reportFor, requirePlace } from '../reports/audit-report.ts'
import { underReadingBar } from '../terminal/reading.ts'
import { type PageOptions, servePage, withPage } from './serve-page.ts'

interface Options extends PoolOptions, OracleOptions, GoalOptions, PageOptions {
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
  readonly strategy?: 'alis-audit' | 'uniform'
  readonly seed?: number
  readonly certificate?: string
  readonly json?: boolean
  readonly quiet?: boolean
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
      new Option('--strategy <name>', 'how to draw (default: alis-audit, or uniform without confidences)').choices([
        'alis-audit',
        'uniform',
      ]),
    )
    .option('--seed <n>', 'repeat an audit (default: fresh from the operating system, and printed)', wholeNumber)
    .option('--certificate <file>', 'write the certificate here, and a page for people beside it')
    .option('--json', 'one JSON object a line on stdout, for programs')
    .option('--quiet', 'say the result only, in one line')
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
  return withPage(withEngine(withOracle(withGoal(withPool(command, 'predictions', ', one row a prediction')))))
}

/** People answer, on the page. */
async function auditByPage(path: string, options: Options, signal: AbortSignal): Promise<never> {
  const { level, batch, positive, against, classes: known, prediction, confidence, probabilities, id } = options
  const metric: Metric = against === undefined ? (options.metric ?? 'error') : 'difference'
  const about = { metric, ...(positive !== undefined && { positive }) }
  const columns = {
    ...(prediction !== undefined && { prediction }),
    ...(confidence !== undefined && { confidence }),
    ...(probabilities !== undefined && { probabilities }),
    ...(against !== undefined && { against }),
    ...(id !== undefined && { id }),
  }
  const reading = { ...columns, ...about, ...(known && { known }) }
  const { engine, classes, model, hasConfidence } = await underReadingBar({ signal }, (loading) =>
    loadPredictions(path, reading, loading, options),
  )
  await engine.close()
  requireMeasurable(about, goalOf(options), classes) // before anything is written
  requireInput(
    classes.length >= 2 && classes.length <= mostClasses,
    `classes: from 2 to ${mostClasses} are required on a page, got ${classes.length}`,
    'Name classes that no prediction has with --classes, or let a program answer.',
  )
  const name = options.project ?? projectNameFor(path)
  const seeded = await beginAudit(name, path, { model: model.id, seed: options.seed })
  const strategy = options.strategy ?? (hasConfidence ? 'alis-audit' : 'uniform')
  const source: Source = {
    kind: 'predictions',
    predicted: { path, reading },
    audit: { ...about, goal: goalOf(options), level, batch, strategy, ...seeded },
    labelling: { question: 'Which class is this?', guidelines: '', classes: keyed(classes) },
  }
  const lines = [`${basename(path)}: ${count(engine.size)} predictions of ${count(classes.length)} classes, into ${name}`]
  const again = () => process.argv.slice(2)
  return servePage({ directory: process.cwd(), work: { project: name, source } }, options, { signal, lines, again })
}

/** The seed of an audit on disk: its own, if it has begun. */
async function beginAudit(name: string, path: string, { model, seed }: { model: string; seed: number | undefined }) {
  const project = await openOrCreate(name)
  try {
    const begun = await project.recall<Begun>('audit')
    const seeded = { seed: begun?.seed ?? seed ?? freshSeed(), seedChosen: begun?.seedChosen ?? seed !== undefined }
    await keepAudit(project, begun, { ...seeded, model }, path)
    return seeded
  } finally {
    await project.close()
  }
}

async function run(path: string, options: Options, signal: AbortSignal): Promise<void> {
  if (options.certificate !== undefined) requirePlace(options.certificate)
  const { level, batch, positive, against } = options
  const metric: Metric = against === undefined ? (options.metric ?? 'error') : 'difference'
  const about = { metric, ...(positive !== undefined && { positive }) }
  const { classes: known, ...columns } = options
  const isSilent = options.json || options.quiet
  const reading = { ...columns, ...about, ...(known && { known }) }
  const watched: { report?: Report } = {}
  const wish = { ...options, working: (share: number, step: string) => watched.report?.working(share, step) }
  const predictions = await underReadingBar({ isSilent, signal }, (loading) => loadPredictions(path, reading, loading, wish))
  requireMeasurable(about, goalOf(options), predictions.classes) // before anything is written
  const project = options.project === undefined ? undefined : await openOrCreate(options.project)
  const begun = await project?.recall<Begun>('audit')
  const seed = begun?.seed ?? options.seed ?? freshSeed()
  const strategy = options.strategy ?? (predictions.hasConfidence ? 'alis-audit' : 'uniform')
  const plan = {
    ...about,
    goal: goalOf(options),
    level,
    batch,
    strategy,
    seed,
    seedChosen: begun?.seedChosen ?? options.seed !== undefined,
  }
  if (project) await keepAudit(project, begun, { seed, seedChosen: plan.seedChosen, model: predictions.model.id }, path)
  const { engine, classes, hasConfidence } = predictions
  const how = hasConfidence ? 'drawn where answers say most' : 'drawn uniformly: no confidence is given'
  const opening = [
    `${basename(path)}: ${count(engine.size)} predictions of ${count(classes.length)} classes, ${how}`,
    `seed ${seed}${options.seed === undefined ? ' (fresh)' : ''}`,
    ...predictions.says,
  ]
  const file = options.certificate
  const report = reportFor(options, metric, file, opening)
  watched.report = report
  const oracle = oracleOf(options, classes)?.(engine) ?? predictions.answers!() // one of the two was given
  try {
    const certificate = await conduct(
      certify(predictions, { oracle, signal, ...(project && { store: project }) }, plan),
      report,
      file,
    )
    await project?.keepCertificate({ seal: certificate.seal, text: certificateText(certificate) })
  } finally {
    await oracle.close()
    await engine.close()
    await project?.close()
  }
}

/** What the audit itself would refuse, once there is a project. */
function requireMeasurable({ metric, positive }: Measured, { below }: Goal, classes: readonly string[]): void {
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

interface Measured {
  readonly metric: Metric
  readonly positive?: string
}

/** What an audit on disk began with. */
interface Begun {
  readonly seed: number
  readonly seedChosen: boolean
  readonly model: string
}

/** Writes down what is audited, or checks that it still is. */
async function keepAudit(project: Project, begun: Begun | undefined, now: Begun, path: string): Promise<void> {
  requireInput(
    (await project.recall('settings')) === undefined,
    `${project.path}: must be a project that audits, got one that learns`,
    'Measure its own model with alis certify, or begin another project.',
  )
  if (!begun) return project.remember('audit', now)
  requireInput(
    begun.model === now.model,
    `${path}: must hold the predictions that the audit began with, got others`,
    'An audit is about one fixed model. Begin another project for another one.',
  )
}
