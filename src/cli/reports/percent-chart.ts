import { percent } from '../../text/wording.ts'
import { type ChartDrawing, drawChart } from '../terminal/chart.ts'
import { chartWidth, wantsColor } from '../terminal/width.ts'

/** Curves of shares, as wide and as colourful as a stream has them. */
export function percentChart(
  drawing: Omit<ChartDrawing, 'formatY' | 'color'>,
  stream: NodeJS.WriteStream = process.stdout,
): string {
  return drawChart({ width: chartWidth(stream), ...drawing, formatY: (y) => percent(y), color: wantsColor(stream) })
}
