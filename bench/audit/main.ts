// Answers an audit needs, how often its interval is wrong, and what an answer costs to compute: `npm run bench:audit`.
// With `--coverage`: many audits of smaller pools, to count misses.
import { availableParallelism, cpus } from 'node:os'
import { parseArgs } from 'node:util'
import { count, percent } from '../../src/cli/terminal/format.ts'
import { progressBar } from '../../src/cli/terminal/progress.ts'
import { drawTable } from '../../src/cli/terminal/table.ts'
import { costPerAnswer } from './cost.ts'
import { runAll } from './parallel.ts'
import type { Kind } from './pools.ts'
import type { Outcome, Run } from './run.ts'

const { values } = parseArgs({
  options: {
    coverage: { type: 'boolean', default: false },
    runs: { type: 'string' },
    size: { type: 'string' },
    tolerance: { type: 'string' },
    seed: { type: 'string', default: '0' },
    threads: { type: 'string', default: String(availableParallelism()) },
  },
})
const runs = Number(values.runs ?? (values.coverage ? 500 : 60))
const size = Number(values.size ?? (values.coverage ? 4000 : 20_000))
const seed = Number(values.seed)
const tolerance = Number(values.tolerance ?? (values.coverage ? 0.02 : 0.01))

/** What is audited, and what a slow, independent simulation found: median answers to ± 1 % and share of misses, by bets. */
interface Case {
  readonly name: string
  readonly kind: Kind
  readonly shape: number
  readonly strategy?: 'uniform'
  readonly reference: Readonly<Record<Run['bets'], string>>
}

// A prototype in numpy, written before this library: 40 or 60 runs for the medians, 100 to 400 for the misses. Uniform draws come twice: they
// too profit from predictions, which stand in for what is not drawn; with shuffled ones there is nothing to profit from.
const cases: readonly Case[] = [
  {
    name: 'uniform draws, shuffled',
    kind: 'shuffled',
    shape: 0.2,
    strategy: 'uniform',
    reference: { steady: '2,278', open: 'about 3,000' },
  },
  {
    name: 'uniform draws, AUC .91',
    kind: 'calibrated',
    shape: 0.2,
    strategy: 'uniform',
    reference: { steady: 'none', open: 'none' },
  },
  { name: 'AUC .91', kind: 'calibrated', shape: 0.2, reference: { steady: '1,250, missed 3.5 %', open: '1,581, missed 3.3 %' } },
  { name: 'AUC .85', kind: 'calibrated', shape: 0.4, reference: { steady: '1,580, missed 5 %', open: '1,950, missed 4 %' } },
  {
    name: 'overconfident',
    kind: 'overconfident',
    shape: 0.2,
    reference: { steady: '1,492, missed 3 %', open: '1,907, missed 3 %' },
  },
  { name: 'shuffled', kind: 'shuffled', shape: 0.2, reference: { steady: '2,302, missed 3 %', open: '2,996, missed 2 %' } },
]
const kinds: readonly Kind[] = ['calibrated', 'overconfident', 'underconfident', 'shuffled']
const betsOffered = ['steady', 'open'] as const

if (values.coverage) await coverage()
else {
  await answersNeeded()
  cost()
}

async function answersNeeded(): Promise<void> {
  const cells = cases.flatMap((each) => betsOffered.map((bets) => ({ ...each, bets })))
  const results = await repeated(
    cells.map(({ kind, shape, strategy, bets }) => ({ kind, shape, bets, seed, ...(strategy && { strategy }) })),
  )
  const isComparable = size === 20_000 && tolerance === 0.01
  const rows = cells.map(({ name, bets, reference }, j) => {
    const sorted = results[j]!.map(({ answers }) => answers).sort((a, b) => a - b)
    const reach = 0.98 * Math.sqrt(runs) // ranks of a 95 % interval for a median: n/2 ± 1.96 √n/2
    const [low, high] = [rank(sorted, (runs - reach) / 2), rank(sorted, (runs + reach) / 2 + 1)]
    return [
      name,
      bets,
      count(rank(sorted, runs / 2)),
      `${count(low)} – ${count(high)}`,
      count(rank(sorted, 0.9 * runs)),
      `${missesOf(results[j]!)} of ${runs}`,
      isComparable ? reference[bets] : 'none',
    ]
  })
  console.log(
    `${runs} made pools of ${count(size)} points, 5 % errors, the same in every row; answers until the interval is ±${percent(tolerance)}, level 95 %`,
  )
  console.log(
    drawTable({
      columns: [
        { title: 'predicted chances' },
        { title: 'bets' },
        { title: 'median', align: 'right' },
        { title: '95 % interval', align: 'right' },
        { title: '90th percentile', align: 'right' },
        { title: 'missed', align: 'right' },
        { title: 'reference', align: 'right' },
      ],
      rows,
    }),
  )
  console.log(
    'steady: the audit stops at the answer that reaches the tolerance; open: not told of it, looked at every 50 answers.',
  )
  console.log(
    'missed: left out the true error at any answer on the way. Looked at after rounds, which is the same: limits only tighten.',
  )
}

