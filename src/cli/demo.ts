import { fileURLToPath } from 'node:url'
import { Command } from 'commander'
import { logisticLearner } from '../learners/logistic.ts'
import { strategies } from '../strategies/catalogue.ts'
import { positiveWhole, wholeNumber } from './options.ts'
import { roundTable, tableNotes } from './round-table.ts'
import { freshSeed, loadData, simulate, type TestedRound } from './session.ts'
import { drawChart } from './terminal/chart.ts'
import { chartWidth, count, percent, wantsColor } from './terminal/format.ts'
import { progressBar } from './terminal/progress.ts'

const digits = fileURLToPath(new URL('../../data/digits.csv', import.meta.url))
const budget = 300

export function demoCommand(signal: AbortSignal): Command {
  return new Command('demo')
    .description('Watch the default learn odd from even on 1,797 handwritten digits, beside uniform draws.')
    .option('--runs <n>', 'runs to average the curves over', positiveWhole, 10)
    .option('--seed <n>', 'repeat a demonstration', wholeNumber)
    .addHelpText('after', '\nExample:\n  $ alis demo --runs 20')
    .action((options: { runs: number; seed?: number }) => demo(options, signal))
}

async function demo(
  { runs, seed = freshSeed() }: { readonly runs: number; readonly seed?: number },
  signal: AbortSignal,
): Promise<void> {
  const color = wantsColor(process.stdout)
  const say = (text: string) => process.stdout.write(`${text}\n`)
  say(`Odd or even? 1,797 handwritten digits, 30 % of them set aside to test on. Seed ${seed}.`)

  const { shown, series } = await compare(runs, seed, signal)
  say(`\nThe first run of alis:\n\n${roundTable(shown, { color })}\n${tableNotes.join('\n')}\n`)
  say(
    drawChart({
      title: `Test error, mean of ${runs} runs`,
      xLabel: 'labels',
      series,
      formatY: (y) => percent(y),
      width: chartWidth(),
      color,
    }),
  )
  say(`\n${verdict(series[0]!.points, series[1]!.points)}`)
  say('\nYour own data:  alis run yours.csv --label <column> --test 0.3')
}

type Curve = [labels: number, error: number][]

/** Both strategies over all runs: the rounds of the first run of alis, and both mean curves. */
async function compare(runs: number, seed: number, signal: AbortSignal) {
  const pair = [strategies.alis, strategies.uniform]
  const bar = progressBar({ label: 'runs', total: runs * pair.length * budget })
  const errors = pair.map(() => new Map<number, number>())
  const shown: TestedRound[] = []
  try {
    for (let run = 0; run < runs; run++) {
      const data = await loadData(digits, { label: 'digit', positive: '1,3,5,7,9', test: 0.3 }, seed + run)
      for (const [k, strategy] of pair.entries()) {
        const plan = { strategy, learner: logisticLearner(), start: 10, batch: 10, budget, delta: 0.05 }
        for await (const round of simulate(data, { ...plan, seed: seed + run, seedChosen: false, signal })) {
          const { labels, test } = round
          errors[k]!.set(labels, (errors[k]!.get(labels) ?? 0) + test!.error / runs)
          bar.update((run * pair.length + k) * budget + labels, `${strategy.name}, run ${run + 1} of ${runs}`)
          if (run === 0 && k === 0) shown.push(round)
        }
      }
    }
  } finally {
    bar.stop()
  }
  return { shown, series: pair.map(({ name }, k) => ({ name, points: [...errors[k]!] as Curve })) }
}

/** In one sentence: how many labels alis needed for what uniform reached at the end. */
function verdict(alis: Curve, uniform: Curve): string {
  const [labels, goal] = uniform.at(-1)!
  const enough = alis.find(([, error]) => error <= goal)
  return enough
    ? `Uniform draws reach ${percent(goal)} with ${count(labels)} labels; alis is there after ${count(enough[0])}.`
    : `Uniform draws reach ${percent(goal)} with ${count(labels)} labels; alis did not get there this time.`
}
