import { areaY, dot, line, type Markish, ruleY, text } from '@observablehq/plot'
import { type Asked, funnelScale, type Step, target } from '../funnel-scale.ts'
import { decimalsOf, share, valueText } from '../precision.ts'
import { narrow, type Size } from '../size.ts'
import { countTicks, type Scale } from '../ticks.ts'
import { accent, drawn, edge, faint, halo, ink, shareAxis, whiskers } from './frame.ts'

export interface FunnelData {
  readonly steps: readonly Step[]
  readonly asked: Asked
  /** About how many more answers. */
  readonly more?: number | undefined
}

/** One model, one interval that narrows: a band in steps, and the way that is left. */
export function funnel({ steps, asked, more }: FunnelData, { width, height }: Size): SVGSVGElement {
  const { tolerance } = asked
  const newest = steps.at(-1)!
  const isNarrow = width < narrow
  const scale = funnelScale(newest, asked, 4)
  const end = horizonOf(newest.answers, more)
  const band = { x: 'answers', curve: 'step-after', clip: 'frame' } as const
  const hair = { ...band, stroke: accent, strokeWidth: 1.25 } as const
  return drawn({
    width,
    height,
    marginLeft: 44,
    marginRight: isNarrow ? 30 : 52,
    marginTop: 14,
    marginBottom: 32,
    x: { domain: [0, Math.max(10, 1.06 * end)], axis: null },
    y: { domain: [scale.low, scale.high], axis: null },
    marks: [
      shareAxis(scale),
      areaY(steps, { ...band, y1: 'low', y2: 'high', fill: 'var(--band)' }),
      line(steps, { ...hair, y: 'high' }),
      line(steps, { ...hair, y: 'low' }),
      line(steps, { x: 'answers', y: 'value', clip: 'frame', stroke: accent, strokeWidth: 2, strokeLinejoin: 'round' }),
      wish(asked, newest, more),
      dot([newest], { x: 'answers', y: 'value', r: 6, fill: accent, stroke: 'var(--plot-back)', strokeWidth: 2 }),
      limits(newest, scale, tolerance !== undefined && more !== undefined && more < 0.2 * end),
      answerAxis(end, isNarrow ? 3 : 5),
    ],
  })
}

/** As far as the forecast, but never so far that what is measured shrinks to a sliver. */
function horizonOf(answers: number, more = 0): number {
  return Math.min(answers + more, Math.max(100, 3 * answers))
}

/** What was asked for: a whisker at the end of the forecast, or a line to stay below. */
function wish({ tolerance, below }: Asked, newest: Step, more: number | undefined): Markish[] {
  const dotted = { stroke: edge, strokeWidth: 1.25, strokeDasharray: '2 4' } as const
  if (below !== undefined)
    return [
      ruleY([below], { stroke: ink, strokeWidth: 1.25, strokeDasharray: '3 3' }),
      text([below], {
        y: (y: number) => y,
        frameAnchor: 'right',
        textAnchor: 'end',
        lineAnchor: 'bottom',
        dy: -5,
        text: () => `below ${share(below)} asked`,
        fill: ink,
        ...halo,
      }),
    ]
  if (tolerance === undefined || !more) return []
  const x = newest.answers + more
  const isNear = x <= horizonOf(newest.answers, more)
  const { low, high } = target(newest, tolerance)
  const way = (from: number, to: number) => [
    { x: newest.answers, y: from },
    { x, y: to },
  ]
  return [
    line(way(newest.high, high), { x: 'x', y: 'y', clip: 'frame', ...dotted }),
    line(way(newest.low, low), { x: 'x', y: 'y', clip: 'frame', ...dotted }),
    whiskers(isNear ? [{ x, low, high }] : [], ink),
    text(isNear ? [x] : [], {
      x: (d: number) => d,
      y: high,
      dy: -8,
      lineAnchor: 'bottom',
      text: () => `±${share(tolerance)} asked`,
      fill: ink,
      ...halo,
    }),
  ]
}

/** The numbers at the end of the band, or before it where the goal is near; the lower limit only where it keeps clear of the dot and of the axis. */
function limits(newest: Step, { low: bottom, high: top }: Scale, isNear: boolean): Markish[] {
  const { low, high, value } = newest
  const decimals = decimalsOf(newest)
  const isClear = Math.min(value - low, low - bottom) > 0.08 * (top - bottom)
  const end = { x: 'answers', fill: ink, ...halo } as const
  const short = (limit: number) => share(limit, decimals).slice(0, -2)
  return [
    text(high <= top ? [newest] : [], {
      ...end,
      y: 'high',
      text: () => short(high),
      dy: -8,
      lineAnchor: 'bottom',
      textAnchor: isNear ? 'end' : 'middle',
    }),
    text(isClear ? [newest] : [], { ...end, y: 'low', text: () => short(low), dy: 8, lineAnchor: 'top' }),
    text([newest], {
      ...end,
      y: 'value',
      text: () => valueText({ value, low, high }),
      ...(isNear ? { dx: -12, dy: -10, textAnchor: 'end' } : { dx: 12, textAnchor: 'start' }),
      fontWeight: 600,
    }),
  ]
}

/** Counts of answers below; the last says what they are. */
export function answerAxis(end: number, steps: number): Markish {
  const ticks = countTicks(Math.max(10, 1.06 * end), steps)
  return text(ticks, {
    x: (tick: number) => tick,
    frameAnchor: 'bottom',
    lineAnchor: 'top',
    dy: 10,
    text: (tick: number) => tick.toLocaleString('en') + (tick === ticks.at(-1) ? ' answers' : ''),
    fill: faint,
  })
}
