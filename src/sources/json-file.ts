import { AlisError, requireInput } from '../core/errors.ts'
import { type Database, readRow, readRows } from './duckdb.ts'
import { fileError } from './duckdb-errors.ts'
import { readHead } from './file-hash.ts'
import type { DataFile } from './files.ts'
import type { OpeningFile } from './opening.ts'
import { type FileColumn, numbered, type Records, repeatedName, sqlFile, sqlString, textCells } from './table-file.ts'

/** Files of objects, in an array or one a line. Together they have the columns that any of their objects has as a key. */
export async function jsonRecords(files: readonly DataFile[], { database, tell }: OpeningFile): Promise<Records[]> {
  const keys = new Set<string>()
  let done = 0
  for (const file of files) {
    await readHead(file, () => true) // refuses UTF-16
    const reading = readKeys(database, file, (share) => tell(done + share * file.bytes))
    for (const key of await reading.catch((error) => Promise.reject(fileError(file.path, error)))) keys.add(key)
    done += file.bytes
  }
  const cells = [...keys].map((key) => `${sqlString(key)}: 'JSON'`)
  const columns = [...keys].map(jsonColumn)
  return files.map((file) => {
    const records = `read_json(${jsonOptions(file)}, records = true, auto_detect = false, columns = {${cells}})`
    return { from: numbered(records, keys.size), columns }
  })
}

/** A cell is JSON text: 1.5, "a", [1,2]. A string loses its quotes, a whole number its ".0". Only numbers count as numbers. */
function jsonColumn(name: string, i: number): FileColumn {
  const cell = `nullif(c${i}::VARCHAR, '""')`
  const text = `CASE WHEN starts_with(${cell}, '"') THEN c${i} ->> '$' WHEN ends_with(${cell}, '.0') THEN ${cell}[:-3] ELSE ${cell} END`
  const { number: counted, vector } = textCells(`c${i}::VARCHAR`)
  return {
    name,
    value: text,
    type: 'text',
    text,
    number: `coalesce(${counted}, TRY_CAST(${text} AS FLOAT))`,
    vector,
    counted,
    isOpen: true,
  }
}

/** Keys of all objects: those of the first in its order, then the others. */
async function readKeys(database: Database, file: DataFile, progress: (share: number) => void): Promise<string[]> {
  const { path } = file
  const objects = `read_json_objects(${jsonOptions(file)})`
  const [first] = await readRow(database, `SELECT json_keys(json) FROM ${objects} LIMIT 1`)
  requireInput(first !== undefined, `${path}: must have rows, got none`)
  const lists = (await readRows(database, `SELECT DISTINCT json_keys(json) FROM ${objects}`, { progress })) as [string[]][]

  if (lists.some(([list]) => list.length === 0)) await refuseOtherThanObjects(database, path, objects)
  const repeated = lists.flatMap(([list]) => repeatedName(list) ?? [])[0]
  requireInput(repeated === undefined, `${path}: keys of an object must differ, got "${repeated}" twice`, 'Rename one of them.')
  const keys = [...new Set([...(first as string[]), ...lists.flatMap(([list]) => list).sort()])]
  requireInput(keys.length > 0, `${path}: objects must have keys, got none`, 'The keys name the columns.')
  requireInput(!keys.includes(''), `${path}: keys must have letters, got ""`, 'The keys name the columns.')
  const same = repeatedName(keys, true) // DuckDB cannot read such columns side by side
  const got = same?.map((key) => `"${key}"`).join(' and ')
  requireInput(same === undefined, `${path}: keys must differ in more than case, got ${got}`, 'Rename one of them.')
  return keys
}

async function refuseOtherThanObjects(database: Database, path: string, objects: string): Promise<void> {
  const numbered = `(SELECT json_type(json) AS type, row_number() OVER () AS row FROM ${objects})`
  const [type, row] = await readRow(database, `SELECT type, row FROM ${numbered} WHERE type <> 'OBJECT' ORDER BY row LIMIT 1`)
  if (type === undefined) return
  const got = kinds[type as string] ?? 'a number'
  throw new AlisError('bad-input', `${path}: row ${row} must be an object, got ${got}`, 'Every row is {"column": value, …}.')
}

const kinds: Readonly<Record<string, string>> = { ARRAY: 'a list', VARCHAR: 'a string', BOOLEAN: 'true or false', NULL: 'null' }

/** What DuckDB is told of a file of JSON. */
export const jsonOptions = ({ path, format, compression }: DataFile): string =>
  `${sqlFile(path)}, format = '${format === 'json' ? 'array' : 'newline_delimited'}', hive_partitioning = false,
    compression = '${compression === 'none' ? 'uncompressed' : compression}', maximum_object_size = ${2 ** 22}`
