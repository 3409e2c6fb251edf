import { createReadStream } from 'node:fs'
import type { DuckDBConnection, DuckDBType } from '@duckdb/node-api'
import { requireInput } from '../core/errors.ts'
import { openDatabase } from './duckdb.ts'
import { openScratch } from './scratch.ts'
import { repeatedName, sqlName, sqlString } from './table-file.ts'

export const tableFormats = ['csv', 'jsonl', 'parquet'] as const
export type TableFormat = (typeof tableFormats)[number]

export interface WrittenColumn {
  readonly name: string
  /** A `time` is written as by ISO 8601, and typed where there are types. */
  readonly type: 'text' | 'whole' | 'number' | 'time'
}

/** The cells of a row in the order of the columns, `null` where there is nothing. */
export type WrittenRow = readonly (string | number | null)[]

const types = { text: 'VARCHAR', whole: 'INTEGER', number: 'DOUBLE', time: 'VARCHAR' } as const
const copyOptions = { csv: 'FORMAT csv', jsonl: 'FORMAT json', parquet: 'FORMAT parquet' } as const

const chunkRows = 2048 // what DuckDB takes at a time
const pieceRows = 100_000

/** What a spreadsheet would take for a formula, and a plain number is not. */
const isFormula = (text: string) => /^[=+\-@\t\r]/.test(text) && !/^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(text)

/** A cell that a spreadsheet shows and does not run: a formula stands behind an apostrophe. */
const guarded = (cell: string): string => (isFormula(cell) ? `'${cell}` : cell)

/**
 * Rows as the bytes of a file, written by DuckDB so that quoting is right and numbers read back as they were. CSV and JSONL come piece
 * by piece, however many rows there are; a Parquet file has its index at the end, so its rows are held until then. CSV is opened in
 * spreadsheets, and texts in it are not trusted: formulas are guarded, unless `isRaw`.
 */
export async function* tableBytes(
  given: readonly WrittenColumn[],
  format: TableFormat,
  rows: AsyncIterable<readonly WrittenRow[]> | Iterable<readonly WrittenRow[]>,
  { isRaw = false }: { readonly isRaw?: boolean | undefined } = {},
): AsyncGenerator<Uint8Array> {
  const isGuarded = format === 'csv' && !isRaw
  const columns = isGuarded ? given.map(({ name, type }) => ({ name: guarded(name), type })) : given
  const names = columns.map(({ name }) => name)
  const again = repeatedName(names, true)?.[1] // which would be one name in DuckDB
  requireInput(again === undefined, `columns: names must differ in more than case, got ${JSON.stringify(again)} twice`)
  const scratch = openScratch()
  const path = await scratch.name()
  const database = await openDatabase()
  const connection = await database.connect()
  try {
    let isFirst = true
    let held = 0
    await clearRows(connection, columns)
    for await (const batch of rows) {
      await appendRows(connection, columns, isGuarded ? batch.map(guardedRow) : batch)
      held += batch.length
      if (format === 'parquet' || held < pieceRows) continue
      yield* copyTo(path, connection, { columns, format, isFirst })
      await clearRows(connection, columns)
      isFirst = false
      held = 0
    }
    if (held > 0 || isFirst) yield* copyTo(path, connection, { columns, format, isFirst })
  } finally {
    database.release(connection)
    database.close()
    scratch.close()
  }
}

const guardedRow = (row: WrittenRow): WrittenRow => row.map((cell) => (typeof cell === 'string' ? guarded(cell) : cell))

async function clearRows(connection: DuckDBConnection, columns: readonly WrittenColumn[]): Promise<void> {
  const declared = columns.map(({ name, type }) => `${sqlName(name)} ${types[type]}`)
  await connection.run(`CREATE OR REPLACE TABLE written (${declared})`)
}

async function appendRows(
  connection: DuckDBConnection,
  columns: readonly WrittenColumn[],
  rows: readonly WrittenRow[],
): Promise<void> {
  const duckdb = await import('@duckdb/node-api')
  const appender = await connection.createAppender('written')
  for (let start = 0; start < rows.length; start += chunkRows) {
    const some = rows.slice(start, start + chunkRows)
    const chunk = duckdb.DuckDBDataChunk.create(columns.map(({ type }): DuckDBType => duckdb[types[type]]))
    chunk.setColumns(columns.map((_, j) => some.map((row) => row[j] ?? null)))
    appender.appendDataChunk(chunk)
  }
  appender.closeSync()
}

interface Copying {
  readonly columns: readonly WrittenColumn[]
  readonly format: TableFormat
  readonly isFirst: boolean
}

async function* copyTo(
  path: string,
  connection: DuckDBConnection,
  { columns, format, isFirst }: Copying,
): AsyncGenerator<Uint8Array> {
  const header = format === 'csv' ? `, HEADER ${isFirst}` : ''
  const isTyped = (type: WrittenColumn['type']) => type === 'time' && format === 'parquet'
  const cells = columns.map(({ name, type }) =>
    isTyped(type) ? `${sqlName(name)}::TIMESTAMPTZ AS ${sqlName(name)}` : sqlName(name),
  )
  await connection.run(`COPY (SELECT ${cells} FROM written) TO ${sqlString(path)} (${copyOptions[format]}${header})`)
  yield* createReadStream(path)
}
