import { type DuckDBConnection, DuckDBDataChunk, type DuckDBValue } from '@duckdb/node-api'
import type { Batch, Table } from '@uwdata/flechette'
import { readArrow } from './arrow-batches.ts'
import { damaged } from './arrow-messages.ts'
import { type Keeping, keepingOf } from './arrow-types.ts'
import type { DataFile } from './files.ts'
import type { OpeningFile } from './opening.ts'
import { noRoom } from './scratch.ts'
import { type Records, sqlParquet, sqlString, typedRecords } from './table-file.ts'

/**
 * An Arrow file, copied to Parquet in a scratch folder, a few megabytes at a time: DuckDB reads Arrow only with an extension from
 * the network. From there on it is a Parquet file, with the same types and the same answers.
 */
export async function arrowRecords({ path }: DataFile, { database, scratch, signal, tell }: OpeningFile): Promise<Records> {
  const connection = await database.connect()
  const stem = await scratch.name()
  try {
    let writer: ParquetWriter | undefined
    let names: readonly string[] = []
    let copied = 0
    for await (const { table, rows, end } of readArrow(path)) {
      signal?.throwIfAborted()
      if (!writer) {
        names = table.names
        const keepings = table.schema.fields.map(({ name, type }) => keepingOf(`${path}: column "${name}"`, type))
        writer = await parquetWriter(connection, stem, keepings)
      }
      if (table.numRows !== rows) throw damaged(path)
      for (const batches of recordBatches(path, table)) await writer.write(batches)
      if (end - copied >= mostBytes) {
        await writer.flush()
        copied = end
      }
      tell(end)
    }
    const { columns, from } = await typedRecords(database, sqlParquet(await writer!.finish()))
    return { from, columns: columns.map((column, i) => ({ ...column, name: names[i] || `column${i + 1}` })) }
  } finally {
    database.release(connection)
  }
}

type RecordBatch = readonly Batch<unknown>[]

/** The columns of each record batch of a table. */
function recordBatches(path: string, { children }: Table): RecordBatch[] {
  return children[0]!.data.map(({ length }, b) => {
    const batches = children.map(({ data }) => data[b]!)
    if (batches.some((batch) => batch.length !== length)) throw damaged(path)
    return batches
  })
}

interface ParquetWriter {
  write(columns: RecordBatch): Promise<void>
  flush(): Promise<void>
  /** The files that came of it, in order: at least one, for its columns. */
  finish(): Promise<readonly string[]>
}

const chunkRows = 2048 // what DuckDB takes at a time
// What may be held before it is written: cells take memory, and so do the bytes of texts.
const mostCells = 2 ** 21
const mostBytes = 2 ** 23

/** Rows to Parquet files of a few million cells each. */
async function parquetWriter(connection: DuckDBConnection, stem: string, keepings: readonly Keeping[]): Promise<ParquetWriter> {
  const open = async () => {
    await connection.run(`CREATE OR REPLACE TEMP TABLE rows (${keepings.map(({ type }, i) => `c${i} ${type}`)})`)
    return connection.createAppender('rows', 'main', 'temp')
  }
  const chunk = DuckDBDataChunk.create(keepings.map(({ type }) => type)) // used again and again: it is slow to be collected
  const copies: string[] = []
  let appender = await open()
  let cells = 0

  async function flush(): Promise<void> {
    const copy = `${stem}-${copies.length}.parquet`
    appender.closeSync()
    await connection.run(`COPY rows TO ${sqlString(copy)} (FORMAT parquet)`).catch((error) => Promise.reject(noRoom(error)))
    copies.push(copy)
    appender = await open()
    cells = 0
  }
  return {
    flush,
    async write(columns) {
      const { length } = columns[0]!
      for (let from = 0; from < length; from += chunkRows) {
        const to = Math.min(from + chunkRows, length)
        chunk.reset()
        chunk.rowCount = to - from
        for (const [j, { keep }] of keepings.entries()) chunk.setColumnValues(j, valuesOf(columns[j]!, keep, from, to))
        appender.appendDataChunk(chunk)
        cells += (to - from) * columns.length
        if (cells >= mostCells) await flush()
      }
    },
    async finish() {
      if (cells > 0 || copies.length === 0) await flush()
      appender.closeSync()
      return copies
    },
  }
}

function valuesOf(batch: Batch<unknown>, keep: Keeping['keep'], from: number, to: number): DuckDBValue[] {
  const values = new Array<DuckDBValue>(to - from)
  for (let i = from; i < to; i++) {
    const value = batch.at(i)
    values[i - from] = value === null ? null : keep(value as never)
  }
  return values
}
