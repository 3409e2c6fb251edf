import type { Engine } from '../engine.ts'
import { type SqlPool, sqlEngine, textsOf } from '../sql/engine.ts'
import { computedRows, scoresIn, valueAt } from './computed-rows.ts'
import type { Row } from './connection.ts'
import { clickhouseDialect } from './dialect.ts'
import { type ClickHousePool, type Fingerprint, isUnchanged, rowsOf, type ScannedPool, scanPool } from './points.ts'
import { pointsLeft, totalsOf } from './points-left.ts'
import { numberIn, textIn } from './rows.ts'
import { pointsOnClickHouse } from './scored-points.ts'
import { strataOnClickHouse } from './strata.ts'

/** A pool that has been opened. */
export interface OpenClickHousePool {
  readonly fingerprint: Fingerprint
  /** Aggregates over all points, which must be as they were when the pool was opened. */
  totals(select: readonly string[]): Promise<Row>
  /** Whether the points are as they were when the pool was opened. */
  isUnchanged(): Promise<boolean>
  /** The hash of a point, as an expression. */
  readonly hash: string
  /** Some texts or NULLs of some points, by expressions of their rows. In the order of `ids`. */
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
    lookUp: (ids, expressions) => textsOf((some, cells) => rowsOf(scanned, some, cells), ids, expressions),
    engine: () => sqlEngine(poolLessTaken(scanned)),
  }
}

/** Predictions of one batch: few, because they are shown page by page. Each batch is a pass over the hashes. */
const predictionBatch = 2 ** 16

/** The pool for one engine, with the ids that it may no longer draw. */
function poolLessTaken(pool: ScannedPool): SqlPool {
  const { session, blocks, fields, idText, hash, fingerprint } = pool
  const left = pointsLeft(pool)
  const dialect = clickhouseDialect(session.abilities)
  return {
    name: 'clickhouse',
    place: 'on ClickHouse',
    size: fingerprint.points,
    mostDraws: Number.POSITIVE_INFINITY,
    blocks,
    fields,
    withScores: (request, work) => work(pointsOnClickHouse({ ...request, pool, left, dialect })),
    strata: ({ model, code }) => strataOnClickHouse({ model, pool, left, dialect }, code),
    async *scores(model) {
      const formulas = scoresIn(model)
      const values = Object.keys(formulas).map((_, k) => valueAt(k))
      const { from } = computedRows({ model, pool, left, dialect }, formulas)
      const batches = Math.ceil(fingerprint.points / predictionBatch)
      for (let batch = 0; batch < batches; batch++) {
        const sql = `SELECT ${[idText, ...values].join(', ')} FROM ${from} WHERE ${hash} % ${batches} = ${batch}`
        const rows = await session.ask({ sql })
        yield rows.map((row) => [textIn(row, 0), ...values.map((_, k) => numberIn(row, k + 1))])
      }
    },
    rowsOf: (ids, expressions) => rowsOf(pool, ids, expressions),
    take: left.take,
    async close() {
      session.close()
    },
  }
}
