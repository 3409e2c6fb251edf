import { rect, text } from '@observablehq/plot'
import { count } from '../../../text/wording.ts'
import { accent, drawn, ink, quiet } from './frame.ts'
import type { Size } from './scales.ts'

export interface Bar {
  readonly name: string
  readonly count: number
}

/** One bar a name, its number at its end. */
export function bars(all: readonly Bar[], size: Size): SVGSVGElement {
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
