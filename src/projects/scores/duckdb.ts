import { chanceDigits, chanceModel, chanceStream, identityOfPoints, idStream } from '../../core/chances.ts'
import { orClosed } from '../../core/closing.ts'
import type { Stream } from '../../core/randomness.ts'
import type { DuckdbOptions } from '../../engines/duckdb/database.ts'
import { duckdbDialect as dialect } from '../../engines/duckdb/dialect.ts'
import { type OpenDuckdbPool, openDuckdbPool } from '../../engines/duckdb/pool.ts'
import type { Engine } from '../../engines/engine.ts'
import type { ScoreSnapshot } from '../../engines/scored-pool.ts'
import type { TableSql } from '../../sources/table.ts'
import { requireChances, scoreBlocks } from './columns.ts'

export interface CopyRequest {
  /** The column that names the points. */
  readonly id: string
  /** Columns of chances, in the order of the scores. */
  readonly columns: readonly string[]
  readonly classes: readonly string[]
  readonly limits: DuckdbOptions
}

/** Scores that were read once, into a database of their own: `id` and `chances`, as 32-bit numbers. */
export interface CopiedScores extends CopyRequest {
  readonly pool: OpenDuckdbPool
  readonly from: string
  readonly chances: readonly string[]
}

/** Copies ids and chances out of files: all passes from then on see the same. */
export async function copyScores({ setup, from, column }: TableSql, request: CopyRequest): Promise<CopiedScores> {
  const { id, columns, limits } = request
  const copy = 'alis_copy'
  const chances = columns.map((_, k) => `p${k}`)
  const cells = columns.map((name, k) => `${column(name).number} AS ${chances[k]}`)
  const doubles = chances.map((chance) => `${chance}::DOUBLE`)
  const copying = `CREATE TABLE ${copy} AS SELECT ${[`${column(id).text} AS id`, ...cells]} FROM ${from}`
  const opened = await openDuckdbPool(
    { from: copy, id: 'id', blocks: scoreBlocks(doubles, dialect), fields: {}, setup: [...setup, copying] },
    limits,
  )
  const cell = (name: string, as: string) => {
    const chance = chances[columns.indexOf(name)]
    return { sql: `${chance}::${as === 'text' ? 'VARCHAR' : 'DOUBLE'}`, isMissing: `${chance} IS NULL` }
  }
  return orClosed(opened, async (pool) => {
    await requireChances({ dialect, from: copy, id: 'id', cell, ask: pool.ask }, columns)
    return { ...request, pool, from: copy, chances }
  })
}

/** Scores that stay on disk. `contents`: what people see of the points, which was not copied. */
export async function snapshotOnDisk(
  { pool, from, chances, classes }: CopiedScores,
  contents: Engine['contents'],
): Promise<ScoreSnapshot> {
  const sum = async (hash: string, stream: Stream) => {
    const uniforms = dialect.withUniforms(`(SELECT ${hash} AS h FROM ${from})`, stream)
    const [row] = await pool.ask(`SELECT sum((u * ${dialect.number(chanceDigits)})::UBIGINT)::VARCHAR FROM ${uniforms}`)
    return BigInt(String(row![0]))
  }
  const hash = 'md5_number_upper(id)'
  let total = 0n
  for (const [k, chance] of chances.entries()) {
    const digits = `floor(${chance}::DOUBLE * ${dialect.number(chanceDigits)})::UBIGINT`
    total += await sum(`xor(${hash}, ${digits})`, chanceStream(k))
  }
  const ids = BigInt.asUintN(64, await sum(hash, idStream))
  const sums = { points: pool.size, ids, chances: BigInt.asUintN(64, total) }
  return {
    model: chanceModel(sums, classes),
    size: pool.size,
    points: identityOfPoints(sums),
    engine: () => ({ ...pool.engine(), contents }),
    close: () => pool.close(),
  }
}
