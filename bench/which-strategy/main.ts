// Compares all strategies on every set at hand and rewrites the tables of docs/which-strategy.md: `node bench/which-strategy/main.ts`.
import { readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { progressBar } from '../../src/cli/terminal/progress.ts'
import { compare, makingOf } from '../../src/compare/compare.ts'
import { openKeptRuns } from '../../src/compare/kept-runs.ts'
import { type ComparePlan, withBaseline } from '../../src/compare/plan.ts'
import { type Comparison, summarise } from '../../src/compare/summary.ts'
import { verdictOf } from '../../src/compare/verdict.ts'
import { openTable } from '../../src/sources/duckdb-file.ts'
import { strategyNames } from '../../src/strategies/catalogue.ts'
import { overviewTable, setTable, withPart } from './page.ts'
import { type DataSet, dataSets, fileOf, freshSets } from './sets.ts'

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
    budget: { type: 'string', default: '500' },
    strategies: { type: 'string', default: strategyNames.join(',') },
    sets: { type: 'string', default: dataSets.map(({ name }) => name).join(',') },
    /** Instead of those: the sets that nothing was shaped on. */
    fresh: { type: 'boolean', default: false },
    threads: { type: 'string', default: `${availableParallelism()}` },
    /** Where files are that are not shipped: spambase.csv, letter.csv, sms.tsv. */
    data: { type: 'string', default: process.env.ALIS_DATA ?? '' },
    /** Finished runs are kept here: stopped, it goes on. */
    runs: { type: 'string', default: join(tmpdir(), 'alis-which-strategy') },
  },
})
const stopping = new AbortController()
process.once('SIGINT', () => stopping.abort()) // the runs that are finished are kept

const page = new URL('../../docs/which-strategy.md', import.meta.url)
const group = values.fresh ? freshSets : dataSets
const wanted = values.fresh ? freshSets : dataSets.filter(({ name }) => values.sets.split(',').includes(name))
const compared: { set: DataSet; comparison: Comparison }[] = []
for (const set of wanted) {
  const file = fileOf(set, values.data || undefined)
  if (!file) {
    console.log(`${set.name}: no ${set.file} here (--data, or ALIS_DATA), its table stays as it is`)
    continue
  }
  const comparison = await compareOn(set, file)
  compared.push({ set, comparison })
  if (!values.fresh) writeFileSync(page, withPart(readFileSync(page, 'utf8'), set.name, setTable(set, comparison)))
  console.log(`${set.name}: ${verdictOf(comparison).join(' ')}`)
}
// With some sets missing, the overview would be of other sets than the page says.
if (compared.length === group.length) {
  const part = values.fresh ? 'fresh sets' : 'all sets'
  writeFileSync(page, withPart(readFileSync(page, 'utf8'), part, overviewTable(compared)))
} else console.log('the overview stays as it is: it is made of all sets')

async function compareOn(set: DataSet, file: string): Promise<Comparison> {
  const plan: ComparePlan = {
    pool: file,
    data: set.data,
    loss: 'logistic',
    l2: 1,
    start: 10,
    batch: set.batch ?? 10,
    budget: Number(values.budget),
    seed: Number(values.seed),
  }
  const splits = Math.min(Number(values.seeds), set.seeds ?? Number.POSITIVE_INFINITY)
  const strategies = withBaseline(values.strategies.split(',').filter((name) => !set.without?.includes(name)))
  const { hash, close } = await openTable(file)
  await close()
  const kept = await openKeptRuns(join(values.runs, set.name), await makingOf(plan, hash))
  const bar = progressBar({ label: set.name, total: splits * strategies.length })
  const options = { strategies, splits, threads: Number(values.threads), signal: stopping.signal, kept }
  try {
    const onProgress = (done: number, { strategy, split }: { strategy: string; split: number }) =>
      bar.update(done, `${strategy}, seed ${split + 1}`)
    return summarise(await compare(plan, { ...options, onProgress }), strategies, plan)
  } finally {
    bar.stop()
    await kept.close()
  }
}
