import { requireInput } from '../../core/errors.ts'
import { type ClickHouseSession, openSession } from '../../engines/clickhouse/session.ts'

/** Opens a table with what the environment says. */
export function sessionAt(address: string, working?: (share: number, step: string) => void): Promise<ClickHouseSession> {
  const { ALIS_CLICKHOUSE_PASSWORD: password, ALIS_CLICKHOUSE_TIMEOUT: seconds } = process.env
  const timeout = seconds === undefined ? undefined : Number(seconds)
  requireInput(
    timeout === undefined || timeout > 0,
    `ALIS_CLICKHOUSE_TIMEOUT: a number of seconds is required, got ${JSON.stringify(seconds)}`,
  )
  return openSession(address, { password, timeout, ...(working && { progress: (share: number) => working(share, 'reading') }) })
}

/** Which servers, for people. */
export function spoken({ abilities, shards }: ClickHouseSession): string {
  const many = new Set(shards.map(({ number }) => number)).size
  const where = many === 0 ? 'one server' : many === 1 ? 'one shard' : `${many} shards`
  return `  engine    clickhouse ${abilities.version} on ${where}: the pool stays where it lies`
}
