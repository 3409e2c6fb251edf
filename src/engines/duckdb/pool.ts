import { orClosed } from '../../core/closing.ts'
import * as f from '../../core/formula.ts'
import { scoresPerPoint } from '../../core/model.ts'
import type { Engine } from '../engine.ts'
import { type ScoredPoints, type SqlPool, sqlEngine, textsOf } from '../sql/engine.ts'
import type { OrderedIds } from '../sql/features.ts'
import { scoreName } from '../sql/survey-formulas.ts'
import { classTables } from './class-tables.ts'
import { type DuckdbOptions, openWorkingDatabase, type Running, type WorkingDatabase } from './database.ts'
import { drawOnDisk } from './draw-queries.ts'
import { type DuckdbPool, indexPoints, type PointIndex, type PointsOnDisk, rowsLeft, scoredRows } from './points.ts'
import { scoreTables, type TableRequest } from './score-tables.ts'
import { strataOnDisk } from './strata.ts'
import { selectAggregates, stretchesFor } from './stretches.ts'

export interface OpenDuckdbPool {
  readonly size: number
  /** Some texts or NULLs of some points, by expressions of their rows. In the order of `ids`. */
  lookUp(ids: readonly string[], expressions: readonly string[]): Promise<(string | null)[][]>
  /** Any other query, over the pool itself. */
  ask(sql: string, running?: Running): Promise<unknown[][]>
  /** The rows of a query over the pool, each after its id, in the order of the hashes of ids, batch by batch. */
  inOrder(select: string): AsyncGenerator<unknown[][]>
  /** The ids of the points at some places in that order, and of the first so many. */
  idsInOrder(places: readonly number[], first: number): Promise<OrderedIds>
  /** The same points with other features and fields. */
  with(other: Pick<DuckdbPool, 'blocks' | 'steps' | 'fields'>): OpenDuckdbPool
  /** An engine over all points; each leaves out what it was told to. */
  engine(): Engine
  close(): Promise<void>
}

/** By both halves of the hash as signed numbers, the upper one first: the order that memory has. */
const canonicalOrder = 'xor(h, 9223372039002259456::UBIGINT), id'

/**
 * A pool larger than memory, read by DuckDB where it lies: Parquet files or a database. The features are read once for each model,
 * for its scores, which are kept on disk; what comes back of a round is its draws and a few sums. Draws as `memory` does, up to floating
 * point.
 */
export async function openDuckdbPool(pool: DuckdbPool, options: DuckdbOptions = {}): Promise<OpenDuckdbPool> {
  const opened = await openWorkingDatabase(options, pool.setup ?? [])
  return orClosed(opened, async (database) => openOver(database, await indexPoints(database, pool), pool))
}

function openOver(database: WorkingDatabase, index: PointIndex, pool: DuckdbPool): OpenDuckdbPool {
  const scoresBy = scoreTables(database, index.size, pool)
  const rowsOf: SqlPool['rowsOf'] = async (ids, expressions, step) => {
    const cells = expressions.map((sql, k) => `${sql} AS cell${k}`)
    const sql = `SELECT ${[`${pool.id} AS id`, ...cells]} FROM ${pool.from} WHERE ${await index.isOneOf(ids)}`
    const rows = await database.rows(sql, { ids, step })
    return new Map(rows.map(([id, ...values]) => [String(id), values]))
  }
  return {
    size: index.size,
    lookUp: (ids, expressions) => textsOf(rowsOf, ids, expressions),
    ask: (sql, running) => database.rows(sql, running),
    async *inOrder(select) {
      const sql = `SELECT * EXCLUDE (h) FROM (SELECT * FROM (SELECT id, h FROM points) POSITIONAL JOIN (${select})) ORDER BY ${canonicalOrder}`
      for await (const chunk of database.chunks(sql)) yield chunk.getRows()
    },
    async idsInOrder(places, first) {
      const ordered = `(SELECT id, row_number() OVER (ORDER BY ${canonicalOrder}) - 1 AS place FROM points)`
      const sql = `SELECT place, id FROM ${ordered} WHERE place < ${first} OR place IN (SELECT unnest($1)::BIGINT) ORDER BY place`
      const found = await database.rows(sql, { ids: places.map(String), step: 'choosing points' })
      const ids = new Map(found.map(([place, id]) => [Number(place), String(id)]))
      return { at: places.map((place) => ids.get(place)!), first: [...ids.values()].slice(0, first) }
    },
    with: (other) => openOver(database, index, { ...pool, ...other }),
    engine: () => sqlEngine(poolLessTaken({ database, index, pool, scoresBy, rowsOf })),
    close: () => database.close(),
  }
}

