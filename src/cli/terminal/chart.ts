import pc from 'picocolors'
import { requireInput } from '../../core/errors.ts'
import { ticksAround, ticksWithin } from '../../text/ticks.ts'
import { visible } from '../../text/visible.ts'
import { rounded } from '../../text/wording.ts'
import { brailleCanvas, type Canvas } from './braille.ts'
import { clipText, displayWidth, pad } from './width.ts'

export interface Series {
  readonly name: string
  /** Joined from left to right, whatever their order here. */
  readonly points: readonly (readonly [x: number, y: number])[]
  /** One character. Default: ● ○ ◆ ◇ ▲ △, one after the other. */
  readonly mark?: string
  /** What the legend says of where it ends. Default: its last value. */
  readonly end?: string
  /** A shaded area behind everything, with what the legend says of it. */
  readonly band?: Band
}

interface Band {
  readonly name: string
  readonly points: readonly (readonly [x: number, low: number, high: number])[]
}

export interface ChartDrawing {
  readonly title: string
  readonly xLabel: string
  readonly series: readonly Series[]
  /** Columns of the whole drawing, at least 30; never exceeded. Default 80. */
  readonly width?: number
  /** Lines of the plot, less what lets the ticks fall evenly. Default 16. */
  readonly height?: number
  /** How far the x axis goes at least, where more points are to come. */
  readonly until?: number
  /** For the ticks and the last values in the legend. Decimals that all ticks have for nothing are left off: 10.0 % is 10 %. */
  readonly formatY?: (y: number) => string
  readonly color?: boolean
}

const marks = ['●', '○', '◆', '◇', '▲', '△']

/** Curves in a terminal. Every series has a mark of its own, so that they read without colour; where two meet, the first is on top. */
export function drawChart(drawing: ChartDrawing): string {
  const { title, xLabel, width = 80, color = false } = drawing
  const { bold, dim } = pc.createColors(color)
  const series = prepare(drawing)
  const layout = layOut(drawing, series)
  const canvas = paint(series, layout)

  const lines = layout.labels.map((label, row) => {
    const axis = `${pad(label, layout.gutter - 2, 'right')} ${label === '' ? '│' : '┤'}`
    return `${dim(axis)}${cellsOf(canvas, row, layout.columns, inksFor(series, color))}`
  })
  const head = [bold(clipText(title, width)), ...legend(drawing, series), '']
  const foot = [...xAxis(drawing, layout), clipText(`${xLabel} →`, width).padStart(width)].map(dim)
  return [...head, ...lines, ...foot].map((line) => line.trimEnd()).join('\n')
}

type Prepared = Required<Omit<Series, 'band'>> & Pick<Series, 'band'>

/** Everything that is drawn, a band by both edges. */
const drawnPoints = (series: readonly Series[]) =>
  series.flatMap(({ points, band }): (readonly number[])[] => [...points, ...(band?.points ?? [])])

function prepare({ title, series, formatY = rounded }: ChartDrawing): Prepared[] {
  const points = drawnPoints(series)
  requireInput(points.length > 0, `chart "${title}": must have a point to draw, got none`)
  requireInput(points.flat().every(Number.isFinite), `chart "${title}": must have finite points, got ${points.find(isBroken)}`)
  return series
    .filter((one) => one.points.length > 0)
    .map(({ points, mark, end, ...one }, k) => {
      const ordered = points.toSorted(([a], [b]) => a - b)
      return {
        ...one,
        name: visible(one.name),
        mark: mark ?? marks[k % marks.length]!,
        points: ordered,
        end: end ?? formatY(ordered.at(-1)![1]),
      }
    })
}

const isBroken = (point: readonly number[]): boolean => !point.every(Number.isFinite)

interface ChartLayout {
  /** Columns left of the plot: tick labels, a space, the axis. */
  readonly gutter: number
  readonly columns: number
  /** One a line, empty where there is no tick. */
  readonly labels: readonly string[]
  /** Where a value lies in dots: two a column, four a line. */
  readonly dotX: (x: number) => number
  readonly dotY: (y: number) => number
  readonly xTicks: readonly number[]
}

function layOut({ width = 80, height = 16, until, formatY = rounded }: ChartDrawing, series: readonly Prepared[]): ChartLayout {
  const all = drawnPoints(series)
  const xs = all.map(([x]) => x!)
  const [left, right] = extent(until === undefined ? xs : [...xs, until])
  const [low, high] = extent(all.flatMap(([, ...ys]) => ys))

  const { ticks, texts } = yTicks(low, high, Math.max(1, Math.min(5, Math.floor(height / 3))), formatY)
  const [bottom, top] = [ticks[0]!, ticks.at(-1)!]
  const spacing = Math.max(1, Math.floor((height - 1) / (ticks.length - 1)))
  const lines = spacing * (ticks.length - 1) + 1
  const labels = Array.from({ length: lines }, (_, row) => (row % spacing === 0 ? texts.at(-1 - row / spacing)! : ''))

  const gutter = Math.max(...texts.map(displayWidth)) + 2
  const margin = Math.floor(displayWidth(rounded(right)) / 2) // so that the last label may stand under its tick
  const columns = Math.max(1, width - gutter - margin)
  return {
    gutter,
    columns,
    labels,
    dotX: (x) => Math.round(((x - left) / (right - left)) * (2 * columns - 1)),
    dotY: (y) => Math.floor(((top - y) / (top - bottom)) * 4 * (lines - 1) + 2), // a tick lies in the middle of its line
    xTicks: ticksWithin(left, right, Math.max(1, Math.floor(columns / 8))).filter(
      xs.every(Number.isInteger) ? Number.isInteger : Number.isFinite,
    ),
  }
}

