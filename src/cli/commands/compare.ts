import { availableParallelism } from 'node:os'
import { basename, join } from 'node:path'
import { Command, Option } from 'commander'
import { type CompareOptions, compare, makingOf } from '../../compare/compare.ts'
import { makingIn, openKeptRuns } from '../../compare/kept-runs.ts'
import { ableWith, type ComparePlan, type Job, strategyNamed, strategyNames, withBaseline } from '../../compare/plan.ts'
import { writeReport } from '../../compare/report.ts'
import type { Run } from '../../compare/run.ts'
import { type Comparison, summarise } from '../../compare/summary.ts'
import { verdictOf } from '../../compare/verdict.ts'
import { requireInput } from '../../core/errors.ts'
import { freshSeed } from '../../projects/fresh-seed.ts'
import { binaryLearners, type LossName, learnerFor } from '../../projects/learners.ts'
import { answersAmong, columnsSay } from '../../projects/pools/column-summary.ts'
import { loadData } from '../../projects/pools/memory.ts'
import type { Loading } from '../../projects/pools/pool-data.ts'
import { shellWord } from '../../text/shell-word.ts'
import { count, seconds } from '../../text/wording.ts'
import { names, positiveNumber, positiveWhole, type RoleOptions, testSource, wholeNumber, withRoles } from '../options/options.ts'
import { comparisonChart, comparisonTable, tableNotes } from '../reports/compare-table.ts'
import { writeLine } from '../reports/json-lines.ts'
import { progressBar } from '../terminal/progress.ts'
import { underReadingBar } from '../terminal/reading.ts'
import { chartWidth, wantsColor } from '../terminal/screen.ts'

interface Options extends RoleOptions {
  readonly label: string
  readonly positive?: string
  readonly strategies: readonly string[]
  readonly seeds: number
  readonly budget: number
  readonly batch: number
  readonly start: number
  readonly test: number | string
  readonly loss: LossName
  readonly l2: number
  readonly threads: number
  readonly out?: string
  readonly seed?: number
  readonly json?: boolean
}

export function compareCommand(signal: AbortSignal): Command {
  const listed = strategyNames.map((name) => `  ${name.padEnd(18)} ${strategyNamed(name).summary}`)
  const command = new Command('compare')
    .description('Try strategies on labelled data, many times each, and say how many labels they save.')
    .argument('<pool>', 'CSV, TSV, JSON, JSONL, Parquet or Arrow file with labels, or several as a quoted pattern')
    .requiredOption('--label <column>', 'the column that answers')
    .option('--positive <values>', 'one class against the rest: value, or values separated by commas')
    .option('--strategies <names>', 'separated by commas, or all; uniform is always among them', names, [
      'alis',
      'uniform',
      'uncertainty',
    ])
    .option('--seeds <n>', 'how often each is tried, every time with other rows to test on', positiveWhole, 20)
    .option('--budget <n>', 'labels in all', positiveWhole, 500)
    .option('--batch <n>', 'labels a round', positiveWhole, 10)
    .option('--start <n>', 'labels drawn uniformly before the first round, the same for all strategies', positiveWhole, 10)
    .option('--test <file|share>', 'rows to test on: a share set aside by lot, or another file', testSource, 0.3)
    .addOption(new Option('--loss <name>', 'what the learner minimises').choices(Object.keys(binaryLearners)).default('logistic'))
    .option('--l2 <number>', 'strength of the penalty on the weights', positiveNumber, 1)
    .addOption(
      new Option('--threads <n>', 'runs at a time').argParser(positiveWhole).default(availableParallelism(), 'all cores'),
    )
    .option('--out <directory>', 'keep every run, go on from there, and write report.html and results.csv')
    .option('--seed <n>', 'repeat a comparison (default: fresh from the operating system, and printed)', wholeNumber)
    .option('--json', 'one JSON object a line on stdout, for programs')
    .addHelpText(
      'after',
      `
Strategies:
${listed.join('\n')}

Examples:
  $ alis compare digits.csv --label digit --positive 1,3,5,7,9 --out digits-compared
  $ alis compare mails.csv --label spam --text body --strategies alis,uncertainty,paper-all --seeds 10 --budget 200`,
    )
    .action((path: string, options: Options) => run(path, options, signal))
  return withRoles(command)
}

async function run(path: string, options: Options, signal: AbortSignal): Promise<void> {
  const began = performance.now()
  const { out, json } = options
  const wantsAll = options.strategies.join() === 'all'
  const named = withBaseline(wantsAll ? strategyNames : options.strategies)
  requireInput(options.seeds >= 2, `--seeds: at least 2 are required, to tell luck from skill, got ${options.seeds}`)
  const seed = options.seed ?? (out === undefined ? undefined : (await makingIn(out))?.seed) ?? freshSeed()
  const { plan, facts, columns, making } = await underReadingBar({ isSilent: json, signal }, (loading) =>
    look(path, options, seed, loading),
  )
  const { able: strategies, unable } = ableWith(facts.features, named)
  requireInput(
    wantsAll || unable.length === 0,
    `--strategies: those that can work with ${count(facts.features)} features are required, got ${unable.join(', ')}`,
    'Leave them out, or say all: then they are left out for you.',
  )
  const kept = out === undefined ? undefined : await openKeptRuns(out, making)
  const told = { ...facts, seed, strategies, seeds: options.seeds, budget: plan.budget }
  if (json) writeLine('progress', { step: 'begin', ...told })
  else sayBeginning(path, { ...told, unable }, columns, options)
  const runs = await underBar(plan, { strategies, splits: options.seeds, threads: options.threads, signal, kept }, json)
  const comparison = summarise(runs, strategies, plan)
  const elapsed = (performance.now() - began) / 1000
  if (out !== undefined) {
    const repeat = commandOf(path, { ...options, strategies, budget: plan.budget, seed })
    await writeReport(out, { comparison, runs, pool: basename(path), ...facts, command: repeat })
  }
  if (json) jsonOutcome(comparison, elapsed, out)
  else sayOutcome(comparison, elapsed, options)
}

