import { rect, text } from '@observablehq/plot'
import { count } from '../../parts/numbers.ts'
import type { Size } from '../size.ts'
import { accent, drawn, ink, quiet } from './frame.ts'

export interface Bar {
  readonly name: string
  readonly count: number
}

/** One bar a name, its number at its end. */
export function bars(all: readonly Bar[], { width, height }: Size): SVGSVGElement {
  const longest = Math.max(...all.map(({ name }) => name.length))
  const left = Math.min(longest * 7.5 + 12, width * 0.4)
  return drawn({
    width,
    height,
    marginLeft: left,
    marginRight: 44,
    marginTop: 0,
    marginBottom: 0,
    x: { domain: [0, Math.max(1, ...all.map((bar) => bar.count))], axis: null },
    y: { domain: [0, all.length], reverse: true, axis: null },
    marks: [
      rect(all, {
        x1: 0,
        x2: 'count',
        y1: (_, i) => i,
        y2: (_, i) => i + 1,
        inset: 0,
        insetTop: 4,
        insetBottom: 4,
        r: 2,
        fill: accent,
      }),
      text(all, {
        frameAnchor: 'left',
        y: (_, i) => i + 0.5,
        dx: -left,
        textAnchor: 'start',
        text: 'name',
        lineWidth: left / 13,
        textOverflow: 'ellipsis',
        fill: ink,
        fontWeight: 600,
      }),
      text(all, {
        x: 'count',
        y: (_, i) => i + 0.5,
        dx: 6,
        textAnchor: 'start',
        text: (bar: Bar) => count(bar.count),
        fill: quiet,
      }),
    ],
  })
}
