import { AlisError } from '../../core/errors.ts'
import type { Connection, Query, Row } from './connection.ts'
import { type ClickHouseFailure, mayPass } from './failures.ts'
import { numberIn, textIn } from './rows.ts'
import { quotedText } from './sql-text.ts'

/** A server that holds some of the rows of a table. */
export interface Shard {
  readonly number: number
  readonly host: string
  readonly address: string
  readonly port: number
}

/** The servers of the cluster that a Distributed table names first. */
export async function shardsOf(engine: string, ask: (query: Query) => Promise<readonly Row[]>): Promise<Shard[]> {
  const cluster = /^Distributed\(\s*(?:'((?:[^'\\]|\\.)*)'|`((?:[^`\\]|\\.)*)`|([^,\s]+))/.exec(engine)
  const name = (cluster?.[1] ?? cluster?.[2] ?? cluster?.[3] ?? '').replaceAll(/\\(.)/g, '$1')
  const rows = await ask({
    sql: `SELECT shard_num, host_name, host_address, port FROM system.clusters WHERE cluster = ${quotedText(name)} ORDER BY shard_num`,
  })
  return rows.map((row) => ({ number: numberIn(row, 0), host: textIn(row, 1), address: textIn(row, 2), port: numberIn(row, 3) }))
}

const hint =
  'A partial answer would bias every estimate, so none is used. What is on record stays: once the servers answer, run the same command again.'

/** The failure of a query that was tried often enough, with the names of the shards that do not answer. */
export async function silence(connection: Connection, failure: ClickHouseFailure, shards: readonly Shard[]): Promise<AlisError> {
  const named = shards.filter((shard) => namesOf(shard).some((name) => failure.message.includes(name)))
  const silent = named.length > 0 ? named : await silentOf(connection, shards)
  const who = silent.map((shard) => `shard ${shard.number} (${shard.host}:${shard.port})`).join(', ')
  const said = failure.message.replaceAll(/\s+/g, ' ').slice(0, 300)
  const message = who
    ? `${connection.where}: an answer from every shard is required, got none from ${who}`
    : `${connection.where}: an answer is required, got none: ${said}`
  return new AlisError('engine-failed', message, hint, { cause: failure })
}

const namesOf = ({ host, address, port }: Shard): string[] => [`${host}:${port}`, `${address}:${port}`]

/** Tries shard by shard. One that refuses the query is there. */
async function silentOf(connection: Connection, shards: readonly Shard[]): Promise<Shard[]> {
  const answers = await Promise.all(
    shards.map(async (shard) => {
      const failure = await connection
        .glance(`SELECT 1 FROM remote(${quotedText(`${shard.host}:${shard.port}`)}, system, one)`)
        .catch((reason: unknown) => reason)
      return mayPass(failure) ? [shard] : []
    }),
  )
  return answers.flat()
}