interface Opened extends Pick<SqlPool, 'rowsOf'> {
  readonly database: WorkingDatabase
  readonly index: PointIndex
  readonly pool: DuckdbPool
  readonly scoresBy: ReturnType<typeof scoreTables>
}

/** The pool for one engine, with a table of the rows that it may no longer draw. */
function poolLessTaken({ database, index, pool, scoresBy, rowsOf }: Opened): SqlPool {
  const taken = database.newName('taken')
  const begun = database.rows(`CREATE TABLE ${taken} (r BIGINT)`)
  begun.catch(() => {}) // the first call that needs it fails

  async function withTable<T>(request: TableRequest, work: (points: PointsOnDisk) => Promise<T>): Promise<T> {
    await begun
    const { name, leave } = await scoresBy(request)
    try {
      return await work({ database, pool, index, scores: name, taken, signal: request.signal })
    } finally {
      await leave()
    }
  }

  const withClasses = classTables(database, (request, work) => withTable(request, ({ scores }) => work(scores)))

  return {
    name: 'duckdb',
    place: 'on disk',
    size: index.size,
    mostDraws: 1_000_000, // what DuckDB keeps of a group, at most
    blocks: pool.blocks,
    steps: pool.steps,
    fields: pool.fields,
    rowsOf,
    withScores: (request, work) => withTable(request, (points) => work(pointsOnDisk(points))),
    withClasses: (request, work, signal) =>
      withClasses(
        request,
        (tables) => {
          const classes = new Map([...tables].map(([id, table]) => [id, f.column(table)]))
          const beside = [...new Set(tables.values())]
          return withTable({ model: request.model, signal }, (points) => work(pointsOnDisk({ ...points, beside }), classes))
        },
        signal,
      ),
    strata: (strata) => strataOnDisk((signal, work) => withTable({ model: strata.model, strata, signal }, work)),
    async *scores(model) {
      const { name, leave } = await scoresBy({ model })
      const columns = Array.from({ length: scoresPerPoint(model) }, (_, k) => scoreName(k))
      try {
        for await (const chunk of database.chunks(`SELECT id, ${columns} FROM ${scoredRows({ index, scores: name }, 1)}`))
          yield chunk.getRows().map(([id, ...scores]) => [String(id), ...scores.map(Number)])
      } finally {
        await leave()
      }
    },
    async take(ids) {
      if (ids.length === 0) return
      await begun
      const rows = (await index.placesOf(ids)).map(({ row }) => `${row}`)
      const sql = `INSERT INTO ${taken} SELECT DISTINCT r FROM (SELECT unnest($1)::BIGINT AS r) WHERE r NOT IN (SELECT r FROM ${taken})`
      await database.rows(sql, { ids: rows })
    },
    async close() {
      await begun
      await database.rows(`DROP TABLE ${taken}`)
    },
  }
}

function pointsOnDisk(points: PointsOnDisk): ScoredPoints {
  const { database, signal } = points
  return {
    async aggregates(aggregation) {
      const rows = rowsLeft(points, stretchesFor(aggregation.bins?.count))
      const answer = await database.rows(selectAggregates(rows, aggregation), { step: aggregation.step, signal })
      return answer.map(([bin, count, ...values]) => ({
        bin: Number(bin),
        points: Number(count),
        values: values.map(numberOrNull),
      }))
    },
    draw: (terms) => drawOnDisk(points, terms),
  }
}

const numberOrNull = (value: unknown): number | null => (value === null ? null : Number(value))
