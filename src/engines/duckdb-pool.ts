import { engineOf } from './duckdb.ts'
import { type Asking, type DuckdbOptions, openWorkingDatabase } from './duckdb-database.ts'
import { type DuckdbPool, workingPoints } from './duckdb-points.ts'
import type { Engine } from './engine.ts'

/** A pool that has been opened. */
export interface OpenDuckdbPool {
  readonly size: number
  /** Some texts or NULLs of some points, by expressions of their rows. In the order asked for. */
  lookUp(ids: readonly string[], expressions: readonly string[]): Promise<(string | null)[][]>
  /** Anything else, asked of the pool itself. */
  ask(sql: string, asking?: Asking): Promise<unknown[][]>
  /** An engine over all points; each leaves out what it was told to. */
  engine(): Engine
  close(): Promise<void>
}

/**
 * A pool larger than memory, read by DuckDB where it lies: Parquet files or a database. Scores of one model at a time are kept on
 * disk; what comes back of a round is its draws and a few sums. Draws as `memory` does, up to floating point.
 */
export async function openDuckdbPool(pool: DuckdbPool, options: DuckdbOptions = {}): Promise<OpenDuckdbPool> {
  const database = await openWorkingDatabase(options, pool.setup ?? [])
  try {
    const points = await workingPoints(database, pool)
    let engines = 0
    const lookUp: OpenDuckdbPool['lookUp'] = async (ids, expressions) => {
      await points.requireAll(ids)
      if (ids.length === 0) return []
      const cells = expressions.map((sql, k) => `${sql} AS c${k}`)
      const sql = `SELECT ${[`${pool.id} AS id`, ...cells]} FROM ${pool.from} WHERE ${pool.id} IN (SELECT unnest($1))`
      const rows = await database.rows(sql, { ids, step: 'looking up' })
      const texts = rows.map(([id, ...values]): [string, (string | null)[]] => [String(id), values.map(textOrNull)])
      const byId = new Map(texts)
      return ids.map((id) => byId.get(id)!)
    }
    return {
      size: points.size,
      lookUp,
      ask: (sql, asking) => database.rows(sql, asking),
      engine: () => engineOf({ pool, database, points, lookUp }, `taken${engines++}`),
      close: () => database.close(),
    }
  } catch (error) {
    await database.close()
    throw error
  }
}

const textOrNull = (value: unknown): string | null => (value === null ? null : String(value))
