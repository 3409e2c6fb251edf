import { rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DuckDBConnection, DuckDBDataChunk } from '@duckdb/node-api'
import { AlisError } from '../../core/errors.ts'
import type { Signal } from '../../core/signal.ts'

/** What may be used, and who watches. */
export interface DuckdbOptions {
  /** Bytes that DuckDB may hold in memory; beyond that it works on disk. Default: half a gigabyte. */
  readonly memoryLimit?: number
  /** Where it works on disk. Default: the temporary directory. */
  readonly directory?: string
  /** Hears how much of a long step is done, from 0 to 1. */
  readonly progress?: (share: number, step: string) => void
  /** Hears how many bytes each answer had: what crosses from the pool to whoever asked. */
  readonly answered?: (bytes: number) => void
}

const defaultMemoryLimit = 2 ** 29

/** How to ask: which ids $1 stands for, what the step is called, and when to stop. */
export interface Asking {
  readonly ids?: readonly string[]
  readonly step?: string
  readonly signal?: Signal | undefined
}

/** A database on disk for what is not to be kept. */
export interface WorkingDatabase {
  rows(sql: string, asking?: Asking): Promise<unknown[][]>
  /** A name that no table has yet. */
  newName(what: string): string
  chunks(sql: string): AsyncGenerator<DuckDBDataChunk>
  close(): Promise<void>
}

/** `setup` is run first: what a pool needs to be read. */
export async function openWorkingDatabase(options: DuckdbOptions, setup: readonly string[]): Promise<WorkingDatabase> {
  const { DuckDBInstance, LIST, listValue, VARCHAR } = await import('@duckdb/node-api') // takes a while: only where there is such a pool
  const { memoryLimit = defaultMemoryLimit, directory = tmpdir(), progress, answered } = options
  const folder = await mkdtemp(join(directory, 'alis-')).catch((cause) => Promise.reject(failed(cause)))
  const remove = () => rmSync(folder, { recursive: true, force: true })
  process.once('exit', remove)
  const instance = await DuckDBInstance.create(join(folder, 'work.duckdb'), {
    autoinstall_known_extensions: 'false', // reading a pool must not reach for the network
    autoload_known_extensions: 'false',
    enable_external_file_cache: 'false', // would keep the files in memory
    preserve_insertion_order: 'true', // row i of every answer is row i of the pool
    memory_limit: `${Math.floor(memoryLimit / 1024)}KiB`,
    temp_directory: join(folder, 'spill'),
    threads: String(threadsFor(memoryLimit)),
  }).catch((cause) => Promise.reject(failed(cause)))

  const open = new Set<DuckDBConnection>()
  const running = new Set<Promise<unknown>>()
  let isClosing = false

  async function connect(): Promise<DuckDBConnection> {
    if (isClosing) throw new AlisError('engine-failed', 'duckdb: must be open, got one that was closed')
    const connection = await instance.connect()
    open.add(connection)
    for (const sql of ["SET TimeZone = 'UTC'", 'SET enable_progress_bar = true', 'SET enable_progress_bar_print = false'])
      await connection.run(sql)
    return connection
  }

  function release(connection: DuckDBConnection): void {
    open.delete(connection)
    connection.closeSync()
  }

  /** A question under way: whoever closes the database waits for its end. */
  function watched<T>(work: Promise<T>): Promise<T> {
    running.add(work)
    const done = () => void running.delete(work)
    work.then(done, done)
    return work
  }

  async function ask(sql: string, { ids, step, signal }: Asking): Promise<unknown[][]> {
    const connection = await connect()
    const watch = setInterval(() => {
      if (signal?.aborted) connection.interrupt()
      if (step !== undefined) progress?.(Math.max(0, connection.progress.percentage) / 100, step) // −1 before it begins
    }, 100)
    try {
      const values = ids && { values: [listValue([...ids])], types: [LIST(VARCHAR)] }
      const rows = (await connection.runAndReadAll(sql, values?.values, values?.types)).getRowsJS()
      answered?.(rows.reduce((sum, row) => sum + bytesOf(row), 0))
      return rows
    } catch (error) {
      signal?.throwIfAborted()
      throw failed(error)
    } finally {
      clearInterval(watch)
      release(connection)
    }
  }

  let names = 0
  const database: WorkingDatabase = {
    newName: (what) => `${what}${names++}`,
    rows: (sql, asking = {}) => watched(ask(sql, asking)),
    async *chunks(sql) {
      const connection = await connect()
      try {
        const result = await watched(connection.stream(sql))
        for (
          let chunk = await watched(result.fetchChunk());
          chunk && chunk.rowCount > 0;
          chunk = await watched(result.fetchChunk())
        )
          yield chunk
      } catch (error) {
        throw failed(error)
      } finally {
        release(connection)
      }
    },
    async close() {
      isClosing = true
      for (const connection of open) connection.interrupt() // a thread that ends while DuckDB works takes the process with it
      await Promise.allSettled(running)
      instance.closeSync()
      process.off('exit', remove)
      remove()
    },
  }
  for (const sql of setup) await database.rows(sql)
  return database
}

/** Numbers as they are, eight bytes each. */
const bytesOf = (row: readonly unknown[]): number =>
  row.reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : 8), 0)

/** Each thread holds buffers of its own, so a small limit is for few of them. */
function threadsFor(memoryLimit: number): number {
  return Math.max(1, Math.min(availableParallelism(), Math.floor(memoryLimit / 2 ** 26)))
}

function failed(cause: unknown): AlisError {
  const message = cause instanceof Error ? cause.message.split('\n')[0]! : String(cause)
  const isMemory = /out of memory|memory_limit/i.test(message)
  const isDisk = /no space left|max_temp_directory_size/i.test(message)
  const hint = isMemory
    ? 'Allow more with --memory, or write the files with smaller row groups: one must fit for each thread.'
    : isDisk
      ? 'Name a directory with more room in the environment variable TMPDIR.'
      : undefined
  return new AlisError('engine-failed', `duckdb: ${message}`, hint, { cause })
}