async function coverage(): Promise<void> {
  const results = await repeated(kinds.map((kind, j) => ({ kind, shape: 0.2, bets: 'steady', seed: seed + j * runs })))
  const row = (name: string, outcomes: readonly Outcome[]) => {
    const misses = missesOf(outcomes)
    const { low, high } = wilson(misses, outcomes.length)
    const median = rank(
      outcomes.map(({ answers }) => answers).sort((a, b) => a - b),
      outcomes.length / 2,
    )
    return [
      name,
      `${misses} of ${count(outcomes.length)}`,
      percent(misses / outcomes.length),
      `${percent(low)} – ${percent(high)}`,
      count(median),
    ]
  }
  console.log(
    `made pools of ${count(size)} points, 5 % errors, audited to ±${percent(tolerance)}; promised: at most 5 % missed, ever`,
  )
  console.log(
    drawTable({
      columns: [
        { title: 'predicted chances' },
        { title: 'missed', align: 'right' },
        { title: 'share', align: 'right' },
        { title: '95 % interval', align: 'right' },
        { title: 'median answers', align: 'right' },
      ],
      rows: [...kinds.map((kind, j) => row(kind, results[j]!)), row('all', results.flat())],
    }),
  )
  console.log('95 % interval: Wilson, for the share. No two audits have a pool in common.')
}

function cost(): void {
  const marks = [100, 1000, 3000]
  const rows = [0.01, 0.005].map((each) => [`±${percent(each)}`, ...costPerAnswer(each, marks).map((ms) => ms.toFixed(3))])
  console.log(
    `\nmilliseconds an answer costs the interval alone, by answers so far; ${cpus()[0]?.model}, node ${process.version}`,
  )
  console.log(drawTable({ columns: ['tolerance', ...marks.map(count)].map((title) => ({ title, align: 'right' })), rows }))
}

/** Every cell `runs` times, from its seed on. */
async function repeated(cells: readonly Omit<Run, 'size' | 'tolerance'>[]): Promise<Outcome[][]> {
  const all = cells.flatMap((cell) => Array.from({ length: runs }, (_, k) => ({ ...cell, size, tolerance, seed: cell.seed + k })))
  const bar = progressBar({ label: 'audits', total: all.length })
  try {
    const outcomes = await runAll(all, Number(values.threads), (done) => bar.update(done))
    return cells.map((_, j) => outcomes.slice(j * runs, (j + 1) * runs))
  } finally {
    bar.stop()
  }
}

function missesOf(outcomes: readonly Outcome[]): number {
  return outcomes.filter(({ isMissed }) => isMissed).length
}

/** The value of a rank, counted from 1 and rounded up, in sorted numbers. */
function rank(sorted: readonly number[], r: number): number {
  return sorted[Math.min(sorted.length, Math.max(1, Math.ceil(r))) - 1]!
}

/** Wilson's 95 % interval for a share. */
function wilson(hits: number, n: number): { low: number; high: number } {
  const z = 1.96
  const middle = (hits + z ** 2 / 2) / (n + z ** 2)
  const reach = (z / (n + z ** 2)) * Math.sqrt((hits * (n - hits)) / n + z ** 2 / 4)
  return { low: middle - reach, high: middle + reach }
}
