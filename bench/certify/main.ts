// What a certificate gains by starting from what its model learned from: `npm run bench:certify`. Answers until ±5, ±3 and ±2 % after some labels
// of learning, beside starting anew; and how often intervals miss. `--only answers`, `--only misses`; `--runs`: of each; `--first`: the first
// seed; `--data`: where the files lie.
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { drawTable } from '../../src/cli/terminal/table.ts'
import { logisticLearner } from '../../src/learners/margin-learner.ts'
import { loadData } from '../../src/projects/pools/memory.ts'
import { question } from '../../src/questions/spec.ts'
import { blind, certified, learned, learners, madeWorld, type Start, type World, worldOf } from './world.ts'

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: 'answers,misses' },
    runs: { type: 'string' },
    sets: { type: 'string', default: 'digits,spambase' },
    labels: { type: 'string', default: '300,500' },
    starts: { type: 'string', default: 'anew,calibrated,carried' },
    cases: { type: 'string', default: '0,1,2,3,4' },
    data: { type: 'string', default: fileURLToPath(new URL('../../data', import.meta.url)) },
    first: { type: 'string', default: '1' },
  },
})
const first = Number(values.first)

const sets: Record<string, readonly [title: string, file: string, label: string, positive: string]> = {
  digits: ['digits, odd or even', 'digits.csv', 'digit', '1,3,5,7,9'],
  spambase: ['spambase', 'spambase.csv', 'y', 'spam'],
}
const tolerances = [0.05, 0.03, 0.02]
const starts = values.starts.split(',') as Start[]
const most = 1200

async function worldFrom(name: string, seed: number): Promise<World> {
  const [, file, label, positive] = sets[name]!
  const { pool, classes } = await loadData(join(values.data, file), { label, positive }, seed)
  const { ids, features, labels } = pool
  const truth = new Map(ids.map((id, k) => [id, labels[k]!]))
  return worldOf({ ids, features, truth, classes, learner: logisticLearner() })
}

const mean = (numbers: readonly number[]) => numbers.reduce((sum, n) => sum + n, 0) / numbers.length

/** Answers until each tolerance, by start; one row a set and number of labels. */
async function answersTable(runs: number): Promise<string> {
  const rows: string[][] = []
  let [looked, missed] = [0, 0]
  for (const name of values.sets.split(','))
    for (const labels of values.labels.split(',').map(Number)) {
      const found = new Map<string, number[]>()
      for (let k = 0; k < runs; k++) {
        const world = await worldFrom(name, first + k)
        const store = await learned(world, first + k, { labels })
        for (const tolerance of tolerances)
          for (const start of starts) {
            const { answers, isMissed } = await certified(world, store, first + k, { start, tolerance, budget: most, batch: 50 })
            const key = `${tolerance} ${start}`
            found.set(key, [...(found.get(key) ?? []), answers])
            looked++
            if (isMissed) missed++
          }
        process.stderr.write(`${name} ${labels} ${k + 1}/${runs} ${JSON.stringify([...found])}\n`)
      }
      const cell = (tolerance: number) => starts.map((start) => Math.round(mean(found.get(`${tolerance} ${start}`)!))).join(' / ')
      rows.push([`${sets[name]![0]}, after ${labels}`, ...tolerances.map(cell)])
    }
  const titles = ['', ...tolerances.map((t) => `±${100 * t} %: ${starts.join(' / ')}`)]
  const table = drawTable({ columns: titles.map((title) => ({ title })), rows })
  return `${table}\n${missed} of ${looked} certificates missed the error at some look (at most 5 % may)`
}

/** How often some interval on the way to a tolerance leaves the error out. */
async function missesTable(runs: number): Promise<string> {
  const cases = [
    ['an ordinary pool', learners.ordinary, {}],
    ['overconfident models', learners.overconfident, {}],
    ['models that are spoiled at last', learners['spoiled at last'], {}],
    ['every second model spoiled', learners['every second spoiled'], {}],
    ['broken: drift ignored, spoiled at last', learners['spoiled at last'], { engine: blind }],
  ] as const
  const rows: string[][] = []
  for (const [title, learner, twin] of values.cases.split(',').map((k) => cases[Number(k)]!)) {
    let missed = 0
    const answers: number[] = []
    for (let k = 0; k < runs; k++) {
      const seed = first + k
      const world = madeWorld(seed, learner)
      const store = await learned(world, seed, { labels: 160, batch: 20 })
      const questions = [question('error'), question('accuracy')]
      const told = await certified(world, store, seed, {
        start: 'carried',
        tolerance: 0.06,
        budget: 80,
        batch: 5,
        questions,
        ...twin,
      })
      answers.push(told.answers)
      if (told.isMissed) missed++
    }
    rows.push([title, `${runs}`, `${missed}`, mean(answers).toFixed(0)])
    process.stderr.write(`${rows.at(-1)!.join(' | ')}\n`)
  }
  return drawTable({ columns: [{ title: 'pool' }, { title: 'runs' }, { title: 'missed' }, { title: 'answers' }], rows })
}

if (values.only.includes('answers')) console.log(`\n${await answersTable(Number(values.runs ?? 12))}`)
if (values.only.includes('misses')) console.log(`\n${await missesTable(Number(values.runs ?? 300))}`)
