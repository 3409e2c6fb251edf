import { requireInput } from '../core/errors.ts'
import { readRows } from './duckdb.ts'
import type { DataFile } from './files.ts'
import type { OpeningFile } from './opening.ts'
import { type Records, sqlFile, sqlName, sqlString, typedRecords } from './table-file.ts'

/** A DuckDB database: its only table or view, or the one called `pool`. */
export async function databaseRecords({ path }: DataFile, { database }: OpeningFile): Promise<Records> {
  const own = sqlName(path)
  const setup = `ATTACH IF NOT EXISTS ${sqlFile(path)} AS ${own} (READ_ONLY)`
  await readRows(database, setup)
  const listed = `SELECT schema_name, table_name FROM duckdb_tables() WHERE database_name = ${sqlString(path)} UNION ALL
    SELECT schema_name, view_name FROM duckdb_views() WHERE database_name = ${sqlString(path)} AND NOT internal`
  const tables = (await readRows(database, listed)) as [string, string][]
  const chosen = tables.length === 1 ? tables[0] : tables.find(([, name]) => name === 'pool')
  const found = tables.map(([, name]) => name).join(', ') || 'none'
  requireInput(chosen !== undefined, `${path}: must hold one table, or one called pool, got ${found}`, 'Make a view called pool.')
  return { ...(await typedRecords(database, `${own}.${chosen.map(sqlName).join('.')}`)), setup: [setup] }
}
