import { AlisError, requireInput } from '../core/errors.ts'
import { csvRecords } from './csv-file.ts'
import { readRows } from './duckdb.ts'
import { fileError } from './duckdb-errors.ts'
import type { DataFile } from './files.ts'
import { jsonRecords } from './json-file.ts'
import type { Opening, OpeningFile } from './opening.ts'
import { plainText } from './plain-text.ts'
import {
  type Records,
  repeatedName,
  requireNarrow,
  sqlFile,
  sqlName,
  sqlParquet,
  sqlString,
  type TableFile,
  typedRecords,
} from './table-file.ts'

/** The files of one table, with the columns of the first. Columns are matched by name; their order may differ. */
export async function openTableFiles(files: readonly DataFile[], opening: Opening): Promise<TableFile[]> {
  const size = files.reduce((sum, { bytes }) => sum + bytes, 0)
  let done = 0
  const tell = (bytes: number) => opening.readTo('preparing', (done + bytes) / size)

  const json = await jsonRecords(files.filter(isJson), { ...opening, tell })
  const opened: TableFile[] = []
  for (const file of files) {
    opening.signal?.throwIfAborted()
    try {
      opened.push({ ...file, ...(isJson(file) ? json.shift()! : await recordsOf(file, { ...opening, tell })) })
    } catch (error) {
      throw fileError(file.path, error)
    }
    done += file.bytes
    tell(0)
  }
  for (const { path, columns } of opened) {
    requireNarrow(path, columns.length)
    const [name] = repeatedName(columns.map((column) => column.name)) ?? []
    requireInput(name === undefined, `${path}: column names must differ, got "${name}" twice`, 'Rename one of them.')
  }
  return opened.map((file) => withColumnsOf(opened[0]!, file))
}

async function recordsOf(file: DataFile, opening: OpeningFile): Promise<Records> {
  if (file.format === 'arrow') return (await import('./arrow-file.ts')).arrowRecords(file, opening)
  if (file.format === 'duckdb') return databaseRecords(file, opening)
  return file.format === 'parquet'
    ? typedRecords(opening.database, sqlParquet([file.path]))
    : csvRecords(await plainText(file, opening), opening)
}

const isJson = ({ format }: DataFile): boolean => format === 'json' || format === 'jsonl'

function withColumnsOf(first: TableFile, file: TableFile): TableFile {
  const refuse = (got: string) => {
    const hint = 'Files of one table have the same columns, in any order.'
    return new AlisError('bad-input', `${file.path}: must have the columns of ${first.path}, got ${got}`, hint)
  }
  const byName = new Map(file.columns.map((column) => [column.name, column]))
  const columns = first.columns.map(({ name }) => {
    const column = byName.get(name)
    if (!column) throw refuse(`no "${name}"`)
    byName.delete(name)
    return column
  })
  for (const name of byName.keys()) throw refuse(`also "${name}"`)
  return { ...file, columns }
}

/** A DuckDB database: its only table, or the one called `pool`. No views: they may read whatever file of ours they name. */
async function databaseRecords({ path }: DataFile, { database }: OpeningFile): Promise<Records> {
  const own = sqlName(path)
  const setup = `ATTACH IF NOT EXISTS ${sqlFile(path)} AS ${own} (READ_ONLY)`
  await readRows(database, setup)
  const listed = `SELECT schema_name, table_name FROM duckdb_tables() WHERE database_name = ${sqlString(path)}`
  const tables = (await readRows(database, listed)) as [string, string][]
  const chosen = tables.length === 1 ? tables[0] : tables.find(([, name]) => name === 'pool')
  const found = tables.map(([, name]) => name).join(', ') || 'none'
  requireInput(
    chosen !== undefined,
    `${path}: must hold one table, or one called pool, got ${found}`,
    'A view is not read, as it may read other files: CREATE TABLE pool AS FROM the_view.',
  )
  return { ...(await typedRecords(database, `${own}.${chosen.map(sqlName).join('.')}`)), setup: [setup] }
}
