import type { Comparison, Result } from '../../compare/summary.ts'
import { isBaseline } from '../../compare/verdict.ts'
import { percent, seconds } from '../../text/wording.ts'
import { drawChart } from '../terminal/chart.ts'
import { drawTable } from '../terminal/table.ts'

/** A comparison in one table, the baseline's factor being 1. */
export function comparisonTable({ results }: Comparison, { color }: { readonly color: boolean }): string {
  const isBinary = results.some(({ averagePrecision }) => averagePrecision !== null)
  const columns = [
    { title: 'strategy' },
    { title: 'factor', align: 'right' as const },
    { title: 'interval', align: 'right' as const },
    { title: 'error', align: 'right' as const },
    { title: 'log-loss', align: 'right' as const },
    ...(isBinary ? [{ title: 'AP', align: 'right' as const }] : []),
    { title: 'area', align: 'right' as const },
    { title: 'estimate', align: 'right' as const },
    { title: 'covered', align: 'right' as const },
    { title: 'a round', align: 'right' as const },
  ]
  return drawTable({ columns, rows: results.map((result) => rowOf(result, isBinary)), color })
}

function rowOf(result: Result, isBinary: boolean): string[] {
  const { strategy, factor, low, high, finalError, logLoss, averagePrecision, area, estimateRmse, coverage } = result
  return [
    strategy,
    factor.toFixed(2),
    isBaseline(result) ? '' : `${low.toFixed(2)}–${high.toFixed(2)}`,
    percent(finalError, 2),
    logLoss.toFixed(3),
    ...(isBinary ? [averagePrecision?.toFixed(3) ?? ''] : []),
    area.toFixed(2),
    estimateRmse?.toFixed(2) ?? 'none',
    coverage === null ? '' : percent(coverage, 0),
    seconds(result.secondsPerRound),
  ]
}

export function tableNotes({ budget, splits, results }: Comparison): string[] {
  const isBinary = results.some(({ averagePrecision }) => averagePrecision !== null)
  const hasNone = results.some(({ estimateRmse }) => estimateRmse === null)
  return [
    `factor: times fewer labels than uniform for its error at ${budget} labels; below 1 is slower. Means of ${splits} seeds; 95 % intervals.`,
    `error, log-loss${isBinary ? ', average precision (AP)' : ''}: on the test rows, at the end. area: under the curve of the error, uniform's being 1.`,
    "estimate: error of the rounds' unbiased estimates, uniform's being 1. covered: how many of their 95 % intervals held the truth.",
    ...(hasNone ? ['none: no unbiased estimate. Such a strategy does not draw at random.'] : []),
  ]
}

/** Learning curves: of the baseline and the five that do best. More would be a tangle, and one that learns nothing would flatten the rest. */
export function comparisonChart(
  { results }: Comparison,
  { color, width }: { readonly color: boolean; readonly width: number },
): string {
  const rivals = results.filter((result) => !isBaseline(result)).sort((a, b) => b.factor - a.factor)
  const near = rivals.filter(({ factor }) => factor >= 0.5).slice(0, 5)
  const left = rivals.slice(near.length).map(({ strategy }) => strategy)
  const series = [...near, ...results.filter(isBaseline)].map(({ strategy, curve }) => ({
    name: strategy,
    points: curve.map(({ labels, error }) => [labels, error] as const),
  }))
  const title = `Test error${left.length > 0 ? ` (slower, and not shown: ${left.join(', ')})` : ''}`
  return drawChart({ title, xLabel: 'labels', series, formatY: (y) => percent(y), width, color })
}
