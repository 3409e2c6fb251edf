import { availableParallelism } from 'node:os'
import type { DuckDBDataChunk } from '@duckdb/node-api'
import { AlisError } from '../../core/errors.ts'
import type { Signal } from '../../core/signal.ts'
import { openDatabase, readRows, streamChunks } from '../../sources/duckdb.ts'
import { openScratch } from '../../sources/scratch.ts'

/** What may be used, and who watches. */
export interface DuckdbOptions {
  /** Bytes that DuckDB may hold in memory; beyond that it works on disk. Default: half a gigabyte. */
  readonly memoryLimit?: number
  /** Where it works on disk. Default: the temporary directory. */
  readonly directory?: string
  /** Hears how much of a long step is done, from 0 to 1. */
  readonly progress?: (share: number, step: string) => void
  /** Hears how many bytes each answer had: what crosses from the pool to its callers. */
  readonly answered?: (bytes: number) => void
}

const defaultMemoryLimit = 2 ** 29

/** How to run a query: which texts $1 stands for, what the step is called, and when to stop. */
export interface Running {
  readonly ids?: readonly string[]
  readonly step?: string
  readonly signal?: Signal | undefined
}

/** A database on disk for what is not to be kept. */
export interface WorkingDatabase {
  rows(sql: string, running?: Running): Promise<unknown[][]>
  /** A name that no table has yet. */
  newName(what: string): string
  chunks(sql: string): AsyncGenerator<DuckDBDataChunk>
  close(): Promise<void>
}

/** `setup` is run first: what a pool needs to be read. */
export async function openWorkingDatabase(options: DuckdbOptions, setup: readonly string[]): Promise<WorkingDatabase> {
  const { memoryLimit = defaultMemoryLimit, directory, progress, answered } = options
  const scratch = openScratch(directory, failed)
  const stem = await scratch.name()
  const database = await openDatabase(`${stem}.duckdb`, {
    memory_limit: `${Math.floor(memoryLimit / 1024)}KiB`,
    temp_directory: `${stem}-spill`,
    threads: String(threadsFor(memoryLimit)),
  }).catch((cause) => Promise.reject(failed(cause)))
  const tasks = tasksUnderWay()

  async function rows(sql: string, { ids, step, signal }: Running): Promise<unknown[][]> {
    try {
      const share = step === undefined ? undefined : (done: number) => progress?.(done, step)
      const found = await readRows(database, sql, { texts: ids, signal, progress: share })
      answered?.(found.reduce((sum, row) => sum + bytesOf(row), 0))
      return found
    } catch (error) {
      signal?.throwIfAborted()
      throw failed(error)
    }
  }

  let names = 0
  const working: WorkingDatabase = {
    newName: (what) => `${what}${names++}`,
    rows: (sql, running = {}) => tasks.run(() => rows(sql, running)),
    async *chunks(sql) {
      const chunks = streamChunks(database, sql)
      const next = () => tasks.run(() => chunks.next())
      try {
        for (let chunk = await next(); !chunk.done; chunk = await next()) yield chunk.value
      } catch (error) {
        throw failed(error)
      } finally {
        await chunks.return(undefined)
      }
    },
    async close() {
      await tasks.close(database.interrupt) // a thread that ends while DuckDB works takes the process with it
      database.close()
      scratch.close()
    },
  }
  for (const sql of setup) await working.rows(sql)
  return working
}

/** Queries under way: closing waits for their end, and lets no other begin. */
function tasksUnderWay() {
  const running = new Set<Promise<unknown>>()
  let isClosing = false
  return {
    async run<T>(work: () => Promise<T>): Promise<T> {
      if (isClosing) throw new AlisError('engine-failed', 'duckdb: must be open, got one that was closed')
      const task = work()
      running.add(task)
      try {
        return await task
      } finally {
        running.delete(task)
      }
    },
    async close(interrupt: () => void): Promise<void> {
      isClosing = true
      interrupt()
      await Promise.allSettled(running)
    },
  }
}

/** Numbers as they are, eight bytes each. */
const bytesOf = (row: readonly unknown[]): number =>
  row.reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : 8), 0)

/** Each thread holds buffers of its own, so a small limit is for few of them. */
function threadsFor(memoryLimit: number): number {
  return Math.max(1, Math.min(availableParallelism(), Math.floor(memoryLimit / 2 ** 26)))
}

function failed(cause: unknown): AlisError {
  if (cause instanceof AlisError) return cause
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
