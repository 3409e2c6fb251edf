import {
  chanceDigits,
  chanceModel,
  chanceStream,
  chanceSums,
  identityOfPoints,
  idStream,
  scoresOfChances,
} from '../../core/chances.ts'
import { dense } from '../../core/features.ts'
import type { Stream } from '../../core/randomness.ts'
import type { DuckdbOptions } from '../../engines/duckdb/database.ts'
import { duckdbDialect as dialect } from '../../engines/duckdb/dialect.ts'
import { type OpenDuckdbPool, openDuckdbPool } from '../../engines/duckdb/pool.ts'
import type { Engine } from '../../engines/engine.ts'
import { memoryEngine } from '../../engines/memory.ts'
import type { ScoreSnapshot } from '../../engines/scored-pool.ts'
import { scoreExpressions } from '../../engines/sql/chances.ts'
import type { TableSql } from '../../sources/table.ts'
import { canonicalOrder } from '../pools/points.ts'
import { requireChances } from './columns.ts'

export interface CopyRequest {
  /** The column that names the points. */
  readonly id: string
  /** Columns of chances, in the order of the scores. */
  readonly columns: readonly string[]
  readonly classes: readonly string[]
  readonly limits: DuckdbOptions
}

/** Scores that were read once, into a database of their own. */
export interface CopiedScores extends CopyRequest {
  readonly pool: OpenDuckdbPool
}

const copy = 'alis_copy'
const chance = (k: number): string => `p${k}`

/** Copies ids and chances out of files: whatever is asked from then on is about the same. */
export async function copyScores({ setup, from, column }: TableSql, request: CopyRequest): Promise<CopiedScores> {
  const { id, columns, limits } = request
  const cells = columns.map((name, k) => `${column(name).number} AS ${chance(k)}`)
  const blocks = scoreExpressions(
    columns.map((_, k) => `${chance(k)}::DOUBLE`),
    dialect,
  )
  const pool = await openDuckdbPool(
    {
      from: copy,
      id: 'id',
      blocks: blocks.map((sql) => ({ kind: 'number' as const, sql })),
      fields: {},
      setup: [...setup, `CREATE TABLE ${copy} AS SELECT ${[`${column(id).text} AS id`, ...cells]} FROM ${from}`],
    },
    limits,
  )
  try {
    for (const [k, name] of columns.entries()) {
      const bad = `NOT coalesce(${chance(k)} BETWEEN 0 AND 1, false)`
      requireChances(name, (await pool.ask(`SELECT id, ${chance(k)}::VARCHAR FROM ${copy} WHERE ${bad} LIMIT 1`))[0])
    }
    return { ...request, pool }
  } catch (error) {
    await pool.close()
    throw error
  }
}

/** A look at scores that stay on disk. `contents`: what people see of the points, which was not copied. */
export async function lookOnDisk({ pool, columns, classes }: CopiedScores, contents: Engine['contents']): Promise<ScoreSnapshot> {
  const sum = async (hash: string, stream: Stream) => {
    const uniforms = dialect.withUniforms(`(SELECT ${hash} AS h FROM ${copy})`, stream)
    const [row] = await pool.ask(`SELECT sum((u * ${dialect.number(chanceDigits)})::UBIGINT)::VARCHAR FROM ${uniforms}`)
    return BigInt(String(row![0]))
  }
  const hash = 'md5_number_upper(id)'
  let chances = 0n
  for (const k of columns.keys()) {
    const digits = `floor(${chance(k)}::DOUBLE * ${dialect.number(chanceDigits)})::UBIGINT`
    chances += await sum(`xor(${hash}, ${digits})`, chanceStream(k))
  }
  const ids = BigInt.asUintN(64, await sum(hash, idStream))
  const sums = { points: pool.size, ids, chances: BigInt.asUintN(64, chances) }
  return {
    model: chanceModel(sums, classes),
    size: pool.size,
    points: identityOfPoints(sums),
    engine: () => ({ ...pool.engine(), contents }),
    close: () => pool.close(),
  }
}

const pageRows = 2 ** 17

/** A look at scores that are taken into memory; the copy is not needed any more. */
export async function lookInMemory(
  { pool, columns, classes }: CopiedScores,
  contents: Engine['contents'],
): Promise<ScoreSnapshot> {
  const ids = new Array<string>(pool.size)
  const chances = columns.map(() => new Float32Array(pool.size))
  for (let start = 0; start < pool.size; start += pageRows) {
    const within = `rowid >= ${start} AND rowid < ${start + pageRows}`
    const page = await pool.ask(
      `SELECT ${['id', ...columns.map((_, k) => chance(k))]} FROM ${copy} WHERE ${within} ORDER BY rowid`,
    )
    for (const [i, [id, ...said]] of page.entries()) {
      ids[start + i] = String(id)
      for (const [k, column] of chances.entries()) column[start + i] = Number(said[k])
    }
  }
  await pool.close()

  const { order, hashes } = canonicalOrder(ids)
  const sorted = chances.map((column) => Float32Array.from(order, (row) => column[row]!))
  const scores = new Float64Array(columns.length * ids.length)
  for (let i = 0; i < ids.length; i++) scores.set(scoresOfChances(sorted.map((column) => column[i]!)), i * columns.length)
  const points = { ids: order.map((row) => ids[row]!), hashes, features: dense(scores, columns.length) }
  const sums = chanceSums(hashes, sorted)
  return {
    model: chanceModel(sums, classes),
    size: ids.length,
    points: identityOfPoints(sums),
    engine: () => ({ ...memoryEngine(points), contents }),
    async close() {},
  }
}
