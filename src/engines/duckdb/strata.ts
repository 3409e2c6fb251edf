import type { Stream } from '../../core/randomness.ts'
import type { Signal } from '../../core/signal.ts'
import type { StrataThresholds, StratumCandidate } from '../draw-strata.ts'
import type { StrataPoints } from '../sql/strata.ts'
import { duckdbDialect as dialect } from './dialect.ts'
import { type PointsOnDisk, rowsLeft } from './points.ts'

/** Work on points whose table of scores is one of codes, in the column `code`. */
type WithCodes = <T>(signal: Signal | undefined, work: (points: PointsOnDisk) => Promise<T>) => Promise<T>

/** The codes of all points are written down once; then counts and draws read nothing else but hashes. */
export function strataOnDisk(withCodes: WithCodes): StrataPoints {
  return {
    counts: (signal) =>
      withCodes(signal, async ({ database, scores: table }) => {
        const sql = `SELECT code, count(*) FROM ${table} GROUP BY code ORDER BY code`
        const rows = await database.rows(sql, { step: 'counting strata', signal })
        const column = (k: 0 | 1) => Float64Array.from(rows, (row) => Number(row[k]))
        return { codes: column(0), counts: column(1) }
      }),
    candidates: (thresholds, stream, signal) => withCodes(signal, (points) => candidatesAmong(points, thresholds, stream)),
    codesOf: (ids, signal) =>
      withCodes(signal, async ({ database, index, scores: table }) => {
        const rows = (await index.placesOf(ids)).map(({ row }) => `${row}`)
        const sql = `SELECT rowid, code FROM ${table} WHERE rowid IN (SELECT unnest($1)::BIGINT)`
        const found = await database.rows(sql, { ids: rows, step: 'looking up', signal })
        const codeOf = new Map(found.map(([row, code]) => [`${row}`, Number(code)]))
        return new Map(ids.map((id, k) => [id, codeOf.get(rows[k]!)!]))
      }),
  }
}

/** Thresholds are joined by their codes; ids are read for those few rows alone that have passed. */
async function candidatesAmong(
  points: PointsOnDisk,
  { codes, least }: StrataThresholds,
  stream: Stream,
): Promise<StratumCandidate[]> {
  const { database, index, signal } = points
  const numbers = (k: number) => `unnest(string_split($1[${k}], ' '))::DOUBLE` // one text of all: as many texts would take seconds
  const thresholds = `SELECT ${numbers(1)} AS code, ${numbers(2)} AS least`
  const left = `(SELECT h, r, least, code FROM ${rowsLeft(points)} JOIN (${thresholds}) USING (code))`
  const chosen = `SELECT r, code FROM ${dialect.withUniforms(left, stream)} WHERE u >= least`
  const named = '(SELECT rowid AS r, id, line FROM points WHERE rowid IN (SELECT r FROM chosen))'
  const rows = await database.rows(
    `WITH chosen AS MATERIALIZED (${chosen}) SELECT r, line, id, code FROM ${named} JOIN chosen USING (r)`,
    { ids: [codes.join(' '), least.join(' ')], step: 'drawing', signal },
  )
  return rows.map(([row, line, id, code]) => {
    index.remember(String(id), { row: Number(row), line: Number(line) }) // it may be taken, and shown
    return { id: String(id), code: Number(code) }
  })
}
