import { fileURLToPath } from 'node:url'
import { Command } from 'commander'
import { logisticLearner } from '../learners/logistic.ts'
import { strategies } from '../strategies/catalogue.ts'
import { positiveWhole, wholeNumber } from './options.ts'
import { roundTable, tableNotes } from './round-table.ts'
import { freshSeed, loadData, simulate, type TestedRound } from './session.ts'
import { drawChart } from './terminal/chart.ts'
import { count, percent, wantsColor } from './terminal/format.ts'
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

  const pair = [strategies.alis, strategies.uniform]
  const bar = progressBar({ label: 'runs', total: runs * pair.length * budget })
  const curves = pair.map(() => new Map<number, number>())
  let shown: TestedRound[] = []
  let done = 0
  for (let run = 0; run < runs; run++) {
    const data = await loadData(digits, { label: 'digit', positive: '1,3,5,7,9', test: 0.3 }, seed + run)
    for (const [k, strategy] of pair.entries()) {
      const plan = { strategy, learner: logisticLearner(), start: 10, batch: 10, budget, delta: 0.05 }
      const rounds: TestedRound[] = []
      for await (const round of simulate(data, { ...plan, seed: seed + run, seedChosen: false, signal })) {
        rounds.push(round)
        curves[k]!.set(round.labels, (curves[k]!.get(round.labels) ?? 0) + round.test!.error / runs)
        bar.update(done + round.labels, `${strategy.name}, run ${run + 1} of ${runs}`)
      }
      done += budget
      if (run === 0 && k === 0) shown = rounds
    }
  }
  bar.stop()

  say(`\nThe first run of alis:\n\n${roundTable(shown, { color })}\n${tableNotes.join('\n')}\n`)
  const series = pair.map(({ name }, k) => ({ name, points: [...curves[k]!] }))
  say(drawChart({ title: `Test error, mean of ${runs} runs`, xLabel: 'labels', series, formatY: (y) => percent(y, 0), color }))
  say(`\n${verdict(series[0]!.points, series[1]!.points)}`)
  say('\nYour own data:  alis run yours.csv --label <column> --test 0.3')
}

/** In one sentence: how many labels alis needed for what uniform reached at the end. */
function verdict(alis: [number, number][], uniform: [number, number][]): string {
  const [labels, goal] = uniform.at(-1)!
  const enough = alis.find(([, error]) => error <= goal)
  return enough
    ? `Uniform draws reach ${percent(goal)} with ${count(labels)} labels; alis is there after ${count(enough[0])}.`
    : `Uniform draws reach ${percent(goal)} with ${count(labels)} labels; alis did not get there this time.`
}
