import { stat } from 'node:fs/promises'
import { type DuckDBConnection, type DuckDBDataChunk, DuckDBInstance } from '@duckdb/node-api'
import { AlisError, requireInput } from '../core/errors.ts'
import { csvRecords } from './csv-file.ts'
import { fileError } from './duckdb-errors.ts'
import { nearestName } from './nearest-name.ts'
import type { Column, Table } from './table.ts'

/**
 * A CSV or TSV file with a header, read by DuckDB. Nothing is imported: opening reads the file once, to count rows and to tell
 * numbers from text, and every call streams it once more, so memory holds the answer and little else.
 */
export async function openTable(path: string): Promise<Table> {
  const records = await csvRecords(path)
  const database = await DuckDBInstance.create(':memory:', {
    autoinstall_known_extensions: 'false', // reading a file must not reach for the network
    preserve_insertion_order: 'true', // row i of every answer is row i of the file
  })
  try {
    const source = { path, database, records, stamp: await stampOf(path) }
    return tableOf({ ...source, ...(await readColumns(source)) })
  } catch (error) {
    database.closeSync()
    throw fileError(path, error)
  }
}

interface Source {
  readonly path: string
  readonly database: DuckDBInstance
  /** SQL for the records of the file as text columns c0, c1, …  Record 0 is the header. Names from the file never enter SQL. */
  readonly records: string
  /** Changes when the file does. */
  readonly stamp: string
}

type OpenSource = Source & Pick<Table, 'columns' | 'rows'>

function tableOf(source: OpenSource): Table {
  const { path, database, columns, rows } = source
  return {
    columns,
    rows,
    async strings(name) {
      const values: (string | null)[] = []
      for await (const { chunk, start, count } of stream(source, `c${positionOf(source, name)}`)) {
        const texts = chunk.getColumnVector(0)
        for (let i = start < 0 ? 1 : 0; i < count; i++) values.push(texts.getItem(i) as string | null)
      }
      return values
    },
    async numbers(names, progress) {
      requireInput(names.length > 0, `${path}: numbers must be asked of one column or more, got none`)
      const positions = names.map((name) => positionOf(source, name))
      const text = positions.find((c) => columns[c]!.kind === 'text' && columns[c]!.missing < rows)
      if (text !== undefined) await refuseCell(source, text)

      const values = new Float32Array(rows * names.length)
      const tallies = names.map(() => ({ missing: 0, infinite: 0 }))
      const select = positions.map((c) => `coalesce(${numberIn(`c${c}`)}, 'nan'::FLOAT)`).join()
      for await (const batch of stream(source, select)) {
        for (const [j, tally] of tallies.entries()) copyColumn(batch, j, values, tally)
        progress?.(batch.start + batch.count)
      }
      // Infinite: "inf", or too large for 32 bits. More NaN than empty cells: "nan".
      const unsound = positions.find((c, j) => tallies[j]!.infinite > 0 || tallies[j]!.missing > columns[c]!.missing)
      if (unsound !== undefined) await refuseCell(source, unsound)
      return values
    },
    async close() {
      database.closeSync()
    },
  }
}

/** Writes column j of a chunk into the rows of the result and counts what is not finite. */
function copyColumn({ chunk, start, count }: Batch, j: number, values: Float32Array, tally: Tally): void {
  const numbers = chunk.getColumnVector(j)
  const width = chunk.columnCount
  for (let i = start < 0 ? 1 : 0; i < count; i++) {
    const value = numbers.getItem(i) as number
    values[(start + i) * width + j] = value
    if (Number.isNaN(value)) tally.missing++
    else if (!Number.isFinite(value)) tally.infinite++
  }
}

interface Tally {
  missing: number
  infinite: number
}

/** Finds the cell to blame in a column and names it. Rows are counted from 1 below the header. */
async function refuseCell(source: OpenSource, position: number): Promise<never> {
  const cell = `c${position}`
  const where = `${source.path}: column "${source.columns[position]!.name}"`
  const isFine = `${cell} IS NULL OR (NOT contains(${cell}, '_') AND coalesce(isfinite(${numberIn(cell)}), false))`
  for await (const { chunk, start, count } of stream(source, `${cell}, ${isFine}`)) {
    const [texts, fine] = [chunk.getColumnVector(0), chunk.getColumnVector(1)]
    for (let i = start < 0 ? 1 : 0; i < count; i++) {
      if (fine.getItem(i)) continue
      const message = `${where} must hold finite 32-bit numbers, got "${texts.getItem(i)}" in row ${start + i + 1}`
      throw new AlisError('bad-input', message, 'Leave a cell empty if its value is missing.')
    }
  }
  throw new Error(`${where} was counted as unsound, but no cell of it is`)
}

