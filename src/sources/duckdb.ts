import { availableParallelism } from 'node:os'
import type { DuckDBConnection, DuckDBDataChunk } from '@duckdb/node-api'
import type { Signal } from '../core/signal.ts'

export interface Database {
  /** A connection for one query: it carries one stream at a time. */
  connect(): Promise<DuckDBConnection>
  release(connection: DuckDBConnection): void
  /** Makes every query under way fail. */
  interrupt(): void
  close(): void
}

type Settings = Readonly<Record<string, string>>

/** In memory, and holding nothing: it reads files. */
const readsFiles: Settings = {
  temp_directory: '', // no query needs to spill
  threads: String(Math.min(availableParallelism(), 2)), // each holds buffers of its own
  allocator_flush_threshold: '16MB', // give memory back between one query and the next
  allocator_bulk_deallocation_flush_threshold: '16MB',
}

const always: Settings = {
  autoinstall_known_extensions: 'false', // reading a file must not reach for the network
  autoload_known_extensions: 'false',
  enable_external_file_cache: 'false', // would keep the file in memory
  preserve_insertion_order: 'true', // row i of every answer is row i of the file
}

const ofConnections: Settings = {
  TimeZone: 'UTC',
  streaming_buffer_size: '1MB',
  enable_progress_bar: 'true', // so that progress can be read
  enable_progress_bar_print: 'false',
}

export async function openDatabase(path = ':memory:', settings = readsFiles): Promise<Database> {
  const { DuckDBInstance } = await import('@duckdb/node-api') // takes a while: only where something is read
  const instance = await DuckDBInstance.create(path, { ...always, ...settings })
  const connections = new Set<DuckDBConnection>()
  return {
    async connect() {
      const connection = await instance.connect()
      connections.add(connection)
      for (const [name, value] of Object.entries(ofConnections)) await connection.run(`SET ${name} = '${value}'`)
      return connection
    },
    release(connection) {
      connections.delete(connection)
      connection.closeSync()
    },
    interrupt() {
      for (const connection of connections) connection.interrupt()
    },
    close: () => instance.closeSync(),
  }
}

export interface QueryOptions {
  /** Texts that $1 stands for, as a list. */
  readonly texts?: readonly string[] | undefined
  /** Hears how much of the query is done, from 0 to 1. */
  readonly progress?: ((share: number) => void) | undefined
  readonly signal?: Signal | undefined
}

export async function readRows(database: Database, sql: string, options: QueryOptions = {}): Promise<unknown[][]> {
  const { texts, progress, signal } = options
  const { LIST, listValue, VARCHAR } = await import('@duckdb/node-api')
  const connection = await database.connect()
  const watch = () => {
    if (signal?.aborted) connection.interrupt()
    progress?.(Math.max(0, connection.progress.percentage) / 100) // −1 before it begins
  }
  const timer = (progress || signal) && setInterval(watch, 100)
  try {
    const result = texts
      ? await connection.runAndReadAll(sql, [listValue([...texts])], [LIST(VARCHAR)])
      : await connection.runAndReadAll(sql)
    return result.getRowsJS()
  } finally {
    clearInterval(timer)
    database.release(connection)
  }
}

export async function readRow(database: Database, sql: string, options?: QueryOptions): Promise<unknown[]> {
  return (await readRows(database, sql, options))[0] ?? []
}

/** The rows of a query chunk by chunk, in order. */
export async function* streamChunks(database: Database, sql: string): AsyncGenerator<DuckDBDataChunk> {
  const connection = await database.connect()
  try {
    yield* await connection.stream(sql)
  } finally {
    database.release(connection)
  }
}
