import { chanceDigits, chanceModel, chanceStream, identityOfPoints, idStream } from '../../core/chances.ts'
import { requireInput } from '../../core/errors.ts'
import { clickhouseDialect, uniformOf } from '../../engines/clickhouse/dialect.ts'
import type { ClickHousePool } from '../../engines/clickhouse/points.ts'
import { type OpenClickHousePool, openClickHousePool } from '../../engines/clickhouse/pool.ts'
import { textIn } from '../../engines/clickhouse/rows.ts'
import { doubleText, quotedName } from '../../engines/clickhouse/sql-text.ts'
import { type ScoredPool, type ScoreSnapshot, scoredPool } from '../../engines/scored-pool.ts'
import { scoreExpressions } from '../../engines/sql/chances.ts'
import type { ClickHouseColumns } from '../pools/clickhouse-columns.ts'
import { chanceColumns, requireChances } from './columns.ts'

/** Scores that stay in the columns of a table. Every pass checks that they are those of the look it speaks of. */
export async function scoresOnClickHouse(
  table: Pick<ClickHousePool, 'session' | 'id' | 'fields'>,
  named: readonly string[],
  classes: readonly string[],
  columns: ClickHouseColumns,
): Promise<ScoredPool & Pick<OpenClickHousePool, 'lookUp'>> {
  const { session, id } = table
  const cells = chanceColumns(named, classes).map((name) => columns.cells(name))
  const blocks = scoreExpressions(
    cells.map(({ number }) => number),
    clickhouseDialect(session.abilities),
  ).map((sql) => ({ kind: 'number' as const, sql }))
  const pools = new WeakMap<ScoreSnapshot, OpenClickHousePool>() // as it was at each look
  let newest: OpenClickHousePool | undefined

  /** Names one row that says nothing, or what is no probability. */
  async function requireSound(): Promise<void> {
    for (const { name, number, isMissing, text } of cells) {
      const bad = `${isMissing} OR NOT (${number} >= 0 AND ${number} <= 1)`
      const [row] = await session.ask({
        sql: `SELECT toString(${quotedName(id)}), ${text} FROM ${session.table} WHERE ${bad} LIMIT 1`,
      })
      requireChances(name, row)
    }
  }

  const scored = await scoredPool(async (latest) => {
    if (latest && (await pools.get(latest)?.isUnchanged())) return latest
    await requireSound()
    const opened = await openClickHousePool({ ...table, blocks, hashed: cells.flatMap(({ hashed }) => hashed) })
    const sum = (hash: string, stream: Parameters<typeof uniformOf>[1]) =>
      `sum(toUInt64(${uniformOf(hash, stream)} * ${doubleText(chanceDigits)}))`
    const digits = (number: string) => `toUInt64(floor(${number} * ${doubleText(chanceDigits)}))`
    const own = cells.map(({ number }, k) => sum(`bitXor(${opened.hash}, ${digits(number)})`, chanceStream(k)))
    const row = await opened.totals([sum(opened.hash, idStream), ...own])
    const [ids, ...chances] = [idStream, ...cells].map((_, k) => BigInt(textIn(row, k)))
    requireInput(ids !== undefined, `${session.where}: sums are required, got none`)
    const total = chances.reduce((all, one) => all + one, 0n)
    const sums = { points: opened.fingerprint.points, ids, chances: BigInt.asUintN(64, total) }
    newest = opened
    const look: ScoreSnapshot = {
      model: chanceModel(sums, classes),
      size: sums.points,
      points: identityOfPoints(sums),
      engine: opened.engine,
      async close() {},
    }
    pools.set(look, opened)
    return look
  })
  return { ...scored, lookUp: (ids, expressions) => newest!.lookUp(ids, expressions) }
}
