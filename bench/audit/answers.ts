import { drawTable } from '../../src/cli/terminal/table.ts'
import { count, percent } from '../../src/text/wording.ts'
import { learned } from './digits.ts'
import { repeat, type Settings } from './parallel.ts'
import type { Kind } from './pools.ts'
import type { Run } from './run.ts'
import { summaryOf } from './statistics.ts'

// References: a prototype in numpy, written before this library, with 10 to 60 runs for a median and 100 to 400 for misses. Its bets
// were steady or open. Its ratios come from a design that did not adapt, and how well its chances told points apart there is not on
// record: Beta(0.2, ·) gives about its width for uniform draws.

/** A row: what it is called, column by column, what is run, and what the prototype found for it. */
interface Row {
  readonly names: readonly string[]
  readonly run: Run
  readonly reference?: string | false | undefined
}

/** Runs all rows and prints them under a title, with the true value in the first column of figures. */
async function answersTable(title: string, columns: readonly string[], rows: readonly Row[], settings: Settings): Promise<void> {
  const results = await repeat(
    rows.map(({ run }) => run),
    settings,
  )
  const figures = ['truth', 'median', '95 % interval', '90th percentile', 'missed', 'reference']
  const cells = rows.map(({ names, reference }, j) => {
    const { median, low, high, ninetieth } = summaryOf(results[j]!.map(({ answers }) => answers))
    const truth = percent(summaryOf(results[j]!.map(({ value }) => value)).median)
    const misses = results[j]!.filter(({ isMissed }) => isMissed).length
    const interval = `${count(low)} – ${count(high)}`
    return [...names, truth, count(median), interval, count(ninetieth), `${misses} of ${settings.runs}`, reference || '']
  })
  const heads = [
    ...columns.map((name) => ({ title: name })),
    ...figures.map((name) => ({ title: name, align: 'right' as const })),
  ]
  console.log(`\n${title}`)
  console.log(drawTable({ columns: heads, rows: cells }))
}

interface ErrorCase {
  readonly name: string
  readonly kind: Kind
  readonly shape: number
  readonly strategy?: 'uniform'
  readonly references?: { readonly single?: string; readonly steady: string; readonly open: string }
}

// Uniform draws come twice: they too profit from predictions, which stand in for what is not drawn; shuffled ones are no use to anybody.
const errorCases: readonly ErrorCase[] = [
  {
    name: 'uniform draws, shuffled',
    kind: 'shuffled',
    shape: 0.2,
    strategy: 'uniform',
    references: { steady: '2,278', open: 'about 3,000' },
  },
  { name: 'uniform draws, AUC .91', kind: 'calibrated', shape: 0.2, strategy: 'uniform' },
  { name: 'AUC .91', kind: 'calibrated', shape: 0.2, references: { steady: '1,250, missed 3.5 %', open: '1,581, missed 3.3 %' } },
  { name: 'AUC .85', kind: 'calibrated', shape: 0.4, references: { steady: '1,580, missed 5 %', open: '1,950, missed 4 %' } },
  {
    name: 'overconfident',
    kind: 'overconfident',
    shape: 0.2,
    references: { steady: '1,492, missed 3 %', open: '1,907, missed 3 %' },
  },
  { name: 'shuffled', kind: 'shuffled', shape: 0.2, references: { steady: '2,302, missed 3 %', open: '2,996, missed 2 %' } },
]

const oneLooks = [
  { name: 'one look, fixed-size test set', strategy: 'uniform', shape: 0.2, reference: '1,672' },
  { name: 'one look, oracle design, AUC .91', strategy: 'alis-audit', shape: 0.2, reference: 'about 730' },
  { name: 'one look, oracle design, AUC .85', strategy: 'alis-audit', shape: 0.4, reference: '' },
] as const

export async function errorTable(settings: Settings, tolerance: number): Promise<void> {
  const { size, seed, runs } = settings
  const common = { size, seed, tolerance }
  const isComparable = size === 20_000 && tolerance === 0.01
  const audits = errorCases.flatMap(({ name, references, ...own }) =>
    (['single', 'steady', 'open'] as const).map(
      (bets): Row => ({ names: [name, bets], run: { ...common, ...own, bets }, reference: isComparable && references?.[bets] }),
    ),
  )
  const yardsticks = oneLooks.map(
    ({ name, reference, ...own }): Row => ({
      names: [name, 'none'],
      run: { ...common, ...own, kind: 'calibrated', bets: 'none' },
      reference: isComparable && reference,
    }),
  )
  await answersTable(
    `Error: answers until the interval is ±${percent(tolerance)} at 95 %, in ${runs} made pools of ${count(size)} points, the same in every row`,
    ['predicted chances', 'bets'],
    [...audits, ...yardsticks],
    settings,
  )
  console.log(`single: what audits do; steady: two deadlines on the same draws; both stop at the answer that reaches the tolerance.
open: not told of the tolerance, looked at every 50 answers.
one look: a textbook (Wald) interval with the finite pool taken into account, right at one moment, which must be fixed beforehand
from the true error (test set) or from the true chances, none below 0.1 % (oracle design: mass √(p(1 − p))).
missed: left out the truth at any answer on the way; looked at after rounds, which is the same: limits only tighten.`)
}

const ratios = [
  { metric: 'precision', tolerance: 0.04, reference: '550, missed 5 %' },
  { metric: 'recall', tolerance: 0.06, reference: '975, missed 3 %' },
  { metric: 'f1', tolerance: 0.06, reference: '1,075, missed 4.5 %' },
] as const

export async function ratioTable(settings: Settings): Promise<void> {
  const { size, seed, runs } = settings
  const rows = ratios.flatMap(({ metric, tolerance, reference }) =>
    (['alis-audit', 'uniform'] as const).map((strategy): Row => {
      const pool = { seed, size, kind: 'calibrated', shape: 0.2, rate: 0.08, threshold: 0.5 } as const
      return {
        names: [metric, `±${percent(tolerance)}`, strategy],
        run: { ...pool, metric, tolerance, strategy, bets: 'single' },
        reference: size === 20_000 && strategy === 'alis-audit' && reference,
      }
    }),
  )
  await answersTable(
    `Ratios: answers needed in ${runs} made pools of ${count(size)} points, 8 % positive, calibrated chances, predicted positive above a half`,
    ['metric', 'tolerance', 'draws'],
    rows,
    settings,
  )
  console.log('uniform: among the points that matter, for precision those predicted positive.')
}

const digitClassifiers = [
  { classifier: 'logistic', strategy: 'alis-audit', reference: '359, missed 4 %' },
  { classifier: 'logistic', strategy: 'uniform', reference: '537' },
  { classifier: 'naive Bayes', strategy: 'alis-audit', reference: '736, missed 5 %' },
  { classifier: 'naive Bayes', strategy: 'uniform', reference: '760' },
] as const

export async function digitsTable(settings: Settings): Promise<void> {
  const { seed, runs } = settings
  await answersTable(
    `Digits: answers until the error of a real classifier is known to ±2.0 %; ${learned} digits to learn from, ${count(1797 - learned)} to audit, ${runs} splits`,
    ['classifier', 'draws'],
    digitClassifiers.map(({ classifier, strategy, reference }) => ({
      names: [classifier, strategy],
      run: { seed, classifier, strategy, bets: 'single', tolerance: 0.02 },
      reference,
    })),
    settings,
  )
}
