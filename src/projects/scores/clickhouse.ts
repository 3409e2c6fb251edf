import { chanceDigits, chanceModel, chanceStream, identityOfPoints, idStream } from '../../core/chances.ts'
import type { Stream } from '../../core/randomness.ts'
import { uniformOf } from '../../engines/clickhouse/dialect.ts'
import { type OpenClickHousePool, openClickHousePool } from '../../engines/clickhouse/pool.ts'
import { textIn } from '../../engines/clickhouse/rows.ts'
import { doubleText } from '../../engines/clickhouse/sql-text.ts'
import { type ScoredPool, type ScoreSnapshot, scoredPool } from '../../engines/scored-pool.ts'
import { openPoolOnClickHouse, type TableOfPoints } from '../pools/clickhouse.ts'
import { hashedIn } from '../pools/clickhouse-table.ts'
import type { PoolWish } from '../pools/engine-choice.ts'
import { labelsOf } from '../pools/label-column.ts'
import type { Loading } from '../pools/pool-data.ts'
import { chanceColumns, requireChances, requireNoTest, type ScoreOptions, scoreBlocks, scoresRecipe } from './columns.ts'

/** A pool on ClickHouse whose scores are in columns of its table. */
export function loadScoresOnClickHouse(address: string, options: ScoreOptions, loading: Loading, wish: PoolWish) {
  requireNoTest(options)
  return openPoolOnClickHouse(address, options, loading, wish, async (points) => {
    let newest: OpenClickHousePool | undefined
    const recipe = scoresRecipe(points.facts.rows, options.scores)
    const labels = await labelsOf(points.table, (ids, expressions) => newest!.lookUp(ids, expressions), recipe, options)
    const columns = chanceColumns(options.scores, labels.classes)
    loading.progress?.(0.75, 'ids')
    const pool = await scoredTable(points, columns, labels.classes, (opened) => {
      newest = opened
    })
    const { size, hash, look, engine } = pool
    return { recipe: scoresRecipe(size, options.scores), hash, size, engine, look, ...labels }
  })
}

/** Scores that stay in the columns of a table. Every pass checks that they are those of the snapshot it speaks of. */
function scoredTable(
  { session, id, fields, table }: TableOfPoints,
  columns: readonly string[],
  classes: readonly string[],
  opens: (pool: OpenClickHousePool) => void,
): Promise<ScoredPool> {
  const chances = columns.map((name) => table.cell(name, 'number').sql)
  const blocks = scoreBlocks(chances, table.dialect)
  const hashed = hashedIn(session, columns)
  const pools = new WeakMap<ScoreSnapshot, OpenClickHousePool>() // as it was at each snapshot

  return scoredPool(async (latest) => {
    if (latest && (await pools.get(latest)?.isUnchanged())) return latest
    await requireChances(table, columns)
    const pool = await openClickHousePool({ session, id, fields, blocks, hashed })
    const row = await pool.totals(sumsOf(pool.hash, chances))
    const [ids, ...own] = row.slice(0, 1 + chances.length).map((_, k) => BigInt(textIn(row, k))) as [bigint, ...bigint[]]
    const sums = {
      points: pool.fingerprint.points,
      ids,
      chances: BigInt.asUintN(
        64,
        own.reduce((all, one) => all + one, 0n),
      ),
    }
    opens(pool)
    const snapshot: ScoreSnapshot = {
      model: chanceModel(sums, classes),
      size: sums.points,
      points: identityOfPoints(sums),
      engine: pool.engine,
      async close() {},
    }
    pools.set(snapshot, pool)
    return snapshot
  })
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
