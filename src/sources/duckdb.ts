import { availableParallelism } from 'node:os'
import type { DuckDBConnection, DuckDBDataChunk } from '@duckdb/node-api'

/** DuckDB, holding nothing: it reads files. */
export interface Database {
  /** A connection for one question: it carries one stream at a time. */
  connect(): Promise<DuckDBConnection>
  /** Closes a connection. */
  release(connection: DuckDBConnection): void
  /** Makes whatever is being asked fail. */
  interrupt(): void
  close(): void
}

export async function openDatabase(): Promise<Database> {
  const { DuckDBInstance } = await import('@duckdb/node-api') // takes a while: only where something is read
  const instance = await DuckDBInstance.create(':memory:', {
    autoinstall_known_extensions: 'false', // reading a file must not reach for the network
    autoload_known_extensions: 'false',
    enable_external_file_cache: 'false', // would keep the file in memory
    preserve_insertion_order: 'true', // row i of every answer is row i of the file
    temp_directory: '', // nothing we ask for needs to spill
    threads: String(Math.min(availableParallelism(), 2)), // each holds buffers of its own
    allocator_flush_threshold: '16MB', // give memory back between one question and the next
    allocator_bulk_deallocation_flush_threshold: '16MB',
  })
  const connections = new Set<DuckDBConnection>()
  return {
    async connect() {
      const connection = await instance.connect()
      connections.add(connection)
      for (const [name, value] of Object.entries(settings)) await connection.run(`SET ${name} = '${value}'`)
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

const settings = {
  TimeZone: 'UTC',
  streaming_buffer_size: '1MB',
  enable_progress_bar: 'true', // so that it can be asked for
  enable_progress_bar_print: 'false',
}

/** Hears how much of a question has been answered, from 0 to 1. */
type Progress = (share: number) => void

export async function readRows(database: Database, sql: string, progress?: Progress): Promise<unknown[][]> {
  const connection = await database.connect()
  const tell = () => progress?.(Math.max(0, connection.progress.percentage) / 100) // −1 before it begins
  const timer = progress && setInterval(tell, 100)
  try {
    return (await connection.runAndReadAll(sql)).getRowsJS()
  } finally {
    clearInterval(timer)
    database.release(connection)
  }
}

export async function readRow(database: Database, sql: string, progress?: Progress): Promise<unknown[]> {
  return (await readRows(database, sql, progress))[0] ?? []
}

/** The answer chunk by chunk, in order. */
export async function* streamChunks(database: Database, sql: string): AsyncGenerator<DuckDBDataChunk> {
  const connection = await database.connect()
  try {
    yield* await connection.stream(sql)
  } finally {
    database.release(connection)
  }
}
