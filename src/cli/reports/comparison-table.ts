import { type Comparison, isBinary, type Result } from '../../compare/summary.ts'
import { factorRange, isBaseline } from '../../compare/verdict.ts'
import { percent, seconds } from '../../text/wording.ts'
import { drawTable } from '../terminal/table.ts'
import { wantsColor } from '../terminal/width.ts'
import { percentChart } from './percent-chart.ts'

/** A comparison in one table, the baseline's factor being 1, with what its columns mean. */
export function comparisonTable(comparison: Comparison): string {
  const { results } = comparison
  const numbers = [
    'factor',
    'interval',
    'error',
    'log-loss',
    ...(isBinary(results) ? ['AP'] : []),
    'area',
    'estimate',
    'covered',
    'a round',
  ]
  const table = drawTable({
    columns: [{ title: 'strategy' }, ...numbers.map((title) => ({ title, align: 'right' as const }))],
    rows: results.map((result) => rowOf(result, isBinary(results))),
    color: wantsColor(process.stdout),
  })
  return [table, ...notesOn(comparison)].join('\n')
}

function rowOf(result: Result, hasPrecision: boolean): string[] {
  const { strategy, factor, finalError, logLoss, averagePrecision, area, estimateRmse, coverage } = result
  return [
    strategy,
    factor.toFixed(2),
    isBaseline(result) ? '' : factorRange(result),
    percent(finalError, 2),
    logLoss.toFixed(3),
    ...(hasPrecision ? [averagePrecision?.toFixed(3) ?? ''] : []),
    area.toFixed(2),
    estimateRmse?.toFixed(2) ?? 'none',
    coverage === null ? '' : percent(coverage, 0),
    seconds(result.secondsPerRound),
  ]
}

function notesOn({ budget, splits, results }: Comparison): string[] {
  const hasNone = results.some(({ estimateRmse }) => estimateRmse === null)
  return [
    `factor: times fewer labels than uniform for its error at ${budget} labels; below 1 is slower. Means of ${splits} seeds; 95 % intervals.`,
    `error, log-loss${isBinary(results) ? ', average precision (AP)' : ''}: on the test rows, at the end. area: under the curve of the error, uniform's being 1.`,
    "estimate: error of the rounds' unbiased estimates, uniform's being 1. covered: how many of their 95 % intervals held the truth.",
    ...(hasNone ? ['none: no unbiased estimate. Such a strategy does not draw at random.'] : []),
  ]
}

/** Learning curves: of the baseline and the five that do best. More would be a tangle, and one that learns nothing would flatten the rest. */
export function comparisonChart({ results }: Comparison): string {
  const rivals = results.filter((result) => !isBaseline(result)).sort((a, b) => b.factor - a.factor)
  const near = rivals.filter(({ factor }) => factor >= 0.5).slice(0, 5)
  const left = rivals.slice(near.length).map(({ strategy }) => strategy)
  const series = [...near, ...results.filter(isBaseline)].map(({ strategy, curve }) => ({
    name: strategy,
    points: curve.map(({ labels, error }) => [labels, error] as const),
  }))
  const title = `Test error${left.length > 0 ? ` (slower, and not shown: ${left.join(', ')})` : ''}`
  return percentChart({ title, xLabel: 'labels', series })
}