interface Facts {
  readonly points: number
  readonly testPoints: number
  readonly features: number
  readonly classes: readonly string[]
}

/** Reads the pool once to see whether everything is there, before any thread does. */
async function look(path: string, options: Options, seed: number, loading: Loading) {
  const { label, positive, test, loss, l2, start, batch } = options
  const { id, features, text, category, number, vector, ignore } = options
  const data = { label, positive, test, id, features, text, category, number, vector, ignore }
  const loaded = await loadData(path, data, seed, loading)
  try {
    const points = loaded.pool.ids.length
    const plan: ComparePlan = { pool: path, data, loss, l2, start, batch, budget: Math.min(options.budget, points), seed }
    learnerFor(loss, loaded.classes.length, l2) // or say why not
    requireInput(
      start < plan.budget,
      `--start: fewer labels than the budget of ${count(plan.budget)} are required, got ${count(start)}`,
      'Leave some to choose.',
    )
    const facts: Facts = {
      points,
      testPoints: loaded.test!.ids.length,
      features: loaded.recipe.width,
      classes: loaded.classes,
    }
    const { roles, table } = loaded.file
    const columns = [...columnsSay(roles), ...answersAmong(roles, loaded.classes)]
    return { plan, facts, columns, making: await makingOf(plan, table.hash) }
  } finally {
    await loaded.file.table.close()
  }
}

/** Runs everything under a bar, or with a line for programs whenever a run is finished. */
async function underBar(plan: ComparePlan, options: CompareOptions, json = false): Promise<Run[]> {
  const total = options.strategies.length * options.splits
  const bar = json ? undefined : progressBar({ label: 'runs', total })
  const onProgress = (done: number, job: Job) => bar?.update(done, `${job.strategy}, seed ${job.split + 1} of ${options.splits}`)
  const onRun = ({ strategy, split, seed, rounds }: Run, done: number) =>
    json && writeLine('progress', { step: 'run', strategy, split, seed, error: rounds.at(-1)!.error, done, total })
  try {
    return await compare(plan, { ...options, onProgress, onRun })
  } finally {
    bar?.stop()
    await options.kept?.close()
  }
}

function sayBeginning(
  path: string,
  told: Facts & { readonly seed: number; readonly strategies: readonly string[]; readonly unable: readonly string[] },
  columns: readonly string[],
  options: Options,
): void {
  const { points, testPoints, features, classes, seed, strategies, unable } = told
  const shownClasses = classes.length > 6 ? `${classes.length} classes` : classes.join(' / ')
  say(
    `${basename(path)}: ${count(points)} points and ${count(testPoints)} to test on, ${count(features)} features, ${shownClasses}`,
  )
  say(columns.join('\n'))
  say(`${strategies.join(', ')}; ${options.seeds} seeds each; seed ${seed}${options.seed === undefined ? ' (fresh)' : ''}`)
  if (unable.length > 0) say(`left out, they cannot work with so many features: ${unable.join(', ')}`)
}

function sayOutcome(comparison: Comparison, elapsed: number, { out }: Options): void {
  const color = wantsColor(process.stdout)
  say(`\n${comparisonTable(comparison, { color })}\n${tableNotes(comparison).join('\n')}\n`)
  say(`${comparisonChart(comparison, { color, width: chartWidth() })}\n`)
  say(verdictOf(comparison).join('\n'))
  say(`${seconds(elapsed)}${out === undefined ? '' : `, ${join(out, 'report.html')}`}`)
}

function jsonOutcome(comparison: Comparison, elapsed: number, out: string | undefined): void {
  const { results, noise, best } = comparison
  const report = out === undefined ? {} : { report: join(out, 'report.html') }
  const verdict = verdictOf(comparison).join(' ')
  writeLine('progress', { step: 'end', verdict, best, noise, seconds: Number(elapsed.toFixed(3)), ...report })
  for (const { strategy, factor, low, high, finalError, estimateRmse, curve, ofBest: _, ...more } of results) {
    const points = curve.map(({ labels, error }) => [labels, error])
    writeLine('result', { strategy, factor, low, high, finalError, estimateRmse, ...more, curve: points })
  }
}

/** The words that repeat a comparison to the last digit, whatever the defaults will be. */
function commandOf(path: string, options: Options & { readonly seed: number }): string {
  const { threads: _, out: __, json: ___, ...said } = options
  const words = Object.entries(said).flatMap(([name, value]) => (value === undefined ? [] : [`--${name}`, String(value)]))
  return ['alis', 'compare', path, ...words].map(shellWord).join(' ')
}

const say = (text: string) => void process.stdout.write(`${text}\n`)
