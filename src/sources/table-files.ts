import { AlisError, requireInput } from '../core/errors.ts'
import { csvRecords } from './csv-file.ts'
import { readRows } from './duckdb.ts'
import { fileError } from './duckdb-errors.ts'
import type { DataFile, Format } from './files.ts'
import { jsonRecords } from './json-file.ts'
import type { Opening, OpeningFile } from './opening.ts'
import { plainText } from './plain-text.ts'
import {
  chosenTable,
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
import { toolRows } from './tool-files.ts'

/** The files of one table, with the columns of the first. Columns are matched by name; their order may differ. */
export async function openTableFiles(files: readonly DataFile[], opening: Opening): Promise<TableFile[]> {
  const size = files.reduce((sum, { bytes }) => sum + bytes, 0)
  let done = 0
  const tell = (bytes: number) => opening.readTo('preparing', (done + bytes) / size)

  const plain: DataFile[] = []
  for (const file of files) plain.push(isJson(file) ? await toolRows(file, opening).catch(failing(file)) : file)
  const json = await jsonRecords(plain.filter(isJson), { ...opening, tell }).catch((error) => {
    throw named(error, files, plain)
  })
  const opened: TableFile[] = []
  for (const file of files) {
    opening.signal?.throwIfAborted()
    const records = isJson(file) ? json.shift()! : await recordsOf(file, { ...opening, tell }).catch(failing(file))
    opened.push({ ...file, ...records })
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

/** What is read as objects of JSON: such files, and what becomes one on scratch. */
const asLines: readonly Format[] = ['json', 'jsonl', 'inspect', 'sqlite', 'svm', 'npy', 'npz']

const failing =
  ({ path }: DataFile) =>
  (error: unknown) =>
    Promise.reject(fileError(path, error))

/** An error about a copy on scratch, as one about the file that it is of. */
function named(error: unknown, files: readonly DataFile[], copies: readonly DataFile[]): unknown {
  const at = copies.findIndex(({ path }) => error instanceof AlisError && error.message.includes(path))
  if (!(error instanceof AlisError) || at < 0) return error
  return new AlisError(error.code, error.message.replaceAll(copies[at]!.path, files[at]!.path), error.hint, { cause: error })
}

const isJson = ({ format }: DataFile): boolean => asLines.includes(format)

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

/** A table of a DuckDB database. No views: they may read whatever file of ours they name. */
async function databaseRecords({ path, reading }: DataFile, { database }: OpeningFile): Promise<Records> {
  const own = sqlName(path)
  const setup = `ATTACH IF NOT EXISTS ${sqlFile(path)} AS ${own} (READ_ONLY)`
  await readRows(database, setup)
  const listed = `SELECT schema_name, table_name FROM duckdb_tables() WHERE database_name = ${sqlString(path)}`
  const tables = (await readRows(database, listed)) as [string, string][]
  const name = chosenTable(
    path,
    tables.map(([, each]) => each),
    reading?.table,
    ' A view is not read, as it may read other files: CREATE TABLE pool AS FROM the_view.',
  )
  const chosen = tables.find(([, each]) => each === name)!
  return { ...(await typedRecords(database, `${own}.${chosen.map(sqlName).join('.')}`)), setup: [setup] }
}
