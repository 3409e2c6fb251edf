import { type Database, readRows } from './duckdb.ts'
import { type Part, type PartColumn, sqlFile, textCells } from './part.ts'

/** A Parquet file, or several that go on one in the other: its columns have types, and the types hold. Strings are text, also if numbers are written in them. */
export async function parquetPart(database: Database, paths: readonly string[]): Promise<Part> {
  const records = `read_parquet([${paths.map(sqlFile)}], hive_partitioning = false)`
  const columns = (await readRows(database, `SELECT column_name, column_type FROM (DESCRIBE FROM ${records})`)) as [
    string,
    string,
  ][]
  const names = columns.map((_, i) => `c${i}`)
  return {
    path: paths[0]!,
    from: `${records} AS part(${names})`,
    columns: columns.map(([name, type], i) => parquetColumn(name, type, `c${i}`)),
  }
}

const number = /^(U?(TINYINT|SMALLINT|INTEGER|BIGINT|HUGEINT)|FLOAT|DOUBLE|DECIMAL\(.*\))$/

function parquetColumn(name: string, type: string, cell: string): PartColumn {
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
