import { areaY, dot, line, type Markish, ruleY, text } from '@observablehq/plot'
import type { Unit } from '../../../text/limits.ts'
import { pageTexts, percentage, plusMinus } from '../../../text/shares.ts'
import { accent, bead, dashed, dotted, drawnByAnswers, halo, ink, itself, whiskers } from './frame.ts'
import { type Asked, type FunnelStep, funnelScale, type Scale, type Size, target } from './scales.ts'

export interface FunnelData {
  readonly steps: readonly FunnelStep[]
  readonly asked: Asked
  /** About how many more answers. */
  readonly more?: number | undefined
  readonly unit: Unit
}

/** One model, one interval that narrows: a band in steps, and the way that is left. */
export function funnel({ steps, asked, more, unit }: FunnelData, size: Size): SVGSVGElement {
  const newest = steps.at(-1)!
  const scale = funnelScale(newest, asked, 4, unit)
  const end = horizonOf(newest.answers, more)
  const isNear = asked.tolerance !== undefined && more !== undefined && more < 0.2 * end
  const band = { x: 'answers', curve: 'step-after', clip: 'frame' } as const
  const hair = { ...band, stroke: accent, strokeWidth: 1.25 } as const
  return drawnByAnswers({ size, right: [52, 30], end, scale }, [
    areaY(steps, { ...band, y1: 'low', y2: 'high', fill: 'var(--band)' }),
    line(steps, { ...hair, y: 'high' }),
    line(steps, { ...hair, y: 'low' }),
    line(steps, { x: 'answers', y: 'value', clip: 'frame', stroke: accent, strokeWidth: 2, strokeLinejoin: 'round' }),
    wish(asked, newest, more, unit),
    dot([newest], { ...bead, x: 'answers', y: 'value' }),
    limits(newest, scale, isNear),
  ])
}

/** As far as the forecast, but never so far that what is measured shrinks to a sliver. */
function horizonOf(answers: number, more = 0): number {
  return Math.min(answers + more, Math.max(100, 3 * answers))
}

/** What was asked for: a whisker at the end of the forecast, or a line to stay below. */
function wish({ tolerance, below }: Asked, newest: FunnelStep, more: number | undefined, unit: Unit): Markish[] {
  const words = { lineAnchor: 'bottom', fill: ink, ...halo } as const
  if (below !== undefined) {
    const end = { frameAnchor: 'right', textAnchor: 'end', dy: -5 } as const
    return [
      ruleY([below], dashed),
      text([below], { ...words, ...end, y: itself, text: () => `below ${percentage(below)} asked` }),
    ]
  }
  if (tolerance === undefined || !more) return []
  const x = newest.answers + more
  const isNear = x <= horizonOf(newest.answers, more)
  const { low, high } = target(newest, tolerance, unit)
  const way = (from: number, to: number) => [
    { x: newest.answers, y: from },
    { x, y: to },
  ]
  return [
    line(way(newest.high, high), { ...dotted, x: 'x', y: 'y', clip: 'frame' }),
    line(way(newest.low, low), { ...dotted, x: 'x', y: 'y', clip: 'frame' }),
    whiskers(isNear ? [{ x, low, high }] : [], ink),
    text(isNear ? [x] : [], { ...words, x: itself, y: high, dy: -8, text: () => `${plusMinus(tolerance, unit)} asked` }),
  ]
}

/** The numbers at the end of the band, or before it where the goal is near; the lower limit only where it keeps clear of the dot and of the axis. */
function limits(newest: FunnelStep, { low: bottom, high: top, unit }: Scale, isNear: boolean): Markish[] {
  const { low, high, value } = newest
  const isClear = Math.min(value - low, low - bottom) > 0.08 * (top - bottom)
  const end = { x: 'answers', fill: ink, ...halo } as const
  const said = pageTexts(newest, { unit })
  const bare = (limit: string) => limit.replace('\u00a0%', '')
  const anchor = isNear ? 'end' : 'middle'
  return [
    text(high <= top ? [newest] : [], {
      ...end,
      y: 'high',
      text: () => bare(said.high),
      dy: -8,
      lineAnchor: 'bottom',
      textAnchor: anchor,
    }),
    text(isClear ? [newest] : [], { ...end, y: 'low', text: () => bare(said.low), dy: 8, lineAnchor: 'top' }),
    text([newest], {
      ...end,
      y: 'value',
      text: () => said.value,
      ...(isNear ? { dx: -12, dy: -10, textAnchor: 'end' } : { dx: 12, textAnchor: 'start' }),
      fontWeight: 600,
    }),
  ]
}
