import { dot, gridY, type Markish, type PlotOptions, plot, ruleX, ruleY, text } from '@observablehq/plot'
import { type Scale, tickText } from '../ticks.ts'

/** Draws without the style sheet that Plot puts inside: the page's policy forbids it, and plots.css says the same. */
export function drawn(options: PlotOptions): SVGSVGElement {
  const svg = plot({ className: 'plot', ...options, figure: false }) as SVGSVGElement
  svg.querySelector('style')?.remove()
  svg.setAttribute('aria-hidden', 'true') // the box around it carries the sentence
  return svg
}

export const ink = 'var(--ink)'
export const quiet = 'var(--ink-2)'
export const faint = 'var(--ink-3)'
export const accent = 'var(--accent)'
export const edge = 'var(--edge)'
const back = 'var(--plot-back)'

/** For words that cross marks. */
export const halo = { stroke: back, strokeWidth: 4, strokeLinejoin: 'round' } as const

/** Lines across, numbers at the left, and the axis at zero. */
export function shareAxis(scale: Scale): Markish[] {
  const { ticks, low, high } = scale
  return [
    gridY(ticks, { stroke: 'var(--line)', strokeOpacity: 1 }),
    ruleY([low <= 0 && high >= 0 ? 0 : low], { stroke: edge }),
    text(ticks, {
      y: (tick: number) => tick,
      text: (tick: number) => tickText(scale, tick),
      frameAnchor: 'left',
      textAnchor: 'end',
      dx: -8,
      fill: faint,
    }),
  ]
}

export interface Whisker {
  readonly x: number
  readonly value?: number
  readonly low: number | null
  readonly high: number | null
}

/** Two caps, a line and a dot: the mark of this house. */
export function whiskers(all: readonly Whisker[], colour = accent): Markish[] {
  const bounded = all.filter(({ low, high }) => low !== null && high !== null)
  const line = { stroke: colour, strokeWidth: 2, strokeLinecap: 'round' } as const
  const caps = bounded.flatMap(({ x, low, high }) => [
    { x, y: low },
    { x, y: high },
  ])
  return [
    ruleX(bounded, { x: 'x', y1: 'low', y2: 'high', ...line }),
    dot(caps, { x: 'x', y: 'y', symbol: cap, r: 5, ...line }),
    dot(
      all.filter(({ value }) => value !== undefined),
      { x: 'x', y: 'value', r: 6, fill: colour, stroke: back, strokeWidth: 2 },
    ),
  ]
}

const cap = {
  draw(context: { moveTo(x: number, y: number): void; lineTo(x: number, y: number): void }, area: number) {
    const half = Math.sqrt(area / Math.PI)
    context.moveTo(-half, 0)
    context.lineTo(half, 0)
  },
}
