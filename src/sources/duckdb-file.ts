import { resolve } from 'node:path'
import { AlisError } from '../core/errors.ts'
import { chunksOf, positionOf, readBatches, type Source } from './batches.ts'
import { profileColumns } from './column-profile.ts'
import { openDatabase } from './duckdb.ts'
import { fileError } from './duckdb-errors.ts'
import { hashFiles } from './file-hash.ts'
import { splitReading } from './file-reading.ts'
import { type DataFile, findFiles, requireUnchanged } from './files.ts'
import { type Opening, type OpenOptions, openingOf } from './opening.ts'
import { fetched, isRemote } from './remote.ts'
import { openScratch } from './scratch.ts'
import type { KnownTable, Table, TableSql } from './table.ts'
import { numbered, sqlParquet, type TableFile } from './table-file.ts'
import { openTableFiles } from './table-files.ts'

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
  let found = path
  try {
    found = isRemote(path) ? await fetched(path, { scratch, signal }) : path
    files = await findFiles(database, found)
    const opening = openingOf(files, { database, scratch, signal, mayBeEmpty: options.mayBeEmpty }, options.progress)
    const { hash, ...table } = (await readAsKnown(files, opening, options.known)) ?? (await hashAndRead(files, opening))
    await requireUnchanged(files)
    return tableOf({ name: path, database, scratch, ...table }, hash)
  } catch (error) {
    database.close()
    scratch.close()
    signal?.throwIfAborted()
    throw atAddress(fileError(culprit(files, error) ?? path, error), path, found)
  } finally {
    clearInterval(watch)
  }
}

/** An error about what was fetched, as one about where it is from. */
function atAddress(error: unknown, path: string, found: string): unknown {
  if (!(error instanceof AlisError) || found === path) return error
  const shown = path.replace(/[?#].*/s, '')
  const message = error.message.replaceAll(splitReading(found).file, shown)
  return new AlisError(error.code, message, error.hint, { cause: error })
}

/** The file that an error is about, if it says so. */
function culprit(files: readonly DataFile[], error: unknown): string | undefined {
  return files.find(({ path }) => error instanceof Error && error.message.includes(resolve(path)))?.path
}

/** How files are to be read, beside what is in them. */
const readingOf = (files: readonly DataFile[]): string =>
  JSON.stringify(files.map(({ format, compression, reading }) => [format, compression, reading ?? {}]))

/** Undefined if nothing is known of these files as they are. */
async function readAsKnown(files: readonly DataFile[], opening: Opening, known: KnownTable | undefined) {
  if (known?.reading !== readingOf(files)) return undefined
  const hash = await hashFiles(files, opening.signal ?? new AbortController().signal, opening.hashedTo)
  opening.signal?.throwIfAborted()
  if (hash !== known.hash) return undefined
  const opened = await openTableFiles(files, opening)
  const isSame =
    JSON.stringify(opened[0]!.columns.map(({ name }) => name)) === JSON.stringify(known.columns.map(({ name }) => name))
  return isSame ? { hash, files: opened, columns: known.columns, rows: known.rows } : undefined
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
    reading: readingOf(source.files),
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

/** All files of a table in one query. One file is read as it is: to name three cells of each of four thousand columns takes seconds to plan. */
function tableSql(source: Source): TableSql {
  const setup = source.files.flatMap(({ setup }) => setup ?? [])
  const one = inOne(source)
  if (one)
    return {
      setup,
      from: one.from,
      ...(one.format === 'parquet' && { line: 'file_row_number', isNumbered: source.files.length === 1 }),
      column(name) {
        const { text, number, vector } = one.columns[positionOf(source, name)]!
        return { text: `(${text})`, number: `(${number})`, vector: `(${vector})` }
      },
    }
  const selects = source.files.map(({ columns, from }) => {
    const cells = columns.map(({ text, number, vector }, i) => `${text} AS t${i}, ${number} AS n${i}, ${vector} AS v${i}`)
    return `SELECT ${cells} FROM ${from}`
  })
  return {
    setup,
    from: `(${selects.join(' UNION ALL ')})`,
    column(name) {
      const i = positionOf(source, name)
      return { text: `t${i}`, number: `n${i}`, vector: `v${i}` }
    },
  }
}

/** Parquet files that agree in their columns are read as one: a query of a thousand files takes long to plan. */
function inOne({ files }: Source): TableFile | undefined {
  const [first] = files
  const cells = ({ columns }: TableFile) => JSON.stringify(columns)
  const isOne = files.every((file) => file.format === 'parquet' && cells(file) === cells(first!))
  if (!isOne) return files.length === 1 ? first : undefined
  const parquet = sqlParquet(files.map(({ path }) => path))
  return { ...first!, from: numbered(parquet, first!.columns.length) }
}

/** Some rows, each with the given columns as written. The files are read up to the last of them, and only their cells are decoded. */
async function pickRows(source: Source, rows: readonly number[], names: readonly string[]): Promise<(string | null)[][]> {
  const positions = names.map((name) => positionOf(source, name))
  const picked = new Array<(string | null)[]>(rows.length).fill([])
  const inOrder = names.length === 0 ? [] : [...rows.keys()].sort((a, b) => rows[a]! - rows[b]!)
  let next = 0
  if (inOrder.length > 0)
    for await (const { chunk, start } of chunksOf(source, ({ columns }) => positions.map((i) => columns[i]!.text))) {
      for (; next < inOrder.length && rows[inOrder[next]!]! < start + chunk.rowCount; next++) {
        const k = inOrder[next]!
        picked[k] = names.map((_, j) => chunk.getColumnVector(j).getItem(rows[k]! - start) as string | null)
      }
      if (next === inOrder.length) break
    }
  await requireUnchanged(source.files)
  return picked
}
