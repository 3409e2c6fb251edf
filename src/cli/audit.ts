import { writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { Command, Option } from 'commander'
import type { AuditRound } from '../audit.ts'
import { type Certificate, certificateText, limitsOfClaim } from '../certificates/certificate.ts'
import { requireInput } from '../core/errors.ts'
import { columnOracle } from '../oracles/column.ts'
import type { Project } from '../stores/project.ts'
import type { Metric } from '../strategies/measures.ts'
import { certify } from './auditing.ts'
import { certificatePage } from './certificate-page.ts'
import { writeLine } from './json-lines.ts'
import { names, numberIn, type OracleOptions, positiveWhole, wholeNumber, withOracle } from './options.ts'
import { oracleOf } from './oracles.ts'
import { loadPredictions, type Predictions } from './predictions.ts'
import { openOrCreate } from './projects.ts'
import { freshSeed } from './session.ts'
import { drawChart } from './terminal/chart.ts'
import { chartWidth, count, percent, wantsColor } from './terminal/format.ts'
import { liveLine } from './terminal/live-line.ts'

interface Options extends OracleOptions {
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
  readonly tolerance?: number
  readonly below?: number
  readonly budget?: number
  readonly level: number
  readonly batch: number
  readonly strategy?: 'alis-audit' | 'uniform'
  readonly seed?: number
  readonly certificate?: string
  readonly json?: boolean
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
    .option('--tolerance <number>', 'stop when the interval is this far to either side of its middle', numberIn(0.0005, 0.5))
    .addOption(
      new Option('--below <number>', 'stop when it is surely below this')
        .argParser(numberIn(-1, 1, { open: true }))
        .conflicts('tolerance'),
    )
    .option('--budget <n>', 'stop after this many answers', positiveWhole)
    .option('--level <number>', 'how sure to be', numberIn(0.5, 1, { open: true }), 0.95)
    .option('--batch <n>', 'answers a round', positiveWhole, 50)
    .addOption(
      new Option('--strategy <name>', 'how to draw (default: alis-audit, or uniform without confidences)').choices([
        'alis-audit',
        'uniform',
      ]),
    )
    .option('--seed <n>', 'repeat an audit (default: fresh from the operating system, and printed)', wholeNumber)
    .option('--certificate <file>', 'write the certificate here, and a page for people beside it')
    .option('--json', 'one JSON object a line on stdout, for programs')
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
  return withOracle(command)
}

async function run(path: string, options: Options, signal: AbortSignal): Promise<void> {
  const asks = options.oracleCommand ?? options.oracleUrl
  requireInput(
    options.truth !== undefined || asks !== undefined,
    'answers: a column, a program or a service is required, got none',
    'Name one with --truth, --oracle-command or --oracle-url.',
  )
  const { tolerance, below, budget, level, batch, positive, against } = options
  const metric: Metric = against === undefined ? (options.metric ?? 'error') : 'difference'
  const about = { metric, ...(positive !== undefined && { positive }) }
  const { classes: known, ...columns } = options
  const predictions = await loadPredictions(path, { ...columns, ...about, ...(known && { known }) })
  const project = options.project === undefined ? undefined : await openOrCreate(options.project)
  const begun = await project?.recall<Begun>('audit')
  const seed = begun?.seed ?? options.seed ?? freshSeed()
  const strategy = options.strategy ?? (predictions.hasConfidence ? 'alis-audit' : 'uniform')
  const report = options.json ? jsonReport(metric, options) : peopleReport(path, metric, options, seed, predictions)

  const goal = {
    ...(tolerance !== undefined && { tolerance }),
    ...(below !== undefined && { below }),
    ...(budget !== undefined && { budget }),
  }
  const hasGoal = Object.keys(goal).length > 0
  const plan = {
    ...about,
    goal: hasGoal ? goal : { tolerance: 0.01 },
    level,
    batch,
    strategy,
    seed,
    seedChosen: begun?.seedChosen ?? options.seed !== undefined,
  }
  if (project) await keepAudit(project, begun, { seed, seedChosen: plan.seedChosen, model: predictions.model.id }, path)
  const rounds: AuditRound[] = []
  const oracle = oracleOf(options, predictions.classes)?.(predictions.engine) ?? columnOracle(predictions.truth!)
  const auditing = certify(predictions, { oracle, signal, ...(project && { store: project }) }, plan)
  try {
    let step = await auditing.next()
    for (; !step.done; step = await auditing.next()) {
      rounds.push(step.value)
      report.round(step.value)
    }
    if (options.certificate) {
      writeFileSync(options.certificate, certificateText(step.value))
      writeFileSync(`${options.certificate.replace(/\.json$/, '')}.html`, certificatePage(step.value, rounds))
    }
    await project?.keepCertificate({ seal: step.value.seal, text: certificateText(step.value) })
    report.finish(step.value, rounds)
  } finally {
    report.clear()
    await oracle.close()
    await predictions.engine.close()
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

interface Report {
  round(round: AuditRound): void
  clear(): void
  finish(certificate: Certificate, rounds: readonly AuditRound[]): void
}

function jsonReport(metric: Metric, { certificate: file }: Options): Report {
  return {
    round({ interval, forecast }) {
      const { answers, value, low, high } = interval
      writeLine('round', { answers, value, low, high, ...(forecast && { forecast }) })
    },
    clear() {},
    finish({ value, low, high, level, answers, pool, reached, seed }) {
      writeLine('result', {
        metric,
        value,
        low,
        high,
        level,
        answers,
        pool: pool.size,
        reached,
        seed,
        ...(file && { certificate: file }),
      })
    },
  }
}

function peopleReport(
  path: string,
  metric: Metric,
  { seed: chosen, certificate: file }: Options,
  seed: number,
  { engine, classes, hasConfidence }: Predictions,
): Report {
  const color = wantsColor(process.stdout)
  const say = (text: string) => process.stdout.write(`${text}\n`)
  const how = hasConfidence ? 'drawn where answers say most' : 'drawn uniformly: no confidence is given'
  say(`${basename(path)}: ${count(engine.size)} predictions of ${count(classes.length)} classes, ${how}`)
  say(`seed ${seed}${chosen === undefined ? ' (fresh)' : ''}`)
  const line = liveLine()
  return {
    round({ interval, forecast }) {
      const { answers, value, low, high } = interval
      const more = forecast ? ` · about ${count(forecast.answers)} more answers` : ''
      line.show(`${count(answers)} answers · ${metric} ${percent(value)} (${percent(low)} – ${percent(high)})${more}`)
    },
    clear: () => line.clear(),
    finish({ claim, value, reached, goal, unknown }, rounds) {
      line.clear()
      say(`\n${shrinking(metric, rounds, color)}\n\n${claim}`)
      if (!reached && (goal.tolerance ?? goal.below) !== undefined)
        say('The goal was not reached with these answers; the interval holds all the same.')
      say(
        `Best estimate ${percent(value, 2)}.${unknown > 0 ? ` ${count(unknown)} answers were "cannot tell".` : ''}\n${limitsOfClaim.join('\n')}`,
      )
      if (file) say(`Certificate: ${file}`)
    },
  }
}

/** A picture of the interval closing in; the first answers leave everything open, and would hide the end. */
function shrinking(metric: Metric, rounds: readonly AuditRound[], color: boolean): string {
  const all = rounds.map(({ interval }) => interval)
  const { low, high } = all.at(-1)!
  const shown = all.filter((then) => then.high - then.low <= 8 * (high - low))
  const series = (['high', 'value', 'low'] as const).map((name) => ({
    name: { high: 'upper limit', value: 'estimate', low: 'lower limit' }[name],
    points: shown.map((then): [number, number] => [then.answers, then[name]]),
    mark: { high: '▼', value: '●', low: '▲' }[name],
  }))
  const title = `The ${metric} of the predictions`
  return drawChart({ title, xLabel: 'answers', series, formatY: (y) => percent(y), width: chartWidth(), color })
}
