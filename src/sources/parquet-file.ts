import { type Database, readRows } from './duckdb.ts'
import { type FileColumn, sqlFile, type TableFile, textCells } from './table-file.ts'

/** A Parquet file, or several that go on one in the other: its columns have types, and the types hold. Strings are text, also if numbers are written in them. */
export async function parquetPart(database: Database, paths: readonly string[]): Promise<TableFile> {
  const records = recordsIn(paths)
  const columns = (await readRows(database, `SELECT column_name, column_type FROM (DESCRIBE FROM ${records})`)) as [
    string,
    string,
  ][]
  return {
    path: paths[0]!,
    from: readParquet(paths, columns.length),
    columns: columns.map(([name, type], i) => typedColumn(name, type, `c${i}`)),
  }
}

const recordsIn = (paths: readonly string[]) => `read_parquet([${paths.map(sqlFile)}], hive_partitioning = false)`

/** The rows of Parquet files with as many columns, called c0, c1, … */
export function readParquet(paths: readonly string[], columns: number): string {
  return `${recordsIn(paths)} AS part(${Array.from({ length: columns }, (_, i) => `c${i}`)})`
}

const number = /^(U?(TINYINT|SMALLINT|INTEGER|BIGINT|HUGEINT)|FLOAT|DOUBLE|DECIMAL\(.*\))$/

/** A column whose type holds. */
export function typedColumn(name: string, type: string, cell: string): FileColumn {
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
