import type { Engine } from '../engine.ts'
import { type Asking, type DuckdbOptions, openWorkingDatabase, type WorkingDatabase } from './database.ts'
import { engineOf } from './engine.ts'
import { type DuckdbPool, type HashedPoints, hashedPoints, workingPoints } from './points.ts'

/** A pool that has been opened. */
export interface OpenDuckdbPool {
  readonly size: number
  /** Some texts or NULLs of some points, by expressions of their rows. In the order asked for. */
  lookUp(ids: readonly string[], expressions: readonly string[]): Promise<(string | null)[][]>
  /** Anything else, asked of the pool itself. */
  ask(sql: string, asking?: Asking): Promise<unknown[][]>
  /** The rows of a query over the pool, each after its id, in the order of the hashes of ids, batch by batch. */
  inOrder(select: string): AsyncGenerator<unknown[][]>
  /** The same points with other features and fields. */
  with(other: Pick<DuckdbPool, 'blocks' | 'fields'>): OpenDuckdbPool
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
    return openOver(database, await hashedPoints(database, pool), pool)
  } catch (error) {
    await database.close()
    throw error
  }
}

function openOver(database: WorkingDatabase, hashed: HashedPoints, pool: DuckdbPool): OpenDuckdbPool {
  const points = workingPoints(database, hashed, pool)
  const lookUp: OpenDuckdbPool['lookUp'] = async (ids, expressions) => {
    if (ids.length === 0) return []
    const cells = expressions.map((sql, k) => `${sql} AS cell${k}`)
    const sql = `SELECT ${[`${pool.id} AS id`, ...cells]} FROM ${pool.from} WHERE ${await points.isOneOf(ids)}`
    const rows = await database.rows(sql, { ids, step: 'looking up' })
    const texts = rows.map(([id, ...values]): [string, (string | null)[]] => [String(id), values.map(textOrNull)])
    const byId = new Map(texts)
    return ids.map((id) => byId.get(id)!)
  }
  return {
    size: points.size,
    lookUp,
    ask: (sql, asking) => database.rows(sql, asking),
    async *inOrder(select) {
      // By both halves of the hash as signed numbers, the upper one first: the order that memory has.
      const order = 'xor(h, 9223372039002259456::UBIGINT), id'
      const sql = `SELECT * EXCLUDE (h) FROM (SELECT * FROM (SELECT id, h FROM points) POSITIONAL JOIN (${select})) ORDER BY ${order}`
      for await (const chunk of database.chunks(sql)) yield chunk.getRows()
    },
    with: (other) => openOver(database, hashed, { ...pool, ...other }),
    engine: () => engineOf({ pool, database, points, lookUp }),
    close: () => database.close(),
  }
}

const textOrNull = (value: unknown): string | null => (value === null ? null : String(value))
