import { percent } from '../../text/wording.ts'
import { type ChartDrawing, drawChart } from '../terminal/chart.ts'
import { chartWidth, wantsColor } from '../terminal/width.ts'

/** Curves of shares, as wide and as colourful as stdout has them. */
export function percentChart(drawing: Pick<ChartDrawing, 'title' | 'xLabel' | 'series'>): string {
  const { stdout } = process
  return drawChart({ ...drawing, formatY: (y) => percent(y), width: chartWidth(stdout), color: wantsColor(stdout) })
}
