import type { Engine } from '../engine.ts'
import type { Row } from './connection.ts'
import { engineOver } from './engine.ts'
import { type ClickHousePool, type Fingerprint, isUnchanged, rowsOf, scanPool, totalsOf } from './points.ts'

/** A pool that has been opened. */
export interface OpenClickHousePool {
  readonly fingerprint: Fingerprint
  /** Aggregates over all points, which must be as they were when the pool was opened. */
  totals(select: readonly string[]): Promise<Row>
  /** Whether the points are as they were when the pool was opened. */
  isUnchanged(): Promise<boolean>
  /** The hash of a point, as an expression. */
  readonly hash: string
  /** Some texts or NULLs of some points, by expressions of their rows. In the order asked for. */
  lookUp(ids: readonly string[], expressions: readonly string[]): Promise<(string | null)[][]>
  /** An engine over all points; each leaves out what it was told to. */
  engine(): Engine
}

/**
 * A pool on a ClickHouse server, or on many through a Distributed table. Every shard scores its own points; what comes back of a
 * round is its draws and a few sums. Draws as `memory` does, up to floating point.
 */
export async function openClickHousePool(pool: ClickHousePool): Promise<OpenClickHousePool> {
  const scanned = await scanPool(pool)
  return {
    fingerprint: scanned.fingerprint,
    hash: scanned.hash,
    totals: (select) => totalsOf(scanned, select),
    isUnchanged: () => isUnchanged(scanned),
    async lookUp(ids, expressions) {
      const rows = await rowsOf(scanned, ids, expressions)
      return ids.map((id) => rows.get(id)!.slice(1).map(textOrNull))
    },
    engine: () => engineOver(scanned),
  }
}

const textOrNull = (cell: unknown): string | null => (cell === null ? null : String(cell))
