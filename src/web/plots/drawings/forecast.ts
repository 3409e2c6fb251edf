import { areaY, line, ruleX, ruleY, text } from '@observablehq/plot'
import { type Asked, forecastScale, target } from '../funnel-scale.ts'
import { roughly, share } from '../precision.ts'
import { narrow, type Size } from '../size.ts'
import { accent, drawn, edge, halo, ink, shareAxis, whiskers } from './frame.ts'
import { answerAxis } from './funnel.ts'

export interface ForecastData {
  readonly asked: Asked
  /** The error the model itself expects. */
  readonly expected: number
  readonly curve: readonly { readonly answers: number; readonly low: number; readonly high: number }[]
  /** About how many answers; missing where the goal looks out of reach. */
  readonly answers?: number | undefined
}

/** How the interval is expected to narrow: dotted, because nothing of it is measured. */
export function forecast({ asked, expected, curve, answers }: ForecastData, { width, height }: Size): SVGSVGElement {
  const isNarrow = width < narrow
  const end = Math.max(answers ?? 0, curve.at(-1)?.answers ?? 0)
  const { tolerance, below } = asked
  const wished = tolerance === undefined ? undefined : target({ value: expected, low: expected, high: expected }, tolerance)
  const scale = forecastScale(curve, [expected, ...(wished ? [wished.low, wished.high] : [below ?? expected])], 4)
  const dotted = { x: 'answers', clip: 'frame', stroke: accent, strokeWidth: 1.25, strokeDasharray: '2 4' } as const
  const said = answers === undefined ? [] : [answers]
  return drawn({
    width,
    height,
    marginLeft: 44,
    marginRight: isNarrow ? 56 : 74,
    marginTop: 14,
    marginBottom: 32,
    x: { domain: [0, Math.max(10, 1.06 * end)], axis: null },
    y: { domain: [scale.low, scale.high], axis: null },
    marks: [
      shareAxis(scale),
      areaY(curve, { x: 'answers', y1: 'low', y2: 'high', clip: 'frame', fill: 'var(--tint)' }),
      line(curve, { ...dotted, y: 'high' }),
      line(curve, { ...dotted, y: 'low' }),
      below === undefined ? [] : ruleY([below], { stroke: ink, strokeWidth: 1.25, strokeDasharray: '3 3' }),
      below === undefined ? [] : ruleX(said, { y1: 0, y2: below, stroke: edge, strokeDasharray: '2 4' }),
      wished ? whiskers(said.map((x) => ({ x, value: expected, ...wished }))) : [],
      text(said, {
        x: (x: number) => x,
        y: wished?.high ?? below ?? expected,
        dy: -8,
        lineAnchor: 'bottom',
        text: () => (tolerance === undefined ? `below ${share(below!)}` : `±${share(tolerance)}`),
        fill: ink,
        fontWeight: 600,
        ...halo,
      }),
      text(said, {
        x: (x: number) => x,
        y: expected,
        dx: 12,
        textAnchor: 'start',
        text: (n: number) => `about ${roughly(n)}`,
        fill: ink,
        fontWeight: 600,
        ...halo,
      }),
      answerAxis(end, isNarrow ? 3 : 5),
    ],
  })
}
