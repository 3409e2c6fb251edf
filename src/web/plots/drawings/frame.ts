import { dot, gridY, type Markish, plot, ruleX, ruleY, text } from '@observablehq/plot'
import { count } from '../../../text/wording.ts'
import { countTicks, narrow, type Scale, type Size, tickText } from './scales.ts'

export const ink = 'var(--ink)'
export const quiet = 'var(--ink-2)'
export const faint = 'var(--ink-3)'
export const accent = 'var(--accent)'
export const edge = 'var(--edge)'
const back = 'var(--plot-back)'

interface Frame {
  readonly size: Size
  readonly margins: readonly [top: number, right: number, bottom: number, left: number]
  /** What lies at the left and right ends, and at the lower and upper ones. */
  readonly x: readonly [number, number]
  readonly y: readonly [number, number]
}

/** Draws without the style sheet that Plot puts inside: the page's policy forbids it, and plots.css says the same. */
export function drawn({ size, margins, x, y }: Frame, marks: Markish[]): SVGSVGElement {
  const [marginTop, marginRight, marginBottom, marginLeft] = margins
  const svg = plot({
    className: 'plot',
    ...size,
    ...{ marginTop, marginRight, marginBottom, marginLeft },
    x: { domain: x, axis: null },
    y: { domain: y, axis: null },
    marks,
    figure: false,
  }) as SVGSVGElement
  svg.querySelector('style')?.remove()
  svg.setAttribute('aria-hidden', 'true') // the box around it carries the sentence
  return svg
}

interface AnswerFrame {
  readonly size: Size
  /** The margin at the right, where the place is wide and where it is narrow. */
  readonly right: readonly [wide: number, narrow: number]
  /** Answers at the last mark. */
  readonly end: number
  readonly scale: Scale
}

/** Shares by number of answers, with both axes. */
export function drawnByAnswers({ size, right, end, scale }: AnswerFrame, marks: Markish[]): SVGSVGElement {
  const isNarrow = size.width < narrow
  const last = Math.max(10, 1.06 * end)
  return drawn({ size, margins: [14, right[isNarrow ? 1 : 0], 32, 44], x: [0, last], y: [scale.low, scale.high] }, [
    shareAxis(scale),
    ...marks,
    answerAxis(last, isNarrow ? 3 : 5),
  ])
}

/** For words that cross marks. */
export const halo = { stroke: back, strokeWidth: 4, strokeLinejoin: 'round' } as const

/** A dot that keeps clear of what it lies on. */
export const bead = { r: 6, fill: accent, stroke: back, strokeWidth: 2 } as const

/** Where something was asked for, or is expected. */
export const dashed = { stroke: ink, strokeWidth: 1.25, strokeDasharray: '3 3' } as const
export const dotted = { stroke: edge, strokeWidth: 1.25, strokeDasharray: '2 4' } as const

/** A number as its own place on a scale. */
export const itself = (n: number) => n

/** Lines across, numbers at the left, and the axis at zero. */
export function shareAxis(scale: Scale): Markish[] {
  const { ticks, low, high } = scale
  return [
    gridY(ticks, { stroke: 'var(--line)', strokeOpacity: 1 }),
    ruleY([low <= 0 && high >= 0 ? 0 : low], { stroke: edge }),
    text(ticks, {
      y: itself,
      text: (tick: number) => tickText(scale, tick),
      frameAnchor: 'left',
      textAnchor: 'end',
      dx: -8,
      fill: faint,
    }),
  ]
}

/** For words below the frame. */
export const below = { frameAnchor: 'bottom', lineAnchor: 'top' } as const

/** Counts of answers below; the last says what they are. */
function answerAxis(last: number, steps: number): Markish {
  const ticks = countTicks(last, steps)
  const words = (tick: number) => count(tick) + (tick === ticks.at(-1) ? ' answers' : '')
  return text(ticks, { ...below, x: itself, dy: 10, text: words, fill: faint })
}

interface Whisker {
  readonly x: number
  readonly value?: number
  readonly low: number | null
  readonly high: number | null
}

/** Two caps, a line and a dot: an interval with its estimate. */
export function whiskers(all: readonly Whisker[], colour = accent): Markish[] {
  const bounded = all.filter(({ low, high }) => low !== null && high !== null)
  const measured = all.filter(({ value }) => value !== undefined)
  const line = { stroke: colour, strokeWidth: 2, strokeLinecap: 'round' } as const
  const caps = bounded.flatMap(({ x, low, high }) => [low, high].map((y) => ({ x, y })))
  return [
    ruleX(bounded, { x: 'x', y1: 'low', y2: 'high', ...line }),
    dot(caps, { x: 'x', y: 'y', symbol: cap, r: 5, ...line }),
    dot(measured, { ...bead, x: 'x', y: 'value', fill: colour }),
  ]
}

const cap = {
  draw(context: { moveTo(x: number, y: number): void; lineTo(x: number, y: number): void }, area: number) {
    const half = Math.sqrt(area / Math.PI)
    context.moveTo(-half, 0)
    context.lineTo(half, 0)
  },
}
