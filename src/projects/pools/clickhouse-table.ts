import { orClosed } from '../../core/closing.ts'
import { AlisError, requireInput } from '../../core/errors.ts'
import { didYouMean } from '../../core/nearest-name.ts'
import { type ColumnCells, cellsOf } from '../../engines/clickhouse/cells.ts'
import { clickhouseDialect } from '../../engines/clickhouse/dialect.ts'
import { type ClickHouseSession, openSession } from '../../engines/clickhouse/session.ts'
import { quotedName } from '../../engines/clickhouse/sql-text.ts'
import type { Progress } from './pool-data.ts'
import type { QueriedTable } from './queried-table.ts'

/** Opens a table with what the environment says, and makes something of it. If that fails, the session is closed again. */
export async function openOnClickHouse<T>(
  address: string,
  working: Progress | undefined,
  make: (session: ClickHouseSession) => Promise<T>,
): Promise<T> {
  const { ALIS_CLICKHOUSE_PASSWORD: password, ALIS_CLICKHOUSE_TIMEOUT: seconds } = process.env
  const timeout = seconds === undefined ? undefined : Number(seconds)
  requireInput(
    timeout === undefined || timeout > 0,
    `ALIS_CLICKHOUSE_TIMEOUT: a number of seconds is required, got ${JSON.stringify(seconds)}`,
  )
  const progress = working && { progress: (share: number) => working(share, 'reading') }
  return orClosed(await openSession(address, { password, timeout, ...progress }), make)
}

/** Rows of a table on a cluster have no order that a number could name. */
export function requireId(where: string, id: string | undefined): asserts id is string {
  requireInput(
    id !== undefined,
    `${where}: a column of ids is required, got none`,
    'Name it with --id. Rows of a table have no order, so they cannot be numbered.',
  )
}

/** A table on ClickHouse, whose points are named by a column. */
export function tableOn(session: ClickHouseSession, id: string): QueriedTable {
  return {
    dialect: clickhouseDialect(session.abilities),
    from: session.table,
    id: `toString(${quotedName(id)})`,
    cell(name, as) {
      const cells = cellsIn(session, name)
      return { sql: as === 'vector' ? quotedName(name) : cells[as], isMissing: cells.isMissing }
    },
    ask: (sql) => session.ask({ sql }),
  }
}

/** The cells of a column that can be read. */
export function cellsIn({ columns, where }: ClickHouseSession, name: string): ColumnCells {
  const column = columns.find((one) => one.name === name)
  const cells = column && cellsOf(column)
  if (cells) return cells
  const names = columns.map((one) => one.name)
  const hint = didYouMean(name, names) ?? `The columns are ${names.slice(0, 12).join(', ')}.`
  throw new AlisError('bad-input', `${where}: a column of texts or numbers is required, got no ${JSON.stringify(name)}`, hint)
}

/** What to hash to see whether a cell of some columns has changed. */
export const hashedIn = (session: ClickHouseSession, names: Iterable<string>): string[] =>
  [...names].flatMap((name) => cellsIn(session, name).hashed)

/** Which servers, for people. */
export function describeServers({ abilities, shards }: ClickHouseSession): string {
  const many = new Set(shards.map(({ number }) => number)).size
  const where = many === 0 ? 'one server' : many === 1 ? 'one shard' : `${many} shards`
  return `  engine    clickhouse ${abilities.version} on ${where}: the pool stays where it lies`
}
