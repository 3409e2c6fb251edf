import pc from 'picocolors'
import { displayWidth, pad } from './width.ts'

export interface TableHead {
  readonly title: string
  /** Without it: right if every cell begins with a digit or a sign, left otherwise. */
  readonly align?: 'left' | 'right'
}

export interface TableDrawing {
  readonly columns: readonly TableHead[]
  readonly rows: readonly (readonly string[])[]
  readonly color?: boolean
}

/** Plain columns under a thin rule. No boxes: white space separates well enough. */
export function drawTable({ columns, rows, color = false }: TableDrawing): string {
  const { bold, dim } = pc.createColors(color)
  const cells = rows.map((row) => columns.map((_, j) => (row[j] ?? '').replace(/\s+/g, ' ')))
  const widths = columns.map(({ title }, j) => Math.max(displayWidth(title), ...cells.map((row) => displayWidth(row[j]!))))
  const aligns = columns.map(
    ({ align }, j) => align ?? (cells.every((row) => /^([-+−]?\.?\d|$)/.test(row[j]!)) ? 'right' : 'left'),
  )
  const line = (texts: readonly string[]) =>
    texts
      .map((text, j) => pad(text, widths[j]!, aligns[j]))
      .join('  ')
      .trimEnd()

  const header = line(columns.map(({ title }) => title))
  const rule = widths.map((width) => '─'.repeat(width)).join('  ')
  return [bold(header), dim(rule), ...cells.map(line)].join('\n')
}
