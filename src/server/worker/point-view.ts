import type { Content as Fields } from '../../engines/engine.ts'
import { isImage } from '../../features/guess-role.ts'
import type { ColumnRole, Roles } from '../../features/roles.ts'
import type { ShownColumn } from '../../projects/predictions/predictions.ts'
import type { Content, View } from '../../protocol/points.ts'
import type { Table } from '../../sources/table.ts'

/** How the points of a pool are shown, and what it takes to make their contents. */
export interface PointDisplay {
  readonly view: View
  /** For a bitmap: its columns, cell by cell, and the value of full ink. */
  readonly cells: readonly string[]
  readonly full: number
  /** Columns that are never shown: they were left out by name. */
  readonly hidden: ReadonlySet<string>
}

export async function displayOf(
  { table, roles }: { readonly table: Pick<Table, 'batches'>; readonly roles: Roles },
  hidden: readonly string[] = [],
): Promise<PointDisplay> {
  const plain = { cells: [], full: 1, hidden: new Set(hidden) }
  const shown = roles.filter(({ isShown }) => isShown)
  const view = viewOf(shown.map(({ column }) => column))
  if (view.kind !== 'row') return { ...plain, view }
  const bitmap = shown.length === 0 ? await bitmapIn(table, roles) : undefined
  return bitmap ? { ...plain, ...bitmap } : { ...plain, view }
}

/** How columns that people see are shown: a picture, a text, or all by name. */
export function viewOf(shown: readonly ShownColumn[]): View {
  const picture = shown.find(({ examples = [] }) => isImage({ examples }))
  if (picture) return { kind: 'image', column: picture.name }
  const [only, ...others] = shown
  if (only?.kind !== 'text') return { kind: 'row' }
  if (others.length === 0) return { kind: 'text', column: only.name }
  return headed(shown) ?? { kind: 'row' }
}

const prose = 80 // characters from which on a text is read rather than looked at

/** One text to read, and one or two shorter ones above it, as a subject stands above a mail. */
function headed(shown: readonly ShownColumn[]): View | undefined {
  const lengthOf = ({ examples = [] }: ShownColumn) => Math.max(0, ...examples.map((text) => text.length))
  const long = shown.filter((column) => lengthOf(column) >= prose)
  const heads = shown.filter((column) => !long.includes(column))
  const isHeaded = long.length === 1 && heads.length <= 2 && shown.every(({ kind }) => kind === 'text')
  return isHeaded ? { kind: 'text', column: long[0]!.name, heads: heads.map(({ name }) => name) } : undefined
}

const rowsLookedAt = 5_000

/** Columns of numbers with one name and running numbers, as many as a square has cells, from 0 up to one common value. */
async function bitmapIn(
  table: Pick<Table, 'batches'>,
  roles: Roles,
): Promise<Pick<PointDisplay, 'view' | 'cells' | 'full'> | undefined> {
  const cells = runningColumns(roles)
  const width = Math.sqrt(cells.length)
  if (cells.length < 64 || !Number.isInteger(width)) return undefined
  let full = 0
  let least = 0
  for await (const { start, rows, columns } of table.batches(cells.map((name) => ({ name, as: 'number' as const })))) {
    for (const { values } of columns) {
      for (const value of values as Float32Array) {
        if (value > full) full = value
        if (!(value >= least)) least = -1 // below nothing, or missing
      }
    }
    if (least < 0) return undefined
    if (start + rows >= rowsLookedAt) break
  }
  return full > 0 ? { view: { kind: 'bitmap', width, height: width }, cells, full } : undefined
}

/** p00, p01 … or pixel1, pixel2 …: in the order of their numbers, and all there are of them. Empty if they do not run. */
function runningColumns(roles: Roles): string[] {
  const numbered = roles.filter(({ column }) => column.kind === 'number').flatMap(numberedName)
  const families = [...Map.groupBy(numbered, ({ prefix }) => prefix).values()].sort((a, b) => b.length - a.length)
  const cells = families[0]?.sort((a, b) => a.number - b.number) ?? []
  const isRunning = cells.every(({ number }, k) => number === cells[0]!.number + k)
  return isRunning ? cells.map(({ name }) => name) : []
}

function numberedName({ column: { name } }: ColumnRole) {
  const [, prefix, digits] = /^(\D*)(\d+)$/.exec(name) ?? []
  return digits === undefined ? [] : [{ name, prefix: prefix!, number: Number(digits) }]
}

export function contentOf({ id, fields }: Fields, { view, cells, full, hidden }: PointDisplay): Content {
  if (view.kind === 'bitmap') return { id, fields: [], cells: cells.map((name) => inkOf(fields[name], full)) }
  const listed = Object.entries(fields).filter(([name]) => !hidden.has(name))
  const image = view.kind === 'image' ? imageOf(id, fields[view.column]) : undefined
  return { id, fields: listed.map(([name, value]) => ({ name, value })), ...(image !== undefined && { image }) }
}

const inkOf = (text: string | undefined, full: number) =>
  Math.round(1e4 * Math.min(1, Math.max(0, Number(text ?? 0) / full))) / 1e4

/** Where the browser gets a picture: what is in the cell itself, or this server. Nothing is ever fetched from elsewhere. */
function imageOf(id: string, cell: string | undefined): string | undefined {
  const value = cell?.trim()
  if (!value || /^[a-z][a-z0-9+.-]*:\/\//i.test(value)) return undefined
  return value.startsWith('data:image/') ? value : `/api/v1/images/${encodeURIComponent(id)}`
}