interface Batch {
  readonly chunk: DuckDBDataChunk
  /** The row this chunk begins at: −1 for the first, whose first record is the header. */
  readonly start: number
  readonly count: number
}

/** A query over the file, chunk by chunk, in its order. */
async function* stream(source: OpenSource, select: string): AsyncGenerator<Batch> {
  const connection = await source.database.connect() // of its own: a connection carries one stream at a time
  try {
    await connection.run("SET streaming_buffer_size = '16MB'") // the default of 1 MB keeps the readers waiting
    let start = -1
    for await (const chunk of await connection.stream(`SELECT ${select} FROM ${source.records}`)) {
      const count = chunk.rowCount
      yield { chunk, start, count }
      start += count
    }
  } catch (error) {
    throw fileError(source.path, error)
  } finally {
    connection.closeSync()
  }
  const isSame = (await stampOf(source.path)) === source.stamp // or ids of one file would meet the features of another
  requireInput(isSame, `${source.path}: must stay as it is while open, got a changed file`, 'Run again: something wrote to it.')
}

async function stampOf(path: string): Promise<string> {
  const { size, mtimeNs } = await stat(path, { bigint: true })
  return `${size} bytes at ${mtimeNs}`
}

/** Names and kinds of the columns, and the number of rows: what the whole file counts, less what its header counts. */
async function readColumns({ path, database, records }: Source): Promise<Pick<Table, 'columns' | 'rows'>> {
  const connection = await database.connect()
  const header = `(FROM ${records} LIMIT 1)`
  const names = (await readRow(connection, `FROM ${header}`)).map((name, i) => (name === null ? `column${i + 1}` : String(name)))
  const repeated = names.find((name, i) => names.indexOf(name) < i)
  requireInput(repeated === undefined, `${path}: column names must differ, got "${repeated}" twice`, 'Rename one of them.')

  const cellCounts = (cell: string) => `count(${cell}), count(${numberIn(cell)}), ${underscoresIn(cell)}`
  const counts = ['count(*)', ...names.map((_, i) => cellCounts(`c${i}`))].join()
  const ofHeader = await readRow(connection, `SELECT ${counts} FROM ${header}`)
  const ofAll = await readRow(connection, `SELECT ${counts} FROM ${records}`)
  connection.closeSync()

  const [rows, ...cells] = ofAll.map((n, k) => Number(n) - Number(ofHeader[k])) as [number, ...number[]]
  requireInput(rows > 0, `${path}: must have rows under its header, got none`)
  const column = (name: string, i: number): Column => {
    const [present, numeric, underscores] = cells.slice(3 * i, 3 * i + 3) as [number, number, number]
    const kind = present > 0 && numeric === present && underscores === 0 ? 'number' : 'text'
    return { name, kind, missing: rows - present }
  }
  return { columns: names.map(column), rows }
}

async function readRow(connection: DuckDBConnection, sql: string): Promise<unknown[]> {
  return (await connection.runAndReadAll(sql)).getRowsJS()[0] ?? []
}

const numberIn = (cell: string): string => `TRY_CAST(${cell} AS FLOAT)`

/** DuckDB reads "12_7" as 127; here it is text. Counted apart, because a CASE per column takes minutes to plan for wide files. */
const underscoresIn = (cell: string): string => `sum(contains(${cell}, '_')::TINYINT)`

function positionOf({ path, columns }: OpenSource, name: string): number {
  const position = columns.findIndex((column) => column.name === name)
  if (position >= 0) return position
  const names = columns.map((column) => column.name)
  const nearest = nearestName(name, names)
  const hint = nearest === undefined ? `The columns are ${names.join(', ')}.` : `Did you mean "${nearest}"?`
  throw new AlisError('bad-input', `${path}: must have the column that is asked for, got "${name}"`, hint)
}
