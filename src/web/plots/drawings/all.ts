import { areaY, dot, gridX, line, rect, ruleX, ruleY, text } from '@observablehq/plot'
import type { Unit } from '../../../text/limits.ts'
import { pageTexts, percentage } from '../../../text/shares.ts'
import { count, rounded } from '../../../text/wording.ts'
import {
  accent,
  bead,
  below,
  dashed,
  dotted,
  drawn,
  drawnByAnswers,
  edge,
  faint,
  halo,
  ink,
  itself,
  quiet,
  whiskers,
} from './frame.ts'
import { funnel } from './funnel.ts'
import { roundIntervals } from './round-intervals.ts'
import {
  type Asked,
  apart,
  type FunnelStep,
  forecastScale,
  type MeasuredInterval,
  narrow,
  pictureScale,
  type Size,
  target,
  tickText,
} from './scales.ts'

/** The half of the plots that needs Observable Plot: loaded when the first of them is shown, never while labelling. */
export const drawings = { bars, forecast, funnel, intervalPicture, roundIntervals, weights }

const borders = ['¼', '½', '1', '2', '4']

/** How many answers count for so much, in steps of two. */
function weights(counts: readonly number[], size: Size): SVGSVGElement {
  const most = Math.max(1, ...counts)
  const side = { insetLeft: 2, insetRight: 2, r: 2, fill: accent }
  return drawn({ size, margins: [20, 0, 38, 0], x: [0, counts.length], y: [0, most] }, [
    rect(counts, { ...side, x1: (_, i) => i, x2: (_, i) => i + 1, y1: 0, y2: itself }),
    ruleY([0], { stroke: edge }),
    text(counts, { x: (_, i) => i + 0.5, y: itself, text: String, dy: -5, lineAnchor: 'bottom', fill: quiet }),
    text(borders, { ...below, x: (_, i) => i + 1, text: (border: string) => border, dy: 7, fill: quiet }),
    text(['counts for less'], { ...below, frameAnchor: 'bottom-left', textAnchor: 'start', dy: 24, fill: faint }),
    text(['counts for more'], { ...below, frameAnchor: 'bottom-right', textAnchor: 'end', dy: 24, fill: faint }),
  ])
}

/** One interval, large: the band, its limits, and the best single estimate. */
function intervalPicture(measured: MeasuredInterval & { readonly unit: Unit }, size: Size): SVGSVGElement {
  const { value, low, high, unit } = measured
  const scale = pictureScale(measured, size.width < narrow ? 4 : 6, unit)
  const side = 24
  const inner = size.width - 2 * side
  const said = pageTexts(measured, { unit })
  const at = (limit: number) => side + (inner * (limit - scale.low)) / (scale.high - scale.low)
  const named = [
    [low, said.low],
    [value, said.value],
    [high, said.high],
  ] as const
  const places = apart(
    named.map(([number]) => at(number)),
    54,
    [24, size.width - 24],
  )
  const band = { y1: 1, y2: 0, insetTop: 14, insetBottom: 14 } as const
  const line = { stroke: accent, strokeWidth: 2, strokeLinecap: 'round' } as const
  const above = { frameAnchor: 'top', lineAnchor: 'bottom', dy: -8, fontSize: 15, fontWeight: 600, fill: ink } as const
  return drawn({ size, margins: [28, side, 30, side], x: [scale.low, scale.high], y: [0, 1] }, [
    gridX(scale.ticks, { stroke: 'var(--line)', strokeOpacity: 1 }),
    text(scale.ticks, { ...below, x: itself, text: (tick: number) => tickText(scale, tick), dy: 8, fill: faint }),
    rect([measured], { x1: 'low', x2: 'high', ...band, fill: 'var(--band)', r: 2 }),
    ruleY([0.5], { x1: low, x2: high, ...line }),
    ruleX([low, high], { ...band, ...line }),
    dot([measured], { ...bead, x: 'value', y: 0.5, r: 8 }),
    named.map(([number, words], i) => text([number], { ...above, x: itself, dx: places[i]! - at(number), text: () => words })),
  ])
}

export interface Bar {
  readonly name: string
  readonly count: number
}

/** One bar a name, its number at its end. */
function bars(all: readonly Bar[], size: Size): SVGSVGElement {
  const longest = Math.max(...all.map(({ name }) => name.length))
  const left = Math.min(longest * 7.5 + 12, size.width * 0.4)
  const most = Math.max(1, ...all.map((bar) => bar.count))
  const middle = { y: (_: Bar, i: number) => i + 0.5, textAnchor: 'start' } as const
  return drawn({ size, margins: [0, 44, 0, left], x: [0, most], y: [all.length, 0] }, [
    rect(all, { x1: 0, x2: 'count', y1: (_, i) => i, y2: (_, i) => i + 1, insetTop: 4, insetBottom: 4, r: 2, fill: accent }),
    text(all, {
      ...middle,
      frameAnchor: 'left',
      dx: -left,
      text: 'name',
      lineWidth: left / 13,
      textOverflow: 'ellipsis',
      fill: ink,
      fontWeight: 600,
    }),
    text(all, { ...middle, x: 'count', dx: 6, text: (bar: Bar) => count(bar.count), fill: quiet }),
  ])
}

interface ForecastData {
  readonly asked: Asked
  /** The error the model itself expects. */
  readonly expected: number
  readonly curve: readonly Omit<FunnelStep, 'value'>[]
  /** About how many answers; missing where the goal looks out of reach. */
  readonly answers?: number | undefined
}

/** How the interval is expected to narrow: dotted, because nothing of it is measured. */
function forecast({ asked, expected, curve, answers }: ForecastData, size: Size): SVGSVGElement {
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
