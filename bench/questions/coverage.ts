import { drawTable } from '../../src/cli/terminal/table.ts'
import { count } from '../../src/text/wording.ts'
import { type CoverageOutcome, type CoverageRun, plans, questionNames } from './coverage-run.ts'
import { poolNames } from './hard-pools.ts'
import { binomialTail } from './statistics.ts'
import { inThreads } from './threads.ts'

const promised = 0.05
const absurd = 1e-4 // so rarely does any cell look this bad if all of them keep the promise

const cells = poolNames.flatMap((_, pool) => plans.map((plan) => ({ pool, plan })))

/** Of the audits of each pool and plan, the first are the same, however many there are to be. */
const seedOf = (cell: number, run: number, runs: number) => cell * Math.max(500, runs) + run

/** How often intervals of ten questions on one record leave out the truth at any time, by pool and plan: of so many audits each. */
export async function coverage(runs: number): Promise<string> {
  const tasks = cells.flatMap((cell, j) =>
    Array.from({ length: runs }, (_, k): { name: string; argument: CoverageRun } => ({
      name: 'coverage',
      argument: { ...cell, seed: seedOf(j, k, runs) },
    })),
  )
  return coverageTable(await inThreads<CoverageRun, CoverageOutcome>(tasks, 'audits'))
}

/** Outcomes: cell by cell, as many of each. */
function coverageTable(outcomes: readonly CoverageOutcome[]): string {
  const runs = outcomes.length / cells.length
  const byCell = cells.map((cell, j) => ({ ...cell, ...summaryOf(outcomes.slice(j * runs, (j + 1) * runs)) }))

  const rows = poolNames.map((name, pool) => {
    const own = byCell.filter((cell) => cell.pool === pool)
    const most = questionNames.map((_, q) => largest(own.map(({ misses, defined }) => misses[q]! / defined[q]!)))
    return [name, ...most.map(shareText), ...own.map(({ answers }) => count(Math.round(answers)))]
  })
  const columns = [
    { title: 'pool' },
    ...questionNames.map((title) => ({ title, align: 'right' as const })),
    ...plans.map((plan) => ({ title: `answers, ${plan}`, align: 'right' as const })),
  ]
  const faults = byCell.flatMap(({ faults }) => faults)
  return [
    `Missed at any time, per cent, the largest of the plans ${plans.join(', ')}; ${count(runs)} audits a pool and plan`,
    drawTable({ columns, rows }),
    `${count(outcomes.length)} audits. ${verdictOn(byCell)}`,
    faults.length === 0
      ? 'No limits crossed, no value lay outside them, and whatever was known was the truth.'
      : `Faults, whatever was drawn: ${count(faults.length)}, the first: ${faults[0]}`,
  ].join('\n')
}

interface Cell {
  readonly pool: number
  readonly plan: string
  /** By question: audits that missed, and those in which it was defined. */
  readonly misses: readonly number[]
  readonly defined: readonly number[]
}

function summaryOf(outcomes: readonly CoverageOutcome[]) {
  const total = (read: (outcome: CoverageOutcome, q: number) => boolean | undefined) =>
    questionNames.map((_, q) => outcomes.filter((outcome) => read(outcome, q)).length)
  return {
    misses: total(({ missed }, q) => missed[q]),
    defined: total(({ isDefined }, q) => isDefined[q]),
    faults: outcomes.flatMap(({ faults }) => faults),
    answers: outcomes.reduce((sum, { answers }) => sum + answers, 0) / outcomes.length,
  }
}

const largest = (shares: readonly number[]) =>
  shares.reduce((most, share) => (Number.isNaN(share) ? most : Math.max(most, share)), -1)

const shareText = (share: number) => (share < 0 ? 'undefined' : (100 * share).toFixed(1))

/** The largest cell, and those above the promise by more than chance allows over all cells. */
function verdictOn(cells: readonly Cell[]): string {
  const all = cells.flatMap(({ pool, plan, misses, defined }) =>
    questionNames.flatMap((name, q) =>
      defined[q]! > 0 ? [{ name: `${name}, pool ${pool}, ${plan}`, misses: misses[q]!, runs: defined[q]! }] : [],
    ),
  )
  const worst = all.reduce((a, b) => (b.misses / b.runs > a.misses / a.runs ? b : a))
  const mean = all.reduce((sum, { misses, runs }) => sum + misses / runs, 0) / all.length
  const bad = all.filter(({ misses, runs }) => binomialTail(misses, runs, promised) < absurd / all.length)
  return [
    `Largest of ${all.length} cells: ${worst.misses} of ${worst.runs} (${worst.name}); mean ${(100 * mean).toFixed(1)} %.`,
    bad.length === 0
      ? `Nothing is above ${100 * promised} % beyond chance (binomial tail, ${absurd} over all cells).`
      : `Above ${100 * promised} % beyond chance (binomial tail, ${absurd} over all cells): ${bad.map((cell) => `${cell.name}: ${cell.misses} of ${cell.runs}`).join('; ')}.`,
  ].join(' ')
}
