import { basename } from 'node:path'
import { Command, Option } from 'commander'
import { strategies } from '../strategies/catalogue.ts'
import { roundLine, writeLine } from './json-lines.ts'
import { binaryLearners, type LossName, learnerFor } from './learners.ts'
import { batchSize, names, numberIn, positiveNumber, positiveWhole, testSource, wholeNumber } from './options.ts'
import { roundTable, tableNotes } from './round-table.ts'
import { freshSeed, type LoadedData, loadData, simulate, type TestedRound } from './session.ts'
import { drawChart } from './terminal/chart.ts'
import { chartWidth, count, percent, seconds, wantsColor } from './terminal/format.ts'
import { progressBar } from './terminal/progress.ts'

interface Options {
  readonly label: string
  readonly positive?: string
  readonly id?: string
  readonly features?: string[]
  readonly strategy: keyof typeof strategies
  readonly loss: LossName
  readonly l2: number
  readonly start: number
  readonly batch: number
  readonly rounds?: number
  readonly budget?: number
  readonly test?: number | string
  readonly weighting?: number
  readonly delta: number
  readonly seed?: number
  readonly json?: boolean
}

export function runCommand(signal: AbortSignal): Command {
  const listed = Object.values(strategies).map(({ name, summary }) => `  ${name.padEnd(18)} ${summary}`)
  return new Command('run')
    .description('Learn a classifier from few labels, with answers from a column of the file.')
    .argument('<pool>', 'CSV or TSV file with a header')
    .requiredOption('--label <column>', 'the column that answers')
    .option('--positive <values>', 'one class against the rest: value, or values separated by commas')
    .option('--id <column>', 'names the points (default: a column called id, or else the row number)')
    .option('--features <columns>', 'columns to learn from, separated by commas (default: every numeric one)', names)
    .addOption(
      new Option('--strategy <name>', 'what to draw and how to weigh it').choices(Object.keys(strategies)).default('alis'),
    )
    .addOption(new Option('--loss <name>', 'what the learner minimises').choices(Object.keys(binaryLearners)).default('logistic'))
    .option('--l2 <number>', 'strength of the penalty on the weights', positiveNumber, 1)
    .option('--start <n>', 'labels drawn uniformly before the first round', positiveWhole, 10)
    .option('--batch <n>', 'labels a round; literal is the paper to the letter, one expected', batchSize, 10)
    .addOption(new Option('--rounds <n>', 'rounds after the start (default: 20)').argParser(positiveWhole).conflicts('budget'))
    .option('--budget <n>', 'labels in all, instead of rounds', positiveWhole)
    .option('--test <file|share>', 'rows to test on: another file, or a share of this one set aside by lot', testSource)
    .option(
      '--weighting <exponent>',
      "training weights to this power, 0 none to 1 full (default: the strategy's)",
      numberIn(0, 1),
    )
    .option('--delta <number>', "chance of failure in the paper's bound", numberIn(0, 1, { open: true }), 0.05)
    .option('--seed <n>', 'repeat a run (default: fresh from the operating system, and printed)', wholeNumber)
    .option('--json', 'one JSON object a line on stdout, for programs')
    .addHelpText(
      'after',
      `
Strategies:
${listed.join('\n')}

Examples:
  $ alis run digits.csv --label digit --positive 1,3,5,7,9 --test 0.3
  $ alis run digits.csv --label digit --budget 300 --strategy uniform --seed 7
  $ alis run letters.tsv --label letter --json > run.jsonl`,
    )
    .action((path: string, options: Options) => run(path, options, signal))
}

async function run(path: string, options: Options, signal: AbortSignal): Promise<void> {
  const started = performance.now()
  const seed = options.seed ?? freshSeed()
  const data = await loadData(path, options, seed)
  const learner = learnerFor(options.loss, data.classes.names.length, options.l2)
  const length = options.budget === undefined ? { rounds: options.rounds ?? 20 } : { budget: options.budget }
  const { start, batch, weighting, delta } = options
  const strategy = strategies[options.strategy]
  const rounds = simulate(data, {
    strategy,
    learner,
    start,
    batch,
    weighting,
    delta,
    ...length,
    seed,
    seedChosen: options.seed !== undefined,
    signal,
  })

  const report = options.json ? jsonReport(seed, data) : peopleReport(path, options, seed, data)
  try {
    for await (const round of rounds) report.round(round)
  } finally {
    report.clear()
  }
  report.finish((performance.now() - started) / 1000)
}

interface Report {
  round(round: TestedRound): void
  /** Takes what is only for the meantime off the screen. */
  clear(): void
  finish(seconds: number): void
}

function jsonReport(seed: number, { pool, test, classes }: LoadedData): Report {
  let last: TestedRound | undefined
  const facts = { points: pool.ids.length, features: pool.names.length, classes: classes.names }
  writeLine('progress', { step: 'begin', seed, ...facts, ...(test && { testPoints: test.ids.length }) })
  return {
    round(round) {
      last = round
      writeLine('round', roundLine(round))
    },
    clear() {},
    finish(seconds) {
      const { labels = 0, model, test: tested } = last ?? {}
      writeLine('result', {
        labels,
        model: model?.id,
        ...(tested && { test: tested }),
        seed,
        seconds: Number(seconds.toFixed(3)),
      })
    },
  }
}

function peopleReport(path: string, options: Options, seed: number, { pool, test, classes }: LoadedData): Report {
  const color = wantsColor(process.stdout)
  const say = (text: string) => process.stdout.write(`${text}\n`)
  const shownClasses = classes.names.length > 6 ? `${classes.names.length} classes` : classes.names.join(' / ')
  const points = `${count(pool.ids.length)} points${test ? ` (and ${count(test.ids.length)} to test on)` : ''}`
  say(`${basename(path)}: ${points}, ${count(pool.names.length)} features, ${shownClasses}`)
  say(`strategy ${options.strategy}, seed ${seed}${options.seed === undefined ? ' (fresh)' : ''}`)

  const rounds: TestedRound[] = []
  const total = options.budget ?? options.start + (options.rounds ?? 20) * options.batch
  const bar = progressBar({ label: 'labels', total: Math.min(total, pool.ids.length) })
  return {
    round(round) {
      rounds.push(round)
      bar.update(round.labels, round.test ? `test error ${percent(round.test.error)}` : '')
    },
    clear: () => bar.stop(),
    finish(elapsed) {
      say(`\n${roundTable(rounds, { color })}\n${tableNotes.join('\n')}\n`)
      say(curve(options.strategy, rounds, color))
      const { labels, model, test: tested } = rounds.at(-1)!
      if (tested)
        say(`\nTest error ${percent(tested.error)} after ${count(labels)} labels, log-loss ${tested.logLoss.toFixed(3)}.`)
      say(`Model ${model.id}\n${seconds(elapsed)}`)
    },
  }
}

function curve(strategy: string, rounds: readonly TestedRound[], color: boolean): string {
  const hasTest = rounds.some(({ test }) => test)
  const points = rounds.flatMap(({ labels, test, estimate }): [number, number][] => {
    const y = hasTest ? test?.error : estimate?.value
    return y === undefined ? [] : [[labels, y]]
  })
  if (points.length === 0) return `No unbiased estimate: ${strategy} chooses its points, it does not draw them.`
  const title = hasTest ? 'Test error' : 'Estimated error, a few answers a round'
  return drawChart({
    title,
    xLabel: 'labels',
    series: [{ name: strategy, points }],
    formatY: (y) => percent(y),
    width: chartWidth(),
    color,
  })
}
