import { escapeHtml } from '../text/html.ts'
import { ticksWithin } from '../text/ticks.ts'
import { count } from '../text/wording.ts'
import type { CurvePoint } from './summary.ts'

export interface CurveLine {
  readonly name: string
  readonly curve: readonly CurvePoint[]
  /** `lead` in the accent, `base` pale, `other` in ink; dashes and marks tell lines apart without colour. */
  readonly part: 'lead' | 'base' | 'other'
  readonly hasBand: boolean
  /** Which dash and which mark. */
  readonly style: number
}

const height = 300
const margin = { top: 12, bottom: 40, left: 48 }

/** Learning curves at the width of a page and at that of a telephone: a picture scaled down would have illegible letters. */
export function curvesPlot(lines: readonly CurveLine[], summary: string): string {
  const names = 30 + 6.4 * Math.max(...lines.map(({ name }) => name.length))
  return `<div class="wide">${curves(lines, summary, 720, names)}</div><div class="narrow">${curves(lines, summary, 342, names)}</div>`
}

function curves(lines: readonly CurveLine[], summary: string, width: number, right: number): string {
  const labels = lines[0]!.curve.map((point) => point.labels)
  const [from, to] = [labels[0]!, labels.at(-1)!]
  const yTicks = ratioTicks(lines)
  const [least, most] = [yTicks[0]!, yTicks.at(-1)!]
  const plot = width - margin.left - right
  const x = (value: number) => margin.left + (plot * (value - from)) / (to - from)
  const y = (share: number) =>
    margin.top + ((height - margin.top - margin.bottom) * Math.log(most / Math.max(share, least / 2))) / Math.log(most / least)
  const at = ({ labels: n }: CurvePoint, share: number) => `${x(n).toFixed(1)},${y(share).toFixed(1)}`
  const xTicks = ticksWithin(from, to, width > 500 ? 6 : 3)
  const foot = height - margin.bottom
  const clip = `clip${width}-${lines.map(({ style }) => style).join('-')}`
  const drawn = [...lines].reverse() // the first on top
  return `<svg viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escapeHtml(summary)}">
<clipPath id="${clip}"><rect x="${margin.left - 4}" y="${margin.top - 4}" width="${plot + 8}" height="${foot - margin.top + 8}"/></clipPath>
${yTicks.map((t) => `<line class="grid" x1="${margin.left}" x2="${margin.left + plot}" y1="${y(t)}" y2="${y(t)}"/><text x="${margin.left - 8}" y="${y(t) + 4}" text-anchor="end">${percentTick(t)}</text>`).join('')}
<line class="axis" x1="${margin.left}" x2="${margin.left + plot}" y1="${foot}" y2="${foot}"/>
${xTicks.map((t) => `<text x="${x(t).toFixed(1)}" y="${foot + 16}" text-anchor="middle">${count(t)}</text>`).join('')}
<text x="${margin.left + plot}" y="${foot + 34}" text-anchor="end">labels</text>
<g clip-path="url(#${clip})">
${drawn
  .filter(({ hasBand }) => hasBand)
  .map(({ curve, part }) => {
    const band = [...curve.map((p) => at(p, p.high)), ...curve.toReversed().map((p) => at(p, p.low))]
    return `<polygon class="band ${part}" points="${band.join(' ')}"/>`
  })
  .join('\n')}
${drawn
  .map(({ curve, part, style }) => {
    const line = `<polyline class="curve ${part}" ${dash(style)}points="${curve.map((p) => at(p, p.error)).join(' ')}"/>`
    return line + marksAlong(curve, style, part, (p) => [x(p.labels), y(p.error)], plot)
  })
  .join('\n')}
</g>
${endLabels(lines, y, { top: margin.top, foot })
  .map(
    ({ line: { name, part, style }, y: own }) =>
      `${mark(style, part, margin.left + plot + 12, own)}<text class="name ${part}" x="${margin.left + plot + 21}" y="${(own + 4).toFixed(1)}">${escapeHtml(name)}</text>`,
  )
  .join('\n')}
</svg>`
}

