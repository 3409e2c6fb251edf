import { stdout } from 'node:process'
import pc from 'picocolors'
import { visible } from '../../text/visible.ts'
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
  /** Cells there are. Default: those of the terminal, or as many as it takes. */
  readonly width?: number
}

/** Plain columns under a thin rule. No boxes: white space separates well enough. */
export function drawTable({ columns: named, rows, color = false, width = terminalWidth() }: TableDrawing): string {
  const columns = named.map(({ title, ...rest }) => ({ title: visible(title), ...rest }))
  const { bold, dim } = pc.createColors(color)
  const cells = rows.map((row) => columns.map((_, j) => visible((row[j] ?? '').replace(/\s+/g, ' '))))
  const wished = columns.map(({ title }, j) => Math.max(displayWidth(title), ...cells.map((row) => displayWidth(row[j]!))))
  const widths = narrowed(wished, width)
  const aligns = columns.map(
    ({ align }, j) => align ?? (cells.every((row) => /^([-+−]?\.?\d|$)/.test(row[j]!)) ? 'right' : 'left'),
  )
  const line = (texts: readonly string[]) => {
    const wrapped = texts.map((text, j) => wrappedText(text, widths[j]!))
    const height = Math.max(...wrapped.map(({ length }) => length))
    const lineAt = (k: number) => wrapped.map((lines, j) => pad(lines[k] ?? '', widths[j]!, aligns[j])).join('  ')
    return Array.from({ length: height }, (_, k) => lineAt(k).trimEnd()).join('\n')
  }

  const header = line(columns.map(({ title }) => title))
  const rule = widths.map((width) => '─'.repeat(width)).join('  ')
  return [bold(header), dim(rule), ...cells.map(line)].join('\n')
}

const terminalWidth = () => (stdout.isTTY ? stdout.columns : Number.POSITIVE_INFINITY)

const leastWidth = 7

/** The widest columns made narrower, until all of them fit or none can give any more. */
function narrowed(widths: readonly number[], room: number): number[] {
  const left = [...widths]
  const needed = () => left.reduce((sum, width) => sum + width + 2, -2)
  while (needed() > room && Math.max(...left) > leastWidth) left[left.indexOf(Math.max(...left))]!--
  return left
}

/** Lines of at most so many cells, broken between words; a longer word is left as it is. */
function wrappedText(text: string, width: number): string[] {
  if (displayWidth(text) <= width) return [text]
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const longer = `${lines.at(-1)} ${word}`
    if (lines.length > 0 && displayWidth(longer) <= width) lines[lines.length - 1] = longer
    else lines.push(word)
  }
  return lines
}
