import { resolve } from 'node:path'
import { positionOf, readBatches, type Source } from './batches.ts'
import { profileColumns } from './column-profile.ts'
import { openDatabase } from './duckdb.ts'
import { fileError } from './duckdb-errors.ts'
import { hashFiles } from './file-hash.ts'
import { type DataFile, findFiles, requireUnchanged } from './files.ts'
import { type Opening, type OpenOptions, openingOf } from './opening.ts'
import { pickRows } from './pick-rows.ts'
import { openScratch } from './scratch.ts'
import type { Table } from './table.ts'
import { openTableFiles } from './table-files.ts'
import { tableSql } from './table-sql.ts'

/**
 * A file, or several that match a pattern such as `data/*.parquet`, read by DuckDB. Nothing is imported: opening reads every cell,
 * to count rows and to tell numbers from text, and every call streams the files once more, so memory holds the answer and little else.
 */
export async function openTable(path: string, options: OpenOptions = {}): Promise<Table> {
  const { signal } = options
  const database = await openDatabase()
  const scratch = openScratch()
  // Again and again: a query that is only about to begin would not hear the first time.
  const watch = signal && setInterval(() => signal.aborted && database.interrupt(), 50)
  let files: readonly DataFile[] = []
  try {
    files = await findFiles(database, path)
    const { hash, ...table } = await hashAndRead(files, openingOf(files, { database, scratch, signal }, options.progress))
    await requireUnchanged(files)
    return tableOf({ name: path, database, scratch, ...table }, hash)
  } catch (error) {
    database.close()
    scratch.close()
    signal?.throwIfAborted()
    throw fileError(culprit(files, error) ?? path, error)
  } finally {
    clearInterval(watch)
  }
}

/** The file that an error is about, if it says so. */
function culprit(files: readonly DataFile[], error: unknown): string | undefined {
  return files.find(({ path }) => error instanceof Error && error.message.includes(resolve(path)))?.path
}

/** Both at once. A damaged archive explains why its contents make no sense, so its error comes first; a plain file need not be read to its end. */
async function hashAndRead(files: readonly DataFile[], opening: Opening) {
  const stop = new AbortController()
  const signal = opening.signal ? AbortSignal.any([opening.signal, stop.signal]) : stop.signal
  const hashing = hashFiles(files, signal, opening.hashedTo)
  const reading = openTableFiles(files, opening).then((opened) => profileColumns(opened, opening))
  const isPlain = files.every(({ compression }) => compression === 'none')
  await Promise.allSettled([hashing, reading.catch(() => isPlain && stop.abort())])
  opening.signal?.throwIfAborted()
  return { hash: await hashing, ...(await reading) }
}

function tableOf(source: Source, hash: string): Table {
  const { columns, rows, database, scratch } = source
  return {
    columns,
    rows,
    hash,
    batches: (requests, progress) => readBatches(source, requests, progress),
    strings: (name) => readStrings(source, name),
    pick: (rows, names) => pickRows(source, rows, names),
    sql: tableSql(source),
    async close() {
      database.close()
      scratch.close()
    },
  }
}

/** A column of few different texts holds each of them once, however many cells have it. */
async function readStrings(source: Source, name: string): Promise<(string | null)[]> {
  const values = new Array<string | null>(source.rows).fill(null)
  const isShared = source.columns[positionOf(source, name)]!.distinct <= 1000
  const shared = new Map<string | null, string | null>()
  let row = 0
  for await (const { columns } of readBatches(source, [{ name, as: 'text' }])) {
    for (const value of columns[0]!.values as readonly (string | null)[]) {
      if (isShared && !shared.has(value)) shared.set(value, value)
      values[row++] = isShared ? shared.get(value)! : value
    }
  }
  return values
}
