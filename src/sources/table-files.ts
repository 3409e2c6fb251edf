import { AlisError, requireInput } from '../core/errors.ts'
import { csvPart } from './csv-file.ts'
import { databasePart } from './database-file.ts'
import type { Database } from './duckdb.ts'
import { fileError } from './duckdb-errors.ts'
import type { DataFile } from './files.ts'
import { jsonParts } from './json-file.ts'
import type { Hearing, Opening } from './opening.ts'
import { parquetPart } from './parquet-file.ts'
import type { Scratch } from './scratch.ts'
import type { TableFile } from './table-file.ts'

/** The files as parts of one table, with the columns of the first. Columns are matched by name; their order may differ. */
export async function openParts(
  database: Database,
  files: readonly DataFile[],
  scratch: Scratch,
  opening: Opening,
): Promise<TableFile[]> {
  const size = files.reduce((sum, { bytes }) => sum + bytes, 0)
  let done = 0
  const tell = (bytes: number) => opening.readTo('preparing', (done + bytes) / size)

  const json = await jsonParts(database, files.filter(isJson), tell)
  const parts: TableFile[] = []
  for (const file of files) {
    opening.signal?.throwIfAborted()
    try {
      parts.push(isJson(file) ? json.shift()! : await openPart(database, file, scratch, { ...opening, tell }))
    } catch (error) {
      throw fileError(file.path, error)
    }
    done += file.bytes
    tell(0)
  }
  for (const part of parts) refuseRepeatedNames(part)
  return parts.map((part) => withColumnsOf(parts[0]!, part))
}

async function openPart(database: Database, file: DataFile, scratch: Scratch, hearing: Hearing): Promise<TableFile> {
  if (file.format === 'arrow') return (await import('./arrow-file.ts')).arrowPart(database, file, scratch, hearing)
  if (file.format === 'duckdb') return databasePart(database, file.path)
  return file.format === 'parquet' ? parquetPart(database, [file.path]) : csvPart(database, file)
}

const isJson = ({ format }: DataFile): boolean => format === 'json' || format === 'jsonl'

function refuseRepeatedNames({ path, columns }: TableFile): void {
  const seen = new Set<string>()
  for (const { name } of columns) {
    requireInput(!seen.has(name), `${path}: column names must differ, got "${name}" twice`, 'Rename one of them.')
    seen.add(name)
  }
}

function withColumnsOf(first: TableFile, part: TableFile): TableFile {
  const refuse = (got: string) => {
    const hint = 'Files of one table have the same columns, in any order.'
    return new AlisError('bad-input', `${part.path}: must have the columns of ${first.path}, got ${got}`, hint)
  }
  const byName = new Map(part.columns.map((column) => [column.name, column]))
  const columns = first.columns.map(({ name }) => {
    const column = byName.get(name)
    if (!column) throw refuse(`no "${name}"`)
    byName.delete(name)
    return column
  })
  for (const name of byName.keys()) throw refuse(`also "${name}"`)
  return { ...part, columns }
}
