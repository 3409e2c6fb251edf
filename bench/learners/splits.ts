import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { uniform } from '../../src/core/randomness.ts'
import type { LearnerSet } from './sets.ts'

/** Files that all of them learn from and are tested on: columns `id`, the features, and `y`, or of texts `id`, `text` and `y`. */
export interface Split {
  readonly set: LearnerSet
  readonly seed: number
  readonly pool: string
  readonly test: string
  /** Rows of each. */
  readonly points: number
  readonly tested: number
}

const mostRows = 4000
const testShare = 0.3

/** Writes the rows of a set by lots of the seed: three in ten to test on. Of more than 4,000 rows the same 4,000 are taken for all seeds. */
export async function splitOf(set: LearnerSet, path: string, seed: number, folder: string): Promise<Split> {
  const instance = await DuckDBInstance.create()
  const connection = await instance.connect()
  try {
    await connection.run(`CREATE TABLE rows AS
      SELECT row_number() OVER () AS place, * FROM read_csv(${text(path)}, all_varchar = true, nullstr = ['', 'NA'])`)
    await connection.run(`DELETE FROM rows WHERE ${name(set.label)} IS NULL`)
    const found = await connection.runAndReadAll('SELECT place FROM rows ORDER BY place')
    const all = found.getRows().map(([place]) => Number(place))
    const used = byLot(all, 0, 'rows').slice(0, mostRows)
    const lots = byLot(used, seed, 'test')
    const tested = Math.round(testShare * used.length)
    const place = join(folder, `${set.name}-${seed}`)
    mkdirSync(place, { recursive: true })
    const [test, pool] = [join(place, 'test.csv'), join(place, 'pool.csv')]
    await write(lots.slice(0, tested), test)
    await write(lots.slice(tested), pool)
    return { set, seed, pool, test, points: used.length - tested, tested }
  } finally {
    connection.closeSync()
    instance.closeSync()
  }

  async function write(places: readonly number[], into: string): Promise<void> {
    const features = set.text ? name(set.text) : `* EXCLUDE (place, ${name(set.label)}${await idToo()})`
    const wanted = `SELECT place AS id, ${features}, ${classOf(set)} AS y FROM rows WHERE place IN (${places.join()}) ORDER BY place`
    await connection.run(`COPY (${wanted}) TO ${text(into)} (HEADER)`)
  }

  async function idToo(): Promise<string> {
    const found = await connection.runAndReadAll(`SELECT count(*) FROM pragma_table_info('rows') WHERE name = 'id'`)
    return Number(found.getRows()[0]![0]) > 0 ? ', id' : ''
  }
}

const byLot = (places: readonly number[], seed: number, stream: string): number[] =>
  places
    .map((place) => ({ place, lot: uniform(seed, stream, `${place}`) }))
    .sort((a, b) => a.lot - b.lot)
    .map(({ place }) => place)

const text = (value: string) => `'${value.replaceAll("'", "''")}'`
const name = (column: string) => `"${column.replaceAll('"', '""')}"`

function classOf({ label, positive }: LearnerSet): string {
  if (!positive) return name(label)
  return `CASE WHEN ${name(label)} IN (${positive.map(text).join()}) THEN 'yes' ELSE 'no' END`
}
