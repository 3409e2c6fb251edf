import { dot, gridX, rect, ruleX, ruleY, text } from '@observablehq/plot'
import { apart } from '../apart.ts'
import { decimalsOf, share } from '../precision.ts'
import { narrow, type Size } from '../size.ts'
import { scaleOver, tickText } from '../ticks.ts'
import { accent, drawn, faint, ink } from './frame.ts'

export interface Measured {
  readonly value: number
  readonly low: number
  readonly high: number
}

/** One interval, large: the band, its limits, and the best single estimate. */
export function intervalPicture(measured: Measured, { width, height }: Size): SVGSVGElement {
  const { value, low, high } = measured
  const scale = pictureScale(measured, width < narrow ? 4 : 6)
  const side = 24
  const inner = width - 2 * side
  const decimals = decimalsOf(measured) ?? 1
  const at = (limit: number) => side + (inner * (limit - scale.low)) / (scale.high - scale.low)
  const named = [low, value, high]
  const places = apart(named.map(at), 54)
  const band = { y1: 1, y2: 0, insetTop: 14, insetBottom: 14 } as const
  const line = { stroke: accent, strokeWidth: 2, strokeLinecap: 'round' } as const
  return drawn({
    width,
    height,
    marginLeft: side,
    marginRight: side,
    marginTop: 28,
    marginBottom: 30,
    x: { domain: [scale.low, scale.high], axis: null },
    y: { domain: [0, 1], axis: null },
    marks: [
      gridX(scale.ticks, { stroke: 'var(--line)', strokeOpacity: 1 }),
      text(scale.ticks, {
        x: (tick: number) => tick,
        text: (tick: number) => tickText(scale, tick),
        frameAnchor: 'bottom',
        lineAnchor: 'top',
        dy: 8,
        fill: faint,
      }),
      rect([measured], { x1: 'low', x2: 'high', ...band, fill: 'var(--band)', r: 2 }),
      ruleY([0.5], { x1: low, x2: high, ...line }),
      ruleX([low, high], { ...band, ...line }),
      dot([measured], { x: 'value', y: 0.5, r: 8, fill: accent, stroke: 'var(--plot-back)', strokeWidth: 2 }),
      named.map((limit, i) =>
        text([limit], {
          x: (x: number) => x,
          dx: places[i]! - at(limit),
          frameAnchor: 'top',
          lineAnchor: 'bottom',
          dy: -8,
          text: () => share(limit, decimals),
          fontSize: 15,
          fontWeight: 600,
          fill: ink,
        }),
      ),
    ],
  })
}

/** From zero where that leaves the interval room enough; else around it. Shares end at 0 and 1, differences do not. */
function pictureScale({ low, high }: Measured, steps: number) {
  const width = Math.max(high - low, 1e-4)
  if (low >= 0 && low <= 4 * width) return scaleOver(0, Math.min(1, high + 1.2 * width), steps)
  const bottom = low - 1.2 * width
  return scaleOver(low >= 0 ? Math.max(0, bottom) : bottom, Math.min(1, high + 1.2 * width), steps)
}
