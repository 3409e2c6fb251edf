import { availableParallelism } from 'node:os'
import { basename, join } from 'node:path'
import { Command, Option } from 'commander'
import { type CompareOptions, compare, makingOf } from '../../compare/compare.ts'
import { makingIn, openKeptRuns } from '../../compare/kept-runs.ts'
import { ableWith, type ComparePlan, type RunJob, withBaseline } from '../../compare/plan.ts'
import { writeReport } from '../../compare/report.ts'
import type { Run } from '../../compare/run.ts'
import { type Comparison, summarise } from '../../compare/summary.ts'
import { verdictOf } from '../../compare/verdict.ts'
import { requireInput } from '../../core/errors.ts'
import { learnerFor } from '../../learners/catalogue.ts'
import type { LossName } from '../../losses/catalogue.ts'
import { requireApart } from '../../projects/export/output-file.ts'
import { freshSeed } from '../../projects/fresh-seed.ts'
import { answersAmong, columnsSay } from '../../projects/pools/column-summary.ts'
import { loadData } from '../../projects/pools/memory.ts'
import type { Loading } from '../../projects/pools/pool-data.ts'
import { strategyNames } from '../../strategies/catalogue.ts'
import { shellWord } from '../../text/shell-word.ts'
import { classNames, count, seconds } from '../../text/wording.ts'
import { lossOption, type RoleOptions, rolesOf, strategyHelp, withOptions } from '../options/options.ts'
import { jsonFlag, type OutputOptions } from '../options/output.ts'
import { asRead, type ReadingOptions, withReadingOptions } from '../options/reading.ts'
import { names, positiveNumber, positiveWhole, testSource, wholeNumber } from '../options/values.ts'
import { comparisonChart, comparisonTable } from '../reports/comparison-table.ts'
import { say, sayDrawn, writeLine } from '../reports/output.ts'
import { progressBar, underReadingBar } from '../terminal/progress.ts'

interface Options extends ReadingOptions, RoleOptions, OutputOptions {
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
}

export function compareCommand(signal: AbortSignal): Command {
  const command = new Command('compare')
    .argument('<pool>', 'CSV, TSV, JSON, JSONL, Parquet or Arrow file with labels, or several as a quoted pattern')
    .requiredOption('--label <column>', 'the column that answers')
    .option('--positive <values>', 'one class against the rest: value, or values separated by commas')
    .option(
      '--strategies <names>',
      'separated by commas, or all; alis:0.3 is alis with that --know; uniform is always among them',
      names,
      ['alis', 'uniform', 'uncertainty'],
    )
    .option('--seeds <n>', 'how often each is tried, every time with other rows to test on', positiveWhole, 20)
    .option('--budget <n>', 'labels in all', positiveWhole, 500)
    .option('--batch <n>', 'labels a round', positiveWhole, 10)
    .option('--start <n>', 'labels drawn uniformly before the first round, the same for all strategies', positiveWhole, 10)
    .option('--test <file|share>', 'rows to test on: a share set aside by lot, or another file', testSource, 0.3)
    .addOption(lossOption())
    .option('--l2 <number>', 'strength of the penalty on the weights', positiveNumber, 1)
    .addOption(
      new Option('--threads <n>', 'runs at a time').argParser(positiveWhole).default(availableParallelism(), 'all cores'),
    )
    .option('--out <directory>', 'keep every run, go on from there, and write report.html and results.csv')
    .option('--seed <n>', 'repeat a comparison (default: fresh from the operating system, and printed)', wholeNumber)
    .option(...jsonFlag)
    .addHelpText(
      'after',
      `
${strategyHelp()}

Examples:
  $ alis compare digits.csv --label digit --positive 1,3,5,7,9 --out digits-compared
  $ alis compare mails.csv --label spam --text body --strategies alis,uncertainty,paper-all --seeds 10 --budget 200`,
    )
    .action(async (path: string, options: Options) => run(await asRead(path, options), options, signal))
  return withReadingOptions(withOptions(command, 'roles'))
}

const written = ['report.html', 'results.csv', 'runs.jsonl']

