import { chanceDigits, chanceModel, chanceStream, identityOfPoints, idStream } from '../../core/chances.ts'
import type { Stream } from '../../core/randomness.ts'
import { uniformOf } from '../../engines/clickhouse/dialect.ts'
import { type OpenClickHousePool, openClickHousePool } from '../../engines/clickhouse/pool.ts'
import { textIn } from '../../engines/clickhouse/rows.ts'
import { doubleText } from '../../engines/clickhouse/sql-text.ts'
import { type ScoreSnapshot, scoredPool } from '../../engines/scored-pool.ts'
import { openPoolOnClickHouse } from '../pools/clickhouse.ts'
import { hashedIn } from '../pools/clickhouse-table.ts'
import type { PoolWish } from '../pools/engine-choice.ts'
import { labelsOf } from '../pools/label-column.ts'
import type { Loading } from '../pools/pool-data.ts'
import { chanceColumns, requireChances, requireNoTest, type ScoreOptions, scoreBlocks, scoresRecipe } from './columns.ts'

/** A pool on ClickHouse whose scores stay in columns of its table. Every pass checks that they are those of the snapshot it speaks of. */
export function loadScoresOnClickHouse(address: string, options: ScoreOptions, loading: Loading, wish: PoolWish) {
  requireNoTest(options)
  return openPoolOnClickHouse(address, options, loading, wish, async ({ session, id, fields, table, facts }) => {
    let newest: OpenClickHousePool | undefined
    const recipe = scoresRecipe(facts.rows, options.scores)
    const labels = await labelsOf(table, (ids, expressions) => newest!.lookUp(ids, expressions), recipe, options)
    const columns = chanceColumns(options.scores, labels.classes)
    const chances = columns.map((name) => table.cell(name, 'number').sql)
    const read = { session, id, fields, blocks: scoreBlocks(chances, table.dialect), hashed: hashedIn(session, columns) }
    const pools = new WeakMap<ScoreSnapshot, OpenClickHousePool>() // as it was at each snapshot
    loading.progress?.(0.75, 'ids')

    const pool = await scoredPool(async (latest) => {
      if (latest && (await pools.get(latest)?.isUnchanged())) return latest
      await requireChances(table, columns)
      const opened = await openClickHousePool(read)
      const snapshot = await snapshotOf(opened, chances, labels.classes)
      pools.set(snapshot, opened)
      newest = opened
      return snapshot
    })
    const { size, hash, look, engine } = pool
    return { recipe: scoresRecipe(size, columns), hash, size, engine, look, ...labels }
  })
}

async function snapshotOf(
  pool: OpenClickHousePool,
  chances: readonly string[],
  classes: readonly string[],
): Promise<ScoreSnapshot> {
  const row = await pool.totals(sumsOf(pool.hash, chances))
  const { points } = pool.fingerprint
  const total = chances.reduce((sum, _, k) => sum + BigInt(textIn(row, k + 1)), 0n)
  const sums = { points, ids: BigInt(textIn(row, 0)), chances: BigInt.asUintN(64, total) }
  return {
    model: chanceModel(sums, classes),
    size: points,
    points: identityOfPoints(sums),
    engine: pool.engine,
    async close() {},
  }
}

/** The checksums of ids and of each column of chances, modulo 2⁶⁴.   @see chanceSums */
function sumsOf(hash: string, chances: readonly string[]): string[] {
  const digits = doubleText(chanceDigits)
  const sum = (hashed: string, stream: Stream) => `sum(toUInt64(${uniformOf(hashed, stream)} * ${digits}))`
  return [
    sum(hash, idStream),
    ...chances.map((chance, k) => sum(`bitXor(${hash}, toUInt64(floor(${chance} * ${digits})))`, chanceStream(k))),
  ]
}
