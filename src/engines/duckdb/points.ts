import { requireInput } from '../../core/errors.ts'
import type { Signal } from '../../core/signal.ts'
import type { TableFeatures } from '../sql/features.ts'
import type { WorkingDatabase } from './database.ts'
import { inStretches, stretchesFor } from './stretches.ts'

/** A pool that DuckDB can read: a query, and what is to be read off each of its rows. */
export interface DuckdbPool extends TableFeatures {
  /** What to select from: one row a point, in the same order every time. */
  readonly from: string
  /** The id of a point, as text. */
  readonly id: string
  /** Where a row is in its file, if that finds it faster than its id: Parquet skips what has no such row. */
  readonly line?: string | undefined
  /** To be run before anything is read: what attaches a database. */
  readonly setup?: readonly string[]
}

/** Where the points are. Their ids and hashes are a table `points`, in the order of the pool. */
export interface PointIndex {
  readonly size: number
  /** Refuses ids that no point has. */
  placesOf(ids: readonly string[]): Promise<Place[]>
  /** Remembers a point that a query came across, so that it need not be searched for. */
  remember(id: string, place: Place): void
  /** The condition that a row of the pool is one of some points, whose ids are $1. */
  isOneOf(ids: readonly string[]): Promise<string>
}

export interface Place {
  /** Among all points, from 0. */
  readonly row: number
  /** In its file. */
  readonly line: number
}

/** Points on disk with the table of their scores, and the table of the rows that may no longer be drawn. */
export interface PointsOnDisk {
  readonly database: WorkingDatabase
  readonly pool: DuckdbPool
  readonly index: PointIndex
  readonly scores: string
  /** Other tables with a row for each point, in the order of the pool. */
  readonly beside?: readonly string[]
  readonly taken: string
  readonly signal: Signal | undefined
}

/** All points with their scores: `r` is the row of a point, `h` the hash of its `id`. */
export const scoredRows = (
  { index, scores, beside = [] }: Pick<PointsOnDisk, 'index' | 'scores' | 'beside'>,
  stretches: number,
): string => inStretches(['points', scores, ...beside], index.size, stretches)

/** Those that may still be drawn. */
export const rowsLeft = (points: PointsOnDisk, stretches = stretchesFor()): string =>
  `(SELECT * FROM ${scoredRows(points, stretches)} WHERE r NOT IN (SELECT r FROM ${points.taken}))`

/** More points than that are nearly everywhere. */
const mostPlaces = 1000

/** Hashes all ids, which must be there and differ. */
export async function indexPoints(database: WorkingDatabase, { from, id, line }: DuckdbPool): Promise<PointIndex> {
  // MD5 costs as much as reading the point, so it is computed once. These 64 bits are md5_number_upper, which takes five times as long.
  const hash = `(md5_number(${id}) & 18446744073709551615::UHUGEINT)::UBIGINT`
  const columns = [`${id} AS id`, `${hash} AS h`, `${line ?? '0'}::BIGINT AS line`]
  await database.rows(`CREATE TABLE points AS SELECT ${columns} FROM ${from}`, { step: 'hashing ids' })
  const size = await requireUnique(database)
  const known = new Map<string, Place>()

  async function placesOf(ids: readonly string[]): Promise<Place[]> {
    const open = [...new Set(ids)].filter((one) => !known.has(one))
    if (open.length > 0) {
      const found = await database.rows('SELECT id, rowid, line FROM points WHERE id IN (SELECT unnest($1))', { ids: open })
      for (const [one, row, line] of found) known.set(String(one), { row: Number(row), line: Number(line) })
    }
    return ids.map((one) => {
      const place = known.get(one)
      requireInput(place !== undefined, `pool: a point named ${JSON.stringify(one)} is required, got none`)
      return place
    })
  }

  return {
    size,
    placesOf,
    remember: (one, place) => void known.set(one, place),
    async isOneOf(ids) {
      const isOne = `${id} IN (SELECT unnest($1))`
      const places = await placesOf(ids)
      if (line === undefined || places.length > mostPlaces) return isOne
      return `${isOne} AND ${line} IN (${places.map((place) => place.line)})` // written out: only then it is known before reading
    },
  }
}

/** Counts the points, whose ids must be there and differ. */
async function requireUnique(database: WorkingDatabase): Promise<number> {
  const count = async (sql: string) =>
    (await database.rows(`SELECT ${sql} FROM points`, { step: 'comparing ids' }))[0]!.map(Number)
  const [points = 0, missing = 0, hashes = 0] = await count(
    "count(*), count(*) FILTER (id IS NULL OR id = ''), count(DISTINCT h)",
  )
  requireInput(points > 0, 'pool: at least one point is required, got none')
  requireInput(missing === 0, `pool: every point needs an id, got ${missing} without one`, otherId)
  // Where all hashes differ, so do the ids; numbers take less room to compare than texts.
  const [distinct = 0] = hashes === points ? [points] : await count('count(DISTINCT id)')
  requireInput(distinct === points, `pool: ids must be unique, got ${points - distinct} repeated`, otherId)
  return points
}

const otherId = 'Choose another column with --id.'
