import { availableParallelism } from 'node:os'
import { type DuckDBConnection, type DuckDBDataChunk, DuckDBInstance } from '@duckdb/node-api'

/** A database that holds nothing: it reads files. */
export function openDatabase(): Promise<DuckDBInstance> {
  return DuckDBInstance.create(':memory:', {
    autoinstall_known_extensions: 'false', // reading a file must not reach for the network
    autoload_known_extensions: 'false',
    enable_external_file_cache: 'false', // would keep the file in memory
    preserve_insertion_order: 'true', // row i of every answer is row i of the file
    temp_directory: '', // nothing we ask for needs to spill
    threads: String(Math.min(availableParallelism(), 2)), // each holds buffers of its own
    allocator_flush_threshold: '16MB', // give memory back between one question and the next
    allocator_bulk_deallocation_flush_threshold: '16MB',
  })
}

/** A connection for one question: it carries one stream at a time. */
async function connect(database: DuckDBInstance): Promise<DuckDBConnection> {
  const connection = await database.connect()
  await connection.run("SET TimeZone = 'UTC'")
  await connection.run("SET streaming_buffer_size = '1MB'")
  return connection
}

export async function readRows(database: DuckDBInstance, sql: string): Promise<unknown[][]> {
  const connection = await connect(database)
  try {
    return (await connection.runAndReadAll(sql)).getRowsJS()
  } finally {
    connection.closeSync()
  }
}

export async function readRow(database: DuckDBInstance, sql: string): Promise<unknown[]> {
  return (await readRows(database, sql))[0] ?? []
}

/** The answer chunk by chunk, in order. */
export async function* streamChunks(database: DuckDBInstance, sql: string): AsyncGenerator<DuckDBDataChunk> {
  const connection = await connect(database)
  try {
    yield* await connection.stream(sql)
  } finally {
    connection.closeSync()
  }
}
