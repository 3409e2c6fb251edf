import { rect, ruleY, text } from '@observablehq/plot'
import type { Size } from '../size.ts'
import { accent, drawn, edge, faint, quiet } from './frame.ts'

const borders = ['¼', '½', '1', '2', '4']

/** How many answers count for so much, in steps of two. */
export function weights(counts: readonly number[], { width, height }: Size): SVGSVGElement {
  const foot = { frameAnchor: 'bottom', lineAnchor: 'top' } as const
  return drawn({
    width,
    height,
    marginLeft: 0,
    marginRight: 0,
    marginTop: 20,
    marginBottom: 38,
    x: { domain: [0, counts.length], axis: null },
    y: { domain: [0, Math.max(1, ...counts)], axis: null },
    marks: [
      rect(counts, {
        x1: (_, i) => i,
        x2: (_, i) => i + 1,
        y1: 0,
        y2: (n: number) => n,
        insetLeft: 2,
        insetRight: 2,
        r: 2,
        fill: accent,
      }),
      ruleY([0], { stroke: edge }),
      text(counts, { x: (_, i) => i + 0.5, y: (n: number) => n, text: String, dy: -5, lineAnchor: 'bottom', fill: quiet }),
      text(borders, { ...foot, x: (_, i) => i + 1, text: (border: string) => border, dy: 7, fill: quiet }),
      text(['counts for less'], { ...foot, frameAnchor: 'bottom-left', textAnchor: 'start', dy: 24, fill: faint }),
      text(['counts for more'], { ...foot, frameAnchor: 'bottom-right', textAnchor: 'end', dy: 24, fill: faint }),
    ],
  })
}
