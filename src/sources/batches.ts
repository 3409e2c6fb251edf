import type { DuckDBDataChunk } from '@duckdb/node-api'
import { AlisError, requireInput } from '../core/errors.ts'
import { didYouMean } from '../core/nearest-name.ts'
import type { Cells, RowBatch, TableColumn } from '../core/rows.ts'
import type { TableProfile } from './column-profile.ts'
import { type Database, streamChunks } from './duckdb.ts'
import { fileError } from './duckdb-errors.ts'
import { requireUnchanged } from './files.ts'
import type { Scratch } from './scratch.ts'
import type { ColumnRequest } from './table.ts'
import { soundLength, type TableFile } from './table-file.ts'
import { itemsOf, listsOf } from './vector-items.ts'

/** An open table: its files in SQL, and what is known of its columns. */
export interface Source extends TableProfile {
  readonly name: string
  readonly database: Database
  readonly scratch: Scratch
}

interface Reading {
  readonly position: number
  readonly column: TableColumn
  readonly as: ColumnRequest['as']
  /** How many of its cells were not a number so far. */
  missing: number
}

export async function* readBatches(
  source: Source,
  requests: readonly ColumnRequest[],
  progress?: (rows: number) => void,
): AsyncGenerator<RowBatch> {
  requireInput(requests.length > 0, `${source.name}: one column or more must be asked for, got none`)
  const readings = requests.map(({ name, as }): Reading => {
    const position = positionOf(source, name)
    return { position, column: source.columns[position]!, as, missing: 0 }
  })
  for (const reading of readings) if (mustCheck(source, reading)) await refuseCell(source, reading)

  for await (const { chunk, start } of chunksOf(source, (file) => readings.map((reading) => select(file, reading)))) {
    const columns = readings.map((reading, j) => cellsOf(chunk, j, reading))
    const unsound = readings.find(({ missing, column }) => missing > column.missing)
    if (unsound) await refuseCell(source, unsound)
    yield { start, rows: chunk.rowCount, columns }
    progress?.(start + chunk.rowCount)
  }
  await requireUnchanged(source.files)
}

/** Whether a column is requested as something it was not counted as. A column with nothing in it may pass for numbers. */
const mustCheck = ({ rows }: Source, { as, column: { kind, missing } }: Reading): boolean =>
  as !== 'text' && as !== kind && !(as === 'number' && missing === rows)

function select({ columns }: TableFile, { position, as, column }: Reading): string {
  const { text, number, vector } = columns[position]!
  if (as === 'text') return text
  if (as === 'number') return `coalesce(${number}, 'nan'::FLOAT)`
  return `coalesce(${vector}, list_resize([]::FLOAT[], ${column.width}, 'nan'::FLOAT))`
}

function cellsOf(chunk: DuckDBDataChunk, j: number, reading: Reading): Cells {
  const vector = chunk.getColumnVector(j)
  if (reading.as === 'text') return { kind: 'text', values: vector.toArray() as (string | null)[] }
  if (reading.as === 'vector') {
    const width = reading.column.width!
    return { kind: 'vector', values: listsOf(vector, width), width }
  }
  const values = new Float32Array(itemsOf(vector))
  for (const value of values) if (!Number.isFinite(value)) reading.missing += Number.isNaN(value) ? 1 : Number.POSITIVE_INFINITY
  return { kind: 'number', values }
}

/** Expressions of all rows of a table, file by file. Rows are counted from 0, in the table and in their file. */
export async function* chunksOf(
  { database, files }: Source,
  expressions: (file: TableFile) => readonly string[],
): AsyncGenerator<{ chunk: DuckDBDataChunk; start: number; file: TableFile; startInFile: number }> {
  let start = 0
  for (const file of files) {
    const fileStart = start
    try {
      for await (const chunk of streamChunks(database, `SELECT ${expressions(file)} FROM ${file.from}`)) {
        yield { chunk, start, file, startInFile: start - fileStart }
        start += chunk.rowCount
      }
    } catch (error) {
      throw fileError(file.path, error)
    }
  }
}

/** Finds the first cell that is not what a column is requested as, and names it. Rows are counted from 1 below the header. */
async function refuseCell(source: Source, { position, as, column }: Reading): Promise<void> {
  let width = column.width
  const cells = ({ columns }: TableFile) => {
    const { text, number, underscore = 'false', vector } = columns[position]!
    const isSound =
      as === 'vector' ? soundLength(vector) : `(NOT (${underscore}) AND coalesce(isfinite(${number}), false))::INTEGER`
    return [text, `coalesce(${isSound}, 0)`]
  }
  for await (const { chunk, file, startInFile } of chunksOf(source, cells)) {
    const [texts, sound] = [chunk.getColumnVector(0), chunk.getColumnVector(1)]
    for (let i = 0; i < chunk.rowCount; i++) {
      const cell = texts.getItem(i) as string | null
      if (cell === null) continue
      const length = Number(sound.getItem(i))
      width ??= as === 'number' ? 1 : length
      if (length === 0 || length !== width)
        throw unfit(`${file.path}: column "${column.name}"`, as, width, cell, startInFile + i + 1)
    }
  }
  if (as === 'vector') {
    throw new AlisError('bad-input', `${source.name}: column "${column.name}" must hold lists of numbers, got only empty cells`)
  }
}

function unfit(where: string, as: ColumnRequest['as'], width: number, cell: string, row: number): AlisError {
  const wanted = as === 'number' ? 'finite 32-bit numbers' : `lists of ${width > 0 ? `${width} ` : ''}finite numbers`
  const got = cell.length > 60 ? `${cell.slice(0, 60)}…` : cell
  const message = `${where} must hold ${wanted}, got "${got}" in row ${row}`
  return new AlisError('bad-input', message, 'Leave a cell empty if its value is missing.')
}

export function positionOf({ name: path, columns }: Source, name: string): number {
  const position = columns.findIndex((column) => column.name === name)
  if (position >= 0) return position
  const names = columns.map((column) => column.name)
  const hint = didYouMean(name, names) ?? `The columns are ${names.join(', ')}.`
  throw new AlisError('bad-input', `${path}: must have the column that is asked for, got "${name}"`, hint)
}
