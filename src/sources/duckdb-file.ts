import { resolve } from 'node:path'
import type { DuckDBInstance } from '@duckdb/node-api'
import { readBatches, type Source } from './batches.ts'
import { profileColumns } from './column-profile.ts'
import { openDatabase } from './duckdb.ts'
import { fileError } from './duckdb-errors.ts'
import { hashFiles } from './file-hash.ts'
import { type DataFile, findFiles, requireUnchanged } from './files.ts'
import { openParts } from './parts.ts'
import { pickRows } from './pick-rows.ts'
import type { Table } from './table.ts'

/**
 * A file, or several that match a pattern such as `data/*.parquet`, read by DuckDB. Nothing is imported: opening looks at every cell,
 * to count rows and to tell numbers from text, and every call streams the files once more, so memory holds the answer and little else.
 */
export async function openTable(path: string): Promise<Table> {
  const database = await openDatabase()
  let files: readonly DataFile[] = []
  try {
    files = await findFiles(database, path)
    const [hash, table] = await hashAndRead(database, files)
    await requireUnchanged(files)
    return tableOf({ name: path, database, files, ...table }, hash)
  } catch (error) {
    database.closeSync()
    throw fileError(culprit(files, error) ?? path, error)
  }
}

/** The file that an error is about, if it says so. */
function culprit(files: readonly DataFile[], error: unknown): string | undefined {
  return files.find(({ path }) => error instanceof Error && error.message.includes(resolve(path)))?.path
}

async function readColumns(
  database: DuckDBInstance,
  files: readonly DataFile[],
): Promise<Pick<Source, 'parts' | 'columns' | 'rows'>> {
  const parts = await openParts(database, files)
  return { parts, ...(await profileColumns(database, parts)) }
}

/** Both at once. A damaged archive explains why its contents make no sense, so its error comes first; a plain file need not be read to its end. */
async function hashAndRead(
  database: DuckDBInstance,
  files: readonly DataFile[],
): Promise<[string, Awaited<ReturnType<typeof readColumns>>]> {
  const stop = new AbortController()
  const hashing = hashFiles(files, stop.signal)
  const reading = readColumns(database, files)
  const isPlain = files.every(({ compression }) => compression === 'none')
  await Promise.allSettled([hashing, reading.catch(() => isPlain && stop.abort())])
  return [await hashing, await reading]
}

function tableOf(source: Source, hash: string): Table {
  const { columns, rows, database } = source
  return {
    columns,
    rows,
    hash,
    batches: (requests, progress) => readBatches(source, requests, progress),
    async strings(name) {
      const values: (string | null)[] = []
      for await (const batch of readBatches(source, [{ name, as: 'text' }])) {
        for (const value of batch.columns[0]!.values) values.push(value as string | null)
      }
      return values
    },
    pick: (rows, names) => pickRows(source, rows, names),
    async close() {
      database.closeSync()
    },
  }
}
