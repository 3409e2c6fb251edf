import { rect, ruleY, text } from '@observablehq/plot'
import { accent, below, drawn, edge, faint, itself, quiet } from './frame.ts'
import type { Size } from './scales.ts'

const borders = ['¼', '½', '1', '2', '4']

/** How many answers count for so much, in steps of two. */
export function weights(counts: readonly number[], size: Size): SVGSVGElement {
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
