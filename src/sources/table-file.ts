import { resolve } from 'node:path'
import { requireInput } from '../core/errors.ts'
import { type Database, readRows } from './duckdb.ts'
import type { DataFile } from './files.ts'
import type { CellsSql } from './table.ts'

export interface TableFile extends DataFile, Records {}

/** The records of a file, in SQL. Names from a file never enter SQL as names: there its columns are called c0, c1, … */
export interface Records {
  /** What to select from: one row a record. */
  readonly from: string
  /** To be run before it can be selected from. */
  readonly setup?: readonly string[]
  readonly columns: readonly FileColumn[]
}

/** How the cells of a column read: a number is also NULL where the cell is none; a vector is NULL there, or has a NULL inside. */
export interface FileColumn extends CellsSql {
  readonly name: string
  /** What different cells differ in. Columns of one type can be compared across files. */
  readonly value: string
  readonly type: string
  /** Not NULL where the cell counts as a number: by its type, or because it reads as one. */
  readonly counted: string
  /** Whether the cell holds a "_". DuckDB reads "12_7" as 127; here it is text. Counted apart: a CASE for each column takes minutes to plan. */
  readonly underscore?: string
  /** Whether only the cells themselves tell if the column holds vectors. */
  readonly isOpen: boolean
}

/** The cells of a column of text, in which numbers and vectors may be written. */
export function textCells(cell: string): CellsSql {
  return {
    text: cell,
    number: `TRY_CAST(${cell} AS FLOAT)`,
    vector: `TRY_CAST(translate(${cell}, '_"''', '???') AS FLOAT[])`, // DuckDB would read ["1_0"] as [10]
  }
}

/** What to select from to have so many columns called c0, c1, … */
export const numbered = (records: string, columns: number): string =>
  `${records} AS records(${Array.from({ length: columns }, (_, i) => `c${i}`)})`

/** Records whose columns have types, and the types hold. Strings are text, also if numbers are written in them. */
export async function typedRecords(database: Database, records: string): Promise<Records> {
  const described = await readRows(database, `SELECT column_name, column_type FROM (DESCRIBE FROM ${records})`)
  const columns = described.map(([name, type], i) => typedColumn(String(name), String(type), `c${i}`))
  return { from: numbered(records, columns.length), columns }
}

const number = /^(U?(TINYINT|SMALLINT|INTEGER|BIGINT|HUGEINT)|FLOAT|DOUBLE|DECIMAL\(.*\))$/

function typedColumn(name: string, type: string, cell: string): FileColumn {
  const value = type === 'VARCHAR' ? `nullif(${cell}, '')` : cell
  const text = textOf(type, cell)
  const column = { name, value, type, ...textCells(text), counted: 'NULL', isOpen: type === 'VARCHAR' }
  if (number.test(type)) return { ...column, number: `TRY_CAST(${cell} AS FLOAT)`, counted: cell }
  const item = /^(.*)\[\d*\]$/.exec(type)?.[1]
  return item && number.test(item) ? { ...column, vector: `TRY_CAST(${cell} AS FLOAT[])`, isOpen: true } : column
}

/** How a value of a type is written: numbers without a needless ".0", dates and times by ISO 8601, bytes in base 64, nested values as JSON. */
function textOf(type: string, cell: string): string {
  const plain = `${cell}::VARCHAR`
  if (type === 'VARCHAR') return `nullif(${cell}, '')`
  if (type === 'FLOAT' || type === 'DOUBLE') return `CASE WHEN ends_with(${plain}, '.0') THEN (${plain})[:-3] ELSE ${plain} END`
  if (type === 'TIMESTAMP WITH TIME ZONE') return `replace((${cell} AT TIME ZONE 'UTC')::VARCHAR, ' ', 'T') || 'Z'`
  if (type.startsWith('TIMESTAMP')) return `replace(${plain}, ' ', 'T')`
  if (type === 'BLOB') return `base64(${cell})`
  return /[\])]$/.test(type) && !/^(DECIMAL|ENUM)/.test(type) ? `to_json(${cell})::VARCHAR` : plain
}

/** Two of the names that are one, case aside where it is to be ignored: the first name that is there again, after its first spelling. */
const mostColumns = 5_000

/** Every column is a cell of its own to DuckDB, which takes time and memory for each before the first row is read. */
export function requireNarrow(path: string, columns: number): void {
  requireInput(
    columns <= mostColumns,
    `${path}: at most ${mostColumns.toLocaleString('en')} columns are possible, got ${columns.toLocaleString('en')}`,
    'Put numbers that belong together into one column of vectors, as [1,2,3] or as lists in Parquet or Arrow.',
  )
}

export function repeatedName(names: readonly string[], ignoresCase = false): [first: string, again: string] | undefined {
  const seen = new Map<string, string>()
  for (const name of names) {
    const key = ignoresCase ? name.toLowerCase() : name
    if (seen.has(key)) return [seen.get(key)!, name]
    seen.set(key, name)
  }
  return undefined
}

/** The length of a vector of finite numbers; NULL for anything else. */
export const soundLength = (vector: string): string =>
  `CASE WHEN list_aggregate(${vector}, 'count') = len(${vector}) AND isfinite(list_sum(${vector})) THEN len(${vector}) END`

/** The table that was named, the only one, or the one called `pool`. */
export function chosenTable(path: string, tables: readonly string[], wanted: string | undefined, note = ''): string {
  const chosen = wanted ?? (tables.length === 1 ? tables[0] : tables.find((name) => name === 'pool'))
  const found = tables.join(', ') || 'none'
  const hint = `Say which behind its name, as in ${path}#table=${tables[0] ?? 'mails'}.${note}`
  requireInput(chosen !== undefined, `${path}: must hold one table, or one called pool, got ${found}`, hint)
  requireInput(tables.includes(chosen), `${path}: must hold a table called ${chosen}, got ${found}`)
  return chosen
}

export const sqlString = (text: string): string => `'${text.replaceAll("'", "''")}'`

export const sqlName = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** A file for DuckDB to read: a name, not a pattern. */
export const sqlFile = (path: string): string => sqlString(resolve(path).replace(/[[*?]/g, '[$&]'))

/** What to select from for the rows of Parquet files that go on one in the other. */
export const sqlParquet = (paths: readonly string[]): string => `read_parquet([${paths.map(sqlFile)}], hive_partitioning = false)`
