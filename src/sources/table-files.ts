import { AlisError, requireInput } from '../core/errors.ts'
import { csvRecords } from './csv-file.ts'
import { databaseRecords } from './database-file.ts'
import { fileError } from './duckdb-errors.ts'
import type { DataFile } from './files.ts'
import { jsonRecords } from './json-file.ts'
import type { Opening, OpeningFile } from './opening.ts'
import { type Records, repeatedName, sqlParquet, type TableFile, typedRecords } from './table-file.ts'

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
    const [name] = repeatedName(columns.map((column) => column.name)) ?? []
    requireInput(name === undefined, `${path}: column names must differ, got "${name}" twice`, 'Rename one of them.')
  }
  return opened.map((file) => withColumnsOf(opened[0]!, file))
}

async function recordsOf(file: DataFile, opening: OpeningFile): Promise<Records> {
  if (file.format === 'arrow') return (await import('./arrow-file.ts')).arrowRecords(file, opening)
  if (file.format === 'duckdb') return databaseRecords(file, opening)
  return file.format === 'parquet' ? typedRecords(opening.database, sqlParquet([file.path])) : csvRecords(file, opening)
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
