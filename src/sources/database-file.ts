import { requireInput } from '../core/errors.ts'
import { type Database, readRows } from './duckdb.ts'
import { typedColumn } from './parquet-file.ts'
import { sqlFile, sqlName, sqlString, type TableFile } from './table-file.ts'

/** A DuckDB database: its only table or view, or the one called `pool`. */
export async function databasePart(database: Database, path: string): Promise<TableFile> {
  const own = sqlName(path)
  const setup = `ATTACH IF NOT EXISTS ${sqlFile(path)} AS ${own} (READ_ONLY)`
  await readRows(database, setup)
  const listed = `SELECT schema_name, table_name FROM duckdb_tables() WHERE database_name = ${sqlString(path)} UNION ALL
    SELECT schema_name, view_name FROM duckdb_views() WHERE database_name = ${sqlString(path)} AND NOT internal`
  const tables = (await readRows(database, listed)) as [string, string][]
  const chosen = tables.length === 1 ? tables[0] : tables.find(([, name]) => name === 'pool')
  const found = tables.map(([, name]) => name).join(', ') || 'none'
  requireInput(chosen !== undefined, `${path}: must hold one table, or one called pool, got ${found}`, 'Make a view called pool.')
  const records = `${own}.${chosen.map(sqlName).join('.')}`
  const described = `SELECT column_name, column_type FROM (DESCRIBE FROM ${records})`
  const columns = (await readRows(database, described)) as [string, string][]
  return {
    path,
    setup: [setup],
    from: `${records} AS part(${columns.map((_, i) => `c${i}`)})`,
    columns: columns.map(([name, type], i) => typedColumn(name, type, `c${i}`)),
  }
}
