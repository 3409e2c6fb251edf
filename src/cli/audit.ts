import { basename } from 'node:path'
import { Command, Option } from 'commander'
import { certificateText } from '../certificates/certificate.ts'
import { requireInput } from '../core/errors.ts'
import { columnOracle } from '../oracles/column.ts'
import type { Project } from '../stores/project.ts'
import type { Metric } from '../strategies/measures.ts'
import { conduct, reportFor } from './audit-report.ts'
import { certify } from './auditing.ts'
import { type GoalOptions, goalOf, names, type OracleOptions, wholeNumber, withGoal, withOracle } from './options.ts'
import { oracleOf } from './oracles.ts'
import { loadPredictions } from './predictions.ts'
import { openOrCreate } from './projects.ts'
import { freshSeed } from './session.ts'
import { count } from './terminal/format.ts'

interface Options extends OracleOptions, GoalOptions {
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

export function auditCommand(signal: AbortSignal): Command {
  const command = new Command('audit')
    .description(
      "Measure how often a model's predictions are wrong, from few answers, with an interval that holds while you watch.",
    )
    .argument('<predictions>', 'CSV, TSV, JSON, JSONL or Parquet file, one row a prediction')
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
      new Option('--metric <name>', 'what to measure (default: error)').choices([
        'error',
        'accuracy',
        'precision',
        'recall',
        'f1',
        'prevalence',
      ]),
    )
    .option('--positive <class>', 'the class that precision, recall, F1 and prevalence are about')
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
  $ alis audit predictions.csv --prediction label --confidence p --oracle-command ./ask.py --project audit.alis`,
    )
    .action((path: string, options: Options) => run(path, options, signal))
  return withOracle(withGoal(command))
}

async function run(path: string, options: Options, signal: AbortSignal): Promise<void> {
  const asks = options.oracleCommand ?? options.oracleUrl
  requireInput(
    options.truth !== undefined || asks !== undefined,
    'answers: a column, a program or a service is required, got none',
    'Name one with --truth, --oracle-command or --oracle-url.',
  )
  const { level, batch, positive, against } = options
  const metric: Metric = against === undefined ? (options.metric ?? 'error') : 'difference'
  const about = { metric, ...(positive !== undefined && { positive }) }
  const { classes: known, ...columns } = options
  const predictions = await loadPredictions(path, { ...columns, ...about, ...(known && { known }) })
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
  ]
  const file = options.certificate
  const report = reportFor(options, metric, file, opening)
  const oracle = oracleOf(options, classes)?.(engine) ?? columnOracle(predictions.truth!)
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

/** What an audit on disk began with. */
interface Begun {
  readonly seed: number
  readonly seedChosen: boolean
  readonly model: string
}

/** Writes down what is audited, or checks that it still is. */
async function keepAudit(project: Project, begun: Begun | undefined, now: Begun, path: string): Promise<void> {
  if (!begun) return project.remember('audit', now)
  requireInput(
    begun.model === now.model,
    `${path}: must hold the predictions that the audit began with, got others`,
    'An audit is about one fixed model. Begin another project for another one.',
  )
}