/** 1, 2 and 5 times powers of ten, from below the lowest error to above the highest: equal ratios, equal distances. */
function ratioTicks(lines: readonly CurveLine[]): number[] {
  const errors = lines.flatMap(({ curve }) => curve.map(({ error }) => error)).filter((error) => error > 0)
  const [low, high] = [Math.min(1, ...errors), Math.max(1e-3, ...errors)]
  const steps = [-4, -3, -2, -1].flatMap((power) => [1, 2, 5].map((factor) => factor * 10 ** power))
  const ticks = [...steps, 1]
  const first = ticks.findLastIndex((tick) => tick <= low)
  const last = ticks.findIndex((tick) => tick >= high)
  return ticks.slice(Math.max(0, first), Math.max(last, first + 1) + 1)
}

/** "5 %", "0.2 %": no more digits than the tick has. */
const percentTick = (tick: number) => `${Number((100 * tick).toPrecision(2))} %`

/** The names at the ends of their lines, moved apart where they would overlap. */
function endLabels(lines: readonly CurveLine[], y: (share: number) => number, { top, foot }: { top: number; foot: number }) {
  const gap = 15
  const labels = lines.map((line) => ({ line, y: Math.max(top, y(line.curve.at(-1)!.error)) })).sort((a, b) => a.y - b.y)
  for (let i = 1; i < labels.length; i++) labels[i]!.y = Math.max(labels[i]!.y, labels[i - 1]!.y + gap)
  let limit = foot + 4
  for (let i = labels.length - 1; i >= 0; i--, limit -= gap) labels[i]!.y = Math.min(labels[i]!.y, limit)
  return labels
}

const dashes = ['', '6 3', '2 3', '10 3 2 3', '4 2 1 2', '12 4']

const dash = (style: number) => {
  const pattern = dashes[style % dashes.length]!
  return pattern === '' ? '' : `stroke-dasharray="${pattern}" `
}

function marksAlong(
  curve: readonly CurvePoint[],
  style: number,
  part: CurveLine['part'],
  place: (point: CurvePoint) => [number, number],
  plot: number,
): string {
  const every = Math.max(1, Math.round((70 * curve.length) / plot))
  const offset = (style * 2) % every // so that marks of lines that run together stand side by side
  return curve
    .filter((_, i) => i % every === offset)
    .map((point) => mark(style, part, ...place(point)))
    .join('')
}

const shapes = [
  'M-4 0A4 4 0 1 1 4 0A4 4 0 1 1-4 0Z',
  'M-3.5-3.5H3.5V3.5H-3.5Z',
  'M0-4.5L4.3 3.2H-4.3Z',
  'M0-5L5 0L0 5L-5 0Z',
  'M0 4.5L4.3-3.2H-4.3Z',
  'M-4-1.3H-1.3V-4H1.3V-1.3H4V1.3H1.3V4H-1.3V1.3H-4Z',
]

/** Six shapes, filled; then the same, hollow. */
function mark(style: number, part: CurveLine['part'], x: number, y: number): string {
  const isHollow = Math.floor(style / shapes.length) % 2 === 1
  const shape = shapes[style % shapes.length]!
  return `<path class="mark ${part}${isHollow ? ' hollow' : ''}" transform="translate(${x.toFixed(1)} ${y.toFixed(1)})" d="${shape}"/>`
}

/** Two caps, a line and a dot on a scale of ratios, with a rule at 1. What is below the scale ends in an arrow. */
export function intervalPicture(low: number, value: number, high: number, [from, to]: readonly [number, number]): string {
  const width = 200
  const x = (ratio: number) =>
    (8 + ((width - 16) * Math.log(Math.min(to, Math.max(from, ratio)) / from)) / Math.log(to / from)).toFixed(1)
  const cap = (at: number) => (at < from ? '' : `<line x1="${x(at)}" x2="${x(at)}" y1="7" y2="17"/>`)
  const body =
    high < from
      ? '<path d="M14 7L8 12L14 17"/>'
      : `${cap(low)}${cap(high)}<line x1="${x(low)}" x2="${x(high)}" y1="12" y2="12"/><circle cx="${x(value)}" cy="12" r="3.5"/>`
  return `<svg class="interval" viewBox="0 0 ${width} 24" width="${width}" height="24" aria-hidden="true"><line class="one" x1="${x(1)}" x2="${x(1)}" y1="0" y2="24"/>${body}</svg>`
}
