import type { Formula } from '../../core/formula.ts'
import * as f from '../../core/formula.ts'
import type { StrataThresholds } from '../draw-strata.ts'
import type { Engine } from '../engine.ts'
import { type ScoredPoints, type SqlPool, sqlEngine, textsOf } from '../sql/engine.ts'
import { columnsOf, type OrderedIds, type StepFeatures } from '../sql/features.ts'
import type { StrataPoints } from '../sql/strata.ts'
import { computedRows, type PointsOnClickHouse, scoresIn, valueAt } from './computed-rows.ts'
import type { Row } from './connection.ts'
import { clickhouseDialect } from './dialect.ts'
import { drawOnClickHouse } from './draw-queries.ts'
import { pass } from './pass.ts'
import {
  blockSettings,
  type ClickHousePool,
  type Fingerprint,
  isUnchanged,
  rowsOf,
  type ScannedPool,
  scanPool,
} from './points.ts'
import { pointsLeft, totalsOf } from './points-left.ts'
import { listIn, numberIn, textIn } from './rows.ts'

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
  /** The ids of the points at some places in the order that memory has, and of the first so many. */
  idsInOrder(places: readonly number[], first: number): Promise<OrderedIds>
  /** The same points with features of steps. */
  with(steps: StepFeatures | undefined): OpenClickHousePool
  /** An engine over all points; each leaves out what it was told to. */
  engine(): Engine
}

/**
 * A pool on a ClickHouse server, or on many through a Distributed table. Every shard scores its own points; what comes back of a
 * round is its draws and a few sums. Draws as `memory` does, up to floating point.
 */
export async function openClickHousePool(pool: ClickHousePool): Promise<OpenClickHousePool> {
  return openOver(await scanPool(pool))
}

function openOver(scanned: ScannedPool): OpenClickHousePool {
  return {
    fingerprint: scanned.fingerprint,
    hash: scanned.hash,
    totals: (select) => totalsOf(scanned, select),
    isUnchanged: () => isUnchanged(scanned),
    lookUp: (ids, expressions) => textsOf((some, cells) => rowsOf(scanned, some, cells), ids, expressions),
    idsInOrder: (places, first) => idsInOrder(scanned, places, first),
    with: (steps) => openOver({ ...scanned, steps, settings: blockSettings(columnsOf({ ...scanned, steps })) }),
    engine: () => sqlEngine(poolLessTaken(scanned)),
  }
}

/** By both halves of the hash as signed numbers, the upper one first. The first ids come back, and those at the places, but no column of ids. */
async function idsInOrder(
  { session, idText, hash, settings }: ScannedPool,
  places: readonly number[],
  first: number,
): Promise<OrderedIds> {
  const ordered = `(SELECT ${idText} AS id FROM ${session.table} ORDER BY bitXor(${hash}, toUInt64(9223372039002259456)), id)`
  const at = `arrayMap(place -> ids[place], [${places.map((place) => place + 1)}])`
  const sql = `SELECT ${places.length > 0 ? at : '[]'}, arraySlice(ids, 1, ${first}) FROM (SELECT groupArray(id) AS ids FROM ${ordered})`
  const [row] = await session.ask({ sql, settings })
  return { at: listIn(row!, 0).map(String), first: listIn(row!, 1).map(String) }
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
    steps: pool.steps,
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

function pointsOnClickHouse(points: PointsOnClickHouse): ScoredPoints {
  return {
    aggregates: (aggregation) => pass(points, aggregation),
    draw: (terms) => drawOnClickHouse(points, terms),
  }
}

/** Under a name that no table is likely to use: an alias stands for itself wherever it occurs. */
const group = '__alis_code'

/** Every pass computes the codes of its points where they lie; what comes back is counts, or the few points that may be drawn. */
function strataOnClickHouse(points: PointsOnClickHouse, code: Formula): StrataPoints {
  const { pool, left, dialect } = points
  return {
    async counts(signal) {
      const tail = ` GROUP BY ${group} ORDER BY ${group}`
      const rows = await pointsLeft(pool).counted([`${valueAt(0)} AS ${group}`], computedRows(points, { code }), tail, signal)
      const column = (k: number) => Float64Array.from(rows, (row) => numberIn(row, k))
      return { codes: column(0), counts: column(1) }
    },
    async candidates({ codes, least }: StrataThresholds, stream, signal) {
      const [own, u] = [valueAt(0), valueAt(1)]
      // Once in the query, and outside of functions x → …, where old servers write it out for every row. They find no doubles by it.
      const threshold = `transform(toUInt64(${own}), [${codes}], [${Array.from(least, dialect.number)}], 2e0)`
      const found = `groupArrayIf(tuple(${pool.idText}, ${own}), ${u} >= ${threshold})`
      const rows = computedRows(points, { code, u: f.column('u') }, stream)
      const [all] = await left.counted([found], rows, '', signal)
      return listIn(all!, 0).map((cell) => {
        const candidate = [cell].flat()
        return { id: textIn(candidate, 0), code: numberIn(candidate, 1) }
      })
    },
    async codesOf(ids) {
      const rows = await rowsOf(pool, ids, [valueAt(0)], computedRows(points, { code }).from)
      return new Map([...rows].map(([id, row]) => [id, numberIn(row, 0)]))
    },
  }
}
