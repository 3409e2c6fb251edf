// How many labels each strategy needs, on digits odd/even, beside uniform draws: `npm run bench:labels`.
import { parseArgs } from 'node:util'
import { progressBar } from '../../src/cli/terminal/progress.ts'
import { drawTable } from '../../src/cli/terminal/table.ts'
import { uniform } from '../../src/core/randomness.ts'
import { percent } from '../../src/core/wording.ts'
import { logisticLearner } from '../../src/learners/logistic.ts'
import { loadData } from '../../src/projects/data.ts'
import { simulate } from '../../src/projects/simulate.ts'
import { strategies } from '../../src/strategies/catalogue.ts'

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '20' },
    budget: { type: 'string', default: '500' },
    strategies: { type: 'string', default: 'uniform,alis,alis-variance,margin-rank,entropy,uncertainty,paper-all,paper' },
  },
})
const seeds = Number(values.seeds)
const budget = Number(values.budget)
const names = values.strategies.split(',') as (keyof typeof strategies)[]
const data = new URL('../../data/digits.csv', import.meta.url).pathname

/** Error by number of labels, one curve a seed. */
type Curves = Map<number, number>[]

const curves = new Map<string, Curves>(names.map((name) => [name, []]))
const estimates = new Map<string, number[]>(names.map((name) => [name, []]))
const bar = progressBar({ label: 'runs', total: seeds * names.length })
try {
  for (let seed = 0; seed < seeds; seed++) {
    const loaded = await loadData(data, { label: 'digit', positive: '1,3,5,7,9', test: 0.4 }, seed)
    for (const name of names) {
      const curve = new Map<number, number>()
      const plan = { learner: logisticLearner(), start: 10, batch: 10, budget, delta: 0.05, seed, seedChosen: true }
      let before = Number.NaN // the test error of the model an estimate speaks of
      for await (const { labels, test, estimate } of simulate(loaded, { ...plan, strategy: strategies[name] })) {
        if (estimate && labels > 50) estimates.get(name)!.push(estimate.value - before)
        before = test!.error
        curve.set(Math.min(labels, budget), before)
      }
      curves.get(name)!.push(curve)
      bar.update(seed * names.length + names.indexOf(name) + 1, name)
    }
  }
} finally {
  bar.stop()
}

const reference = curves.get('uniform')!
const uniformSpread = rootMeanSquare(estimates.get('uniform')!)
const rows = names.map((name) => {
  const own = curves.get(name)!
  const { low, high } = bootstrap(own)
  const spread = estimates.get(name)!
  return [
    name,
    percent(meanAt(own, budget), 2),
    shown(factor(own, reference)),
    high > 0 ? `${shown(low)} – ${shown(high)}` : 'never',
    spread.length > 500 ? (rootMeanSquare(spread) / uniformSpread).toFixed(2) : 'none',
  ]
})
console.log(`digits odd/even, ${seeds} seeds, ${budget} labels, start 10, batches of 10, logistic regression`)
console.log(
  drawTable({
    columns: [
      { title: 'strategy' },
      { title: 'final error', align: 'right' },
      { title: 'factor', align: 'right' },
      { title: '90 % interval', align: 'right' },
      { title: 'estimate RMSE', align: 'right' },
    ],
    rows,
  }),
)
console.log(`factor: ${budget} over the labels needed for uniform's final error; below 1 is slower than uniform.`)
console.log("estimate RMSE: of a round's unbiased error estimate against the test error of that model, relative to uniform's.")

/** Mean error over seeds; a curve without a value there (random batch sizes) gives the last one before. */
function meanAt(own: Curves, labels: number): number {
  const at = own.map((curve) => [...curve].filter(([n]) => n <= labels).at(-1)?.[1] ?? 1)
  return at.reduce((a, b) => a + b, 0) / own.length
}

/** Budget over the labels needed to reach the reference's final error, between rounds by interpolation; 0 if never. */
function factor(own: Curves, against: Curves): number {
  const goal = meanAt(against, budget)
  let before: [number, number] | undefined
  for (let labels = 10; labels <= budget; labels += 10) {
    const error = meanAt(own, labels)
    if (error <= goal) {
      const [from, above] = before ?? [labels, error]
      const way = above > error ? (above - goal) / (above - error) : 0
      return budget / (from + way * (labels - from))
    }
    before = [labels, error]
  }
  return 0
}

/** Seeds drawn anew with replacement, the same for both curves. */
function bootstrap(own: Curves): { low: number; high: number } {
  const factors = Array.from({ length: 400 }, (_, b) => {
    const picks = own.map((_, k) => Math.ceil(uniform(b, 'bootstrap', `${k}`) * own.length) - 1)
    return factor(
      picks.map((k) => own[k]!),
      picks.map((k) => reference[k]!),
    )
  }).sort((a, b) => a - b)
  return { low: factors[20]!, high: factors[379]! }
}

/** 0 stands for never. */
function shown(value: number): string {
  return value > 0 ? value.toFixed(2) : 'never'
}

function rootMeanSquare(values: readonly number[]): number {
  return Math.sqrt(values.reduce((sum, value) => sum + value * value, 0) / values.length)
}
