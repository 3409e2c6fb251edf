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

/** Ids and chances as expressions, and what to select them from. */
export interface ChancesSql extends Pick<TableSql, 'setup' | 'from'> {
  readonly id: string
  /** In the order of `columns`: 32-bit numbers. */
  readonly chances: readonly string[]
}

/** Those in columns of a table. */
export const chancesIn = ({ setup, from, column }: TableSql, id: string, columns: readonly string[]): ChancesSql => ({
  setup,
  from,
  id: column(id).text,
  chances: columns.map((name) => column(name).number),
})

export interface CopyRequest {
  /** What the chances are called. */
  readonly columns: readonly string[]
  readonly classes: readonly string[]
  /** The name that the model was given where it was fitted. */
  readonly name?: string | undefined
  readonly limits: DuckdbOptions
  /** Positions of those that scores are made of, where there are more. */
  readonly scored?: readonly number[]
}

/** Scores that were read once, into a database of their own: `id` and `chances`, as 32-bit numbers. */
export interface CopiedScores extends CopyRequest {
  readonly pool: OpenDuckdbPool
  readonly from: string
  readonly chances: readonly string[]
  /** Those that scores are made of. */
  readonly scoredChances: readonly string[]
}

/** Copies ids and chances out of files: all passes from then on see the same. */
export async function copyScores(source: ChancesSql, request: CopyRequest): Promise<CopiedScores> {
  const { columns, limits, scored = [...columns.keys()] } = request
  const copy = 'alis_copy'
  const chances = columns.map((_, k) => `p${k}`)
  const cells = source.chances.map((sql, k) => `${sql} AS ${chances[k]}`)
  const scoredChances = scored.map((k) => chances[k]!)
  const doubles = scoredChances.map((chance) => `${chance}::DOUBLE`)
  const copying = `CREATE TABLE ${copy} AS SELECT ${[`${source.id} AS id`, ...cells]} FROM ${source.from}`
  const opened = await openDuckdbPool(
    { from: copy, id: 'id', blocks: scoreBlocks(doubles, dialect), fields: {}, setup: [...source.setup, copying] },
    limits,
  )
  const cell = (name: string, as: string) => {
    const chance = chances[columns.indexOf(name)]
    return { sql: `${chance}::${as === 'text' ? 'VARCHAR' : 'DOUBLE'}`, isMissing: `${chance} IS NULL` }
  }
  return orClosed(opened, async (pool) => {
    await requireChances({ dialect, from: copy, id: 'id', cell, ask: pool.ask }, columns)
    return { ...request, pool, from: copy, chances, scoredChances }
  })
}

/** Scores that stay on disk. `contents`: what people see of the points, which was not copied. */
export async function snapshotOnDisk(
  { pool, from, scoredChances: chances, classes, name }: CopiedScores,
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
    model: chanceModel(sums, classes, name),
    size: pool.size,
    points: identityOfPoints(sums),
    engine: () => ({ ...pool.engine(), contents }),
    close: () => pool.close(),
  }
}
