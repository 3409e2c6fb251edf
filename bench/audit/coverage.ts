import { drawTable } from '../../src/cli/terminal/table.ts'
import { count, percent } from '../../src/text/wording.ts'
import { repeat, type Settings } from './parallel.ts'
import type { Kind } from './pools.ts'
import type { MeasuredMetric } from './questions.ts'
import type { Outcome } from './run.ts'
import { binomialTail, summaryOf, wilson } from './statistics.ts'

const kinds: readonly Kind[] = ['calibrated', 'overconfident', 'underconfident', 'shuffled']
const promised = 0.05
const absurd = 0.0001 // so rarely does a cell that keeps the promise look this bad

// A quarter is positive. Tolerances are such that audits go on well after their warm-up.
const pool = { shape: 0.5, rate: 0.25, threshold: 0.5 }
const tolerances: readonly [MeasuredMetric, number][] = [
  ['error', 0.03],
  ['precision', 0.06],
  ['recall', 0.06],
  ['f1', 0.06],
  ['difference', 0.02],
]

/** How often intervals are wrong, by metric and by kind of predicted chances. Returns whether they keep their promise everywhere. */
export async function coverageTable(settings: Settings): Promise<boolean> {
  const { runs, size, seed } = settings
  const cells = tolerances.flatMap(([metric, tolerance]) => kinds.map((kind) => ({ metric, tolerance, kind })))
  const results = await repeat(
    cells.map((cell, j) => ({ ...pool, ...cell, size, bets: 'single', seed: seed + j * runs })),
    settings,
  )
  const of = (wanted: (cell: (typeof cells)[number]) => boolean) => results.filter((_, j) => wanted(cells[j]!)).flat()
  const row = (name: string, isOwn: (metric: MeasuredMetric) => boolean) => {
    const own = of(({ metric }) => isOwn(metric))
    const byKind = kinds.map((kind) => share(of((cell) => cell.kind === kind && isOwn(cell.metric))))
    return [name, ...byKind, share(own), count(summaryOf(own.map(({ answers }) => answers)).median)]
  }
  console.log(
    `misses of ${runs} audits a cell, of made pools of ${count(size)} points; promised: at most ${percent(promised, 0)} missed, ever`,
  )
  console.log(
    drawTable({
      columns: ['metric', ...kinds, 'all', 'median answers'].map((title, j) => ({ title, align: j === 0 ? 'left' : 'right' })),
      rows: [
        ...tolerances.map(([metric, tolerance]) => row(`${metric} ±${percent(tolerance, 0)}`, (own) => own === metric)),
        row('all', () => true),
      ],
    }),
  )
  console.log('In brackets: 95 % interval for the share of misses (Wilson). No two audits have a pool in common.')

  const bad = cells.filter((_, j) => isAbsurd(results[j]!)).map(({ metric, kind }) => `${metric} ${kind}`)
  if (isAbsurd(results.flat())) bad.push('all together')
  const test = `binomial tail below ${absurd}`
  console.log(
    bad.length === 0 ? `Nothing contradicts the promise (${test}).` : `Contradicts the promise (${test}): ${bad.join(', ')}`,
  )
  return bad.length === 0
}

const missesOf = (outcomes: readonly Outcome[]) => outcomes.filter(({ isMissed }) => isMissed).length

function share(outcomes: readonly Outcome[]): string {
  const misses = missesOf(outcomes)
  const { low, high } = wilson(misses, outcomes.length)
  return `${misses} (${(100 * low).toFixed(1)} – ${percent(high)})`
}

function isAbsurd(outcomes: readonly Outcome[]): boolean {
  return binomialTail(missesOf(outcomes), outcomes.length, promised) < absurd
}
