import type { TestedRound } from '../../projects/run-loop.ts'
import { betweenText } from '../../text/limits.ts'
import { isTooEarly } from '../../text/now.ts'
import { percent } from '../../text/wording.ts'
import type { ChartDrawing } from '../terminal/chart.ts'
import { liveLines } from '../terminal/live-lines.ts'
import { barLine } from '../terminal/progress.ts'
import { chartWidth } from '../terminal/width.ts'
import { percentChart } from './percent-chart.ts'

/** Lines around the plot, with the bar; and of a plot that is worth its place. */
const around = 10
const leastHeight = 5

/** What is at the bottom of a terminal while a run goes on: the picture so far, where there is room for it, and a bar. */
export function liveRun(strategy: string, total: number, stream: NodeJS.WriteStream = process.stderr) {
  const lines = liveLines(stream)
  const began = Date.now()
  const width = chartWidth(stream) - 1 // the last column is left free
  const height = Math.min(16, (stream.rows ?? 24) - around)
  return {
    /** `step`: what is being done, if it takes long. */
    show(rounds: readonly TestedRound[], step?: string) {
      if (stream.isTTY !== true) return
      const last = rounds.at(-1)
      const chart = height < leastHeight ? '' : runChart(strategy, rounds, { width, height, until: total }, stream)
      const note = step ?? (last && chart === '' ? barSays(last) : '') // a chart says it in its legend
      const elapsed = (Date.now() - began) / 1000
      const bar = barLine({ label: 'labels', done: last?.labels ?? 0, total, elapsed, note, width })
      lines.show([...(chart === '' ? [] : ['', ...chart.split('\n'), '']), bar])
    },
    clear: () => lines.clear(),
  }
}

/** What is worth knowing while one waits. */
function barSays({ test, now }: Pick<TestedRound, 'test' | 'now'>): string {
  if (test) return `test error ${percent(test.error)}`
  return now && !isTooEarly(now) ? `surely ${betweenText(now)} wrong` : ''
}

/** The error of the model of the moment with its band, as soon as there is a guarantee; and that on the test rows. */
export function runChart(
  strategy: string,
  rounds: readonly TestedRound[],
  size: Pick<ChartDrawing, 'width' | 'height' | 'until'> = {},
  stream?: NodeJS.WriteStream,
): string {
  const looks = rounds.flatMap(({ labels, now }) => (now ? [{ labels, ...now }] : []))
  const sure = looks.filter((now) => !isTooEarly(now))
  const last = sure.at(-1)
  const band = last && {
    name: `surely ${betweenText(last)}`,
    points: sure.map(({ labels, low, high }) => [labels, low, high] as const),
  }
  const own = { name: 'error now', points: looks.map(({ labels, value }) => [labels, value] as const), ...(band && { band }) }
  const tested = rounds.flatMap(({ labels, test }) => (test ? [[labels, test.error] as const] : []))
  const series = [own, { name: 'test error', points: tested }].filter(({ points }) => points.length > 1) // one point is no curve
  return series.length === 0
    ? ''
    : percentChart({ title: `Error of the model of the moment, ${strategy}`, xLabel: 'labels', series, ...size }, stream)
}
