import { openDatabase, readRow } from './duckdb.ts'
import { type DataFile, findFiles } from './files.ts'
import { sqlFile, sqlString } from './table-file.ts'

/** About how many bytes the cells of a file, or of several, take when they are read, without reading any. `columns`: of these only. */
export async function dataSize(path: string, columns?: readonly string[]): Promise<number> {
  const database = await openDatabase()
  try {
    const files = await findFiles(database, path)
    const parquet = files.filter(({ format }) => format === 'parquet')
    const others = files.filter(({ format }) => format !== 'parquet').reduce((sum, file) => sum + unpacked(file), 0)
    if (parquet.length === 0) return others
    const metadata = `parquet_metadata([${parquet.map((file) => sqlFile(file.path))}])`
    const read = columns ? `split_part(path_in_schema, ', ', 1) IN (${columns.map(sqlString)})` : 'true'
    const [bytes] = await readRow(database, `SELECT sum(total_uncompressed_size) FROM ${metadata} WHERE ${read}`)
    return others + Number(bytes ?? 0)
  } catch {
    return 0 // opening the file says better what is wrong with it
  } finally {
    database.close()
  }
}

/** Text shrinks to about a fifth; what a database packs, to about a half. */
function unpacked({ bytes, compression, format }: DataFile): number {
  return compression !== 'none' ? 5 * bytes : format === 'duckdb' ? 2 * bytes : bytes
}