/** As many ticks as can be told apart by their labels; over a wider range if the labels are too coarse for this one. */
function yTicks(low: number, high: number, most: number, format: (y: number) => string): { ticks: number[]; texts: string[] } {
  const fewer = Array.from({ length: most }, (_, k) => ({ wanted: most - k, margin: 0 }))
  const wider = Array.from({ length: 20 }, (_, k) => ({ wanted: 1, margin: 2 ** k * (high - low) }))
  for (const { wanted, margin } of [...fewer, ...wider]) {
    const ticks = ticksAround(low < 0 ? low - margin : Math.max(0, low - margin), high + margin, wanted)
    const texts = ticks.map((tick) => format(tick))
    if (new Set(texts).size === texts.length) return { ticks, texts: withoutIdleDecimals(texts) }
  }
  const ticks = ticksAround(low, high, 1)
  return { ticks, texts: ticks.map(() => '') }
}

function withoutIdleDecimals(texts: string[]): string[] {
  const decimals = /\.0+(?!\d)/
  return texts.every((text) => decimals.test(text)) ? texts.map((text) => text.replace(decimals, '')) : texts
}

/** The range of the values; a single value lies in the middle of its range. */
function extent(values: readonly number[]): [low: number, high: number] {
  const low = values.reduce((a, b) => Math.min(a, b))
  const high = values.reduce((a, b) => Math.max(a, b))
  if (low < high) return [low, high]
  return low === 0 ? [-1, 1] : [Math.min(0, 2 * low), Math.max(0, 2 * low)]
}

/** Bands behind everything, then the last series first, so that the first comes out on top. Marks keep a distance, or they would hide the line. */
function paint(series: readonly Prepared[], { columns, dotX, dotY }: ChartLayout): Canvas {
  const canvas = brailleCanvas(columns)
  for (const { band } of series) {
    const edges = (band?.points ?? []).map(([x, low, high]) => ({ x: dotX(x), top: dotY(high), bottom: dotY(low) }))
    for (const [i, edge] of edges.entries()) shade(canvas, edges[i - 1] ?? edge, edge, series.length)
  }
  for (const [k, { points, mark }] of [...series.entries()].reverse()) {
    const dots = points.map(([x, y]) => ({ x: dotX(x), y: dotY(y) }))
    for (const [i, dot] of dots.entries()) canvas.line(dots[i - 1] ?? dot, dot, k)
    let last = Number.NEGATIVE_INFINITY
    for (const [i, dot] of dots.entries()) {
      if (dot.x - last < 8 && i < dots.length - 1) continue
      canvas.mark(dot, mark, k)
      last = dot.x
    }
  }
  return canvas
}

interface Edge {
  readonly x: number
  readonly top: number
  readonly bottom: number
}

/** Every cell that an area between two edges touches. */
function shade(canvas: Canvas, from: Edge, to: Edge, owner: number): void {
  for (let x = from.x; x <= to.x; x++) {
    const share = to.x === from.x ? 1 : (x - from.x) / (to.x - from.x)
    const rowAt = (a: number, b: number) => Math.floor((a + share * (b - a)) / 4)
    const bottom = rowAt(from.bottom, to.bottom)
    for (let row = rowAt(from.top, to.top); row <= bottom; row++) canvas.mark({ x, y: 4 * row }, shadow, owner)
  }
}

const shadow = '░'

type Ink = (text: string) => string

/** One for each series, and one for what is shaded. */
function inksFor(series: readonly Prepared[], color: boolean): Ink[] {
  const { cyan, yellow, magenta, green, blue, red, dim } = pc.createColors(color)
  const inks = [cyan, yellow, magenta, green, blue, red]
  return [...series.map((_, k) => inks[k % inks.length]!), dim]
}

function cellsOf(canvas: Canvas, row: number, columns: number, inks: readonly Ink[]): string {
  const runs: { text: string; owner: number | undefined }[] = []
  for (let column = 0; column < columns; column++) {
    const { glyph, owner } = canvas.cell(row, column) ?? { glyph: ' ', owner: undefined }
    const run = runs.at(-1)
    if (run && run.owner === owner) run.text += glyph
    else runs.push({ text: glyph, owner })
  }
  return runs.map(({ text, owner }) => (owner === undefined ? text : inks[owner]!(text))).join('')
}

/** "● alis 3.1 %   ○ uniform 6.4 %", over as many lines as it takes. */
function legend({ width = 80, color = false }: ChartDrawing, series: readonly Prepared[]): string[] {
  const inks = inksFor(series, color)
  const entry = (ink: Ink, mark: string, text: string) => `${ink(mark)} ${clipText(text, width - 2)}`
  const entries = series.flatMap(({ name, mark, end, band }, k) => [
    entry(inks[k]!, mark, `${name} ${end}`),
    ...(band ? [entry(inks.at(-1)!, shadow, band.name)] : []),
  ])
  const lines = [entries[0]!]
  for (const next of entries.slice(1)) {
    const longer = `${lines.at(-1)}   ${next}`
    if (displayWidth(longer) <= width) lines[lines.length - 1] = longer
    else lines.push(next)
  }
  return lines
}

function xAxis({ width = 80 }: ChartDrawing, { gutter, columns, dotX, xTicks }: ChartLayout): string[] {
  const axis = Array.from({ length: columns }, () => '─')
  let labels = ''
  for (const tick of xTicks) {
    const column = dotX(tick) >> 1
    const label = rounded(tick)
    const start = Math.min(gutter + column - Math.floor(displayWidth(label) / 2), width - displayWidth(label))
    if (labels !== '' && start < displayWidth(labels) + 2) continue
    axis[column] = '┬'
    labels = pad(labels, start) + label
  }
  return [`${' '.repeat(gutter - 1)}└${axis.join('')}`, labels]
}