async function run(path: string, options: Options, signal: AbortSignal): Promise<void> {
  const began = performance.now()
  const { out, json, seeds: splits, threads } = options
  const wantsAll = options.strategies.join() === 'all'
  const named = withBaseline(wantsAll ? strategyNames : options.strategies)
  requireInput(splits >= 2, `--seeds: at least 2 are required, to tell luck from skill, got ${splits}`)
  const seed = options.seed ?? (out === undefined ? undefined : (await makingIn(out))?.seed) ?? freshSeed()
  const { plan, facts, columns, making } = await underReadingBar({ isSilent: json, signal }, (loading) =>
    survey(path, options, seed, loading),
  )
  const { able: strategies, unable } = ableWith(facts.features, named)
  requireInput(
    wantsAll || unable.length === 0,
    `--strategies: those that can work with ${count(facts.features)} features are required, got ${unable.join(', ')}`,
    'Leave them out, or say all: then they are left out for you.',
  )
  if (out !== undefined) for (const file of written) requireApart(join(out, file), [path], '--out')
  const kept = out === undefined ? undefined : await openKeptRuns(out, making)
  if (json) writeLine('progress', { step: 'begin', ...facts, seed, strategies, seeds: splits, budget: plan.budget })
  else {
    const { points, testPoints, features, classes } = facts
    const size = `${count(points)} points and ${count(testPoints)} to test on, ${count(features)} features`
    say([`${basename(path)}: ${size}, ${classNames(classes)}`, ...columns])
    say(`${strategies.join(', ')}; ${splits} seeds each; seed ${seed}${options.seed === undefined ? ' (fresh)' : ''}`)
    if (unable.length > 0) say(`left out, they cannot work with so many features: ${unable.join(', ')}`)
  }
  const runs = await underRunBar(plan, { strategies, splits, threads, signal, kept }, json)
  const comparison = summarise(runs, strategies, plan)
  const elapsed = (performance.now() - began) / 1000
  if (out !== undefined) {
    const command = commandOf(path, { ...options, strategies, budget: plan.budget, seed })
    await writeReport(out, { comparison, runs, pool: basename(path), ...facts, command })
  }
  const report = out === undefined ? undefined : join(out, 'report.html')
  if (json) jsonOutcome(comparison, elapsed, report)
  else sayOutcome(comparison, elapsed, report)
}

/** Reads the pool once to see whether everything is there, before any thread does. */
async function survey(path: string, options: Options, seed: number, loading: Loading) {
  const { label, positive, test, loss, l2, start, batch } = options
  const { show: _, ...roles } = rolesOf(options)
  const data = { label, positive, test, ...roles }
  const loaded = await loadData(path, data, seed, loading)
  const { classes, recipe, file } = loaded
  try {
    const points = loaded.pool.ids.length
    const plan: ComparePlan = { pool: path, data, loss, l2, start, batch, budget: Math.min(options.budget, points), seed }
    learnerFor(loss, classes.length, l2) // or say why not
    requireInput(
      start < plan.budget,
      `--start: fewer labels than the budget of ${count(plan.budget)} are required, got ${count(start)}`,
      'Leave some to choose.',
    )
    return {
      plan,
      facts: { points, testPoints: loaded.test!.ids.length, features: recipe.width, classes },
      columns: [...columnsSay(file.roles), ...answersAmong(file.roles, classes)],
      making: await makingOf(plan, file.table.hash),
    }
  } finally {
    await file.table.close()
  }
}

/** Runs everything under a bar, or with a line for programs whenever a run is finished. */
async function underRunBar(plan: ComparePlan, options: CompareOptions, json = false): Promise<Run[]> {
  const total = options.strategies.length * options.splits
  const bar = json ? undefined : progressBar({ label: 'runs', total })
  const onProgress = (done: number, job: RunJob) =>
    bar?.update(done, `${job.strategy}, seed ${job.split + 1} of ${options.splits}`)
  const onRun = ({ strategy, split, seed, rounds }: Run, done: number) =>
    json && writeLine('progress', { step: 'run', strategy, split, seed, error: rounds.at(-1)!.error, done, total })
  try {
    return await compare(plan, { ...options, onProgress, onRun })
  } finally {
    bar?.stop()
    await options.kept?.close()
  }
}

function sayOutcome(comparison: Comparison, elapsed: number, report: string | undefined): void {
  sayDrawn(`\n${comparisonTable(comparison)}\n\n${comparisonChart(comparison)}\n`)
  say(verdictOf(comparison).join('\n'))
  say(`${seconds(elapsed)}${report === undefined ? '' : `, ${report}`}`)
}

function jsonOutcome(comparison: Comparison, elapsed: number, report: string | undefined): void {
  const { results, noise, best } = comparison
  const verdict = verdictOf(comparison).join(' ')
  writeLine('progress', { step: 'end', verdict, best, noise, seconds: Number(elapsed.toFixed(3)), report })
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
