import { areaY, line, ruleX, ruleY, text } from '@observablehq/plot'
import { percentage } from '../../../text/shares.ts'
import { rounded } from '../../../text/wording.ts'
import { accent, dashed, dotted, drawnByAnswers, edge, halo, ink, itself, whiskers } from './frame.ts'
import { type Asked, type FunnelStep, forecastScale, type Size, target } from './scales.ts'

export interface ForecastData {
  readonly asked: Asked
  /** The error the model itself expects. */
  readonly expected: number
  readonly curve: readonly Omit<FunnelStep, 'value'>[]
  /** About how many answers; missing where the goal looks out of reach. */
  readonly answers?: number | undefined
}

/** How the interval is expected to narrow: dotted, because nothing of it is measured. */
export function forecast({ asked, expected, curve, answers }: ForecastData, size: Size): SVGSVGElement {
  const end = Math.max(answers ?? 0, curve.at(-1)?.answers ?? 0)
  const { tolerance, below } = asked
  const wished = tolerance === undefined ? undefined : target({ value: expected, low: expected, high: expected }, tolerance)
  const scale = forecastScale(curve, [expected, ...(wished ? [wished.low, wished.high] : [below ?? expected])], 4)
  const limit = { ...dotted, x: 'answers', clip: 'frame', stroke: accent } as const
  const said = answers === undefined ? [] : [answers]
  const words = { x: itself, fill: ink, fontWeight: 600, ...halo } as const
  return drawnByAnswers({ size, right: [74, 56], end, scale }, [
    areaY(curve, { x: 'answers', y1: 'low', y2: 'high', clip: 'frame', fill: 'var(--tint)' }),
    line(curve, { ...limit, y: 'high' }),
    line(curve, { ...limit, y: 'low' }),
    below === undefined ? [] : ruleY([below], dashed),
    below === undefined ? [] : ruleX(said, { y1: 0, y2: below, stroke: edge, strokeDasharray: '2 4' }),
    wished ? whiskers(said.map((x) => ({ x, value: expected, ...wished }))) : [],
    text(said, {
      ...words,
      y: wished?.high ?? below ?? expected,
      dy: -8,
      lineAnchor: 'bottom',
      text: () => (tolerance === undefined ? `below ${percentage(below!)}` : `±${percentage(tolerance)}`),
    }),
    text(said, { ...words, y: expected, dx: 12, textAnchor: 'start', text: (n: number) => `about ${rounded(n, 2)}` }),
  ])
}
