import { dot, gridX, rect, ruleX, ruleY, text } from '@observablehq/plot'
import { type Unit, withDecimals } from '../../../text/limits.ts'
import { pageTexts } from '../../../text/shares.ts'
import { accent, bead, below, drawn, faint, ink, itself } from './frame.ts'
import { apart, type MeasuredInterval, narrow, pictureScale, type Size, tickText } from './scales.ts'

/** One interval, large: the band, its limits, and the best single estimate. */
export function intervalPicture(measured: MeasuredInterval & { readonly unit: Unit }, size: Size): SVGSVGElement {
  const { value, low, high, unit } = measured
  const scale = pictureScale(measured, size.width < narrow ? 4 : 6, unit)
  const side = 24
  const inner = size.width - 2 * side
  const said = pageTexts(measured, withDecimals(measured, unit))
  const at = (limit: number) => side + (inner * (limit - scale.low)) / (scale.high - scale.low)
  const named = [
    [low, said.low],
    [value, said.value],
    [high, said.high],
  ] as const
  const places = apart(
    named.map(([number]) => at(number)),
    54,
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
