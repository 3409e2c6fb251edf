import { metricLabel, unitOf } from '../../metrics/metric-labels.ts'
import { intervalTexts } from '../../text/limits.ts'
import { percent, rounded, sentence } from '../../text/wording.ts'
import { drawChart } from '../terminal/chart.ts'
import { chartWidth, wantsColor } from '../terminal/screen.ts'
import type { ToldQuestion } from './questions.ts'

/** Where a question stood after so many answers. */
export interface IntervalThen extends Pick<ToldQuestion, 'question' | 'value' | 'low' | 'high'> {
  readonly answered: number
}

/** A picture of the interval closing in; nothing where there is no number to draw. The first answers leave everything open, and would hide the end. */
export function intervalChart(course: readonly IntervalThen[]): string | undefined {
  const all = course.flatMap(({ answered, value, low, high }) =>
    value === null || low === null || high === null ? [] : [{ answered, value, low, high }],
  )
  const [last, question] = [all.at(-1), course[0]?.question]
  if (!last || !question) return undefined
  const isKnown = last.high === last.low
  const shown = all.filter((then) => isKnown || then.high - then.low <= 8 * (last.high - last.low))
  const ends = intervalTexts(last, { unit: unitOf(question) }) // limits rounded outward, as they are said
  const series = (['high', 'value', 'low'] as const).map((name) => ({
    name: { high: 'upper limit', value: 'estimate', low: 'lower limit' }[name],
    points: shown.map((then): [number, number] => [then.answered, then[name]]),
    mark: { high: '▼', value: '●', low: '▲' }[name],
    end: ends[name],
  }))
  const { stdout } = process
  return drawChart({
    title: sentence(metricLabel(question)),
    xLabel: 'answers',
    series,
    formatY: unitOf(question) === 'number' ? (y) => rounded(y) : (y) => percent(y),
    width: chartWidth(stdout),
    color: wantsColor(stdout),
  })
}
