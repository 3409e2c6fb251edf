import { randomUUID } from 'node:crypto'
import { orClosed } from '../../core/closing.ts'
import { requireInput } from '../../core/errors.ts'
import { type ClickHouseAddress, parseAddress } from './address.ts'
import { type Connection, type ConnectionOptions, connectTo, type Query, type Row } from './connection.ts'
import { asError, ClickHouseFailure, mayPass } from './failures.ts'
import { numberIn, textIn } from './rows.ts'
import { type Shard, shardsOf, silence } from './shards.ts'
import { quotedName, quotedText } from './sql-text.ts'

/** A table on ClickHouse, and what the servers behind it can do. */
export interface ClickHouseSession {
  readonly address: ClickHouseAddress
  readonly where: string
  /** As SQL names it. */
  readonly table: string
  readonly columns: readonly TableColumn[]
  readonly abilities: Abilities
  /** Servers that hold the rows; none where the table lies on the server of the address. */
  readonly shards: readonly Shard[]
  ask(query: Query): Promise<readonly Row[]>
  received(): number
  close(): void
}

export interface TableColumn {
  readonly name: string
  readonly type: string
}

/** What is not the same in every version. */
export interface Abilities {
  readonly version: string
  readonly hasDotProduct: boolean
  /** Whether sums that carry their error along can be sent from server to server: in 18.16 such an answer ends the server. */
  readonly hasExactSums: boolean
  readonly hasLog1p: boolean
}

export interface SessionOptions extends ConnectionOptions {
  /** Hears how much of a long query has been read, from 0 to 1. */
  readonly progress?: (share: number) => void
}

/** Settings that every query needs, for a whole answer or none. */
const needed: Readonly<Record<string, string>> = {
  skip_unavailable_shards: '0',
  distributed_group_by_no_merge: '0',
  optimize_skip_unused_shards: '0',
  max_replica_delay_for_distributed_queries: '0',
  read_overflow_mode: 'throw',
  group_by_overflow_mode: 'throw',
  sort_overflow_mode: 'throw',
  result_overflow_mode: 'throw',
  timeout_overflow_mode: 'throw',
  set_overflow_mode: 'throw',
  join_overflow_mode: 'throw',
  transfer_overflow_mode: 'throw',
  distinct_overflow_mode: 'throw',
  read_overflow_mode_leaf: 'throw',
  max_query_size: `${2 ** 28}`, // the weights of a model are part of the query
  max_ast_elements: '10000000',
  max_expanded_ast_elements: '10000000',
  max_ast_depth: '10000',
  connect_timeout_with_failover_ms: '2000',
  cancel_http_readonly_queries_on_client_close: '1',
  output_format_json_quote_64bit_integers: '1',
  output_format_json_quote_denormals: '0',
  additional_table_filters: '{}',
}

/** Opens the table an address names, and finds out what the servers can do. */
export async function openSession(pool: string, options: SessionOptions = {}): Promise<ClickHouseSession> {
  const address = parseAddress(pool)
  return orClosed(connectTo(address, options), (connection) => sessionOver(connection, address, options.progress))
}

async function sessionOver(
  connection: Connection,
  address: ClickHouseAddress,
  progress: SessionOptions['progress'],
): Promise<ClickHouseSession> {
  const { where } = connection
  const { database, table } = address
  let shards: readonly Shard[] = []

  /** Without settings: until the server has said which it knows. */
  const askPlainly = async (query: Query) => {
    try {
      return await connection.ask(query)
    } catch (failure) {
      if (!(failure instanceof ClickHouseFailure)) throw failure
      throw mayPass(failure) ? await silence(connection, failure, shards) : asError(where, failure)
    }
  }

  const settings = await settingsFor(where, askPlainly)
  const ask = async (query: Query) => {
    const name = randomUUID()
    const stop = progress ? watch(connection, name, progress) : undefined
    try {
      return await askPlainly({ ...query, settings: { ...settings, ...query.settings }, name })
    } finally {
      stop?.()
    }
  }
  const [engine] = await ask({
    sql: `SELECT engine, engine_full FROM system.tables WHERE database = ${quotedText(database)} AND name = ${quotedText(table)}`,
  })
  requireInput(
    engine !== undefined,
    `${where}: a table is required, got none of that name`,
    'An address is clickhouse://user@host:port/database/table. The user must be allowed to read the table.',
  )
  if (textIn(engine, 0) === 'Distributed') shards = await shardsOf(textIn(engine, 1), ask)
  const columns = await ask({
    sql: `SELECT name, type FROM system.columns WHERE database = ${quotedText(database)} AND table = ${quotedText(table)}`,
  })
  return {
    address,
    where,
    table: `${quotedName(database)}.${quotedName(table)}`,
    columns: columns.map((row) => ({ name: textIn(row, 0), type: textIn(row, 1) })),
    abilities: await abilitiesOf(ask),
    shards,
    ask,
    received: connection.received,
    close: connection.close,
  }
}

type Ask = (query: Query) => Promise<readonly Row[]>

/** Those of the settings that the server knows and has otherwise. A user that may change nothing can still work with a good server. */
async function settingsFor(where: string, ask: Ask): Promise<Record<string, string>> {
  const known = async (settings: Record<string, string>) =>
    (
      await ask({
        sql: `SELECT name, value FROM system.settings WHERE name IN (${Object.keys(needed).map(quotedText)})`,
        settings,
      })
    )
      .map((row) => [textIn(row, 0), textIn(row, 1)] as const)
      .filter(([name, value]) => value !== needed[name])
  const settings = Object.fromEntries((await known({})).map(([name]) => [name, needed[name]!]))
  const [fixed] = await known(settings)
  requireInput(
    fixed === undefined,
    `${where}: the setting ${fixed?.[0]} = ${needed[fixed?.[0] ?? '']} is required, got ${fixed?.[1]}`,
    'With any other a part of the pool could be left out without a word, and every estimate would be biased.',
  )
  return settings
}

async function abilitiesOf(ask: Ask): Promise<Abilities> {
  const wanted = ['dotProduct', 'sumKahan', 'log1p']
  const found = await ask({ sql: `SELECT name FROM system.functions WHERE name IN (${wanted.map(quotedText)})` })
  const names = found.map((row) => textIn(row, 0))
  const [row] = await ask({ sql: 'SELECT version()' })
  const version = textIn(row!, 0)
  return {
    version,
    hasDotProduct: names.includes('dotProduct'),
    hasExactSums: names.includes('sumKahan') && Number.parseInt(version, 10) >= 21,
    hasLog1p: names.includes('log1p'),
  }
}

/** Reports every second how far a query is. Returns what ends the reports. */
function watch(connection: Connection, name: string, progress: (share: number) => void): () => void {
  const sql = `SELECT sum(read_rows), sum(total_rows_approx) FROM system.processes WHERE query_id LIKE ${quotedText(`${name}-%`)}`
  const report = async () => {
    const [row] = await connection.glance(sql)
    const [read, all] = row ? [numberIn(row, 0), numberIn(row, 1)] : [0, 0]
    if (all > 0) progress(Math.min(1, read / all))
  }
  const timer = setInterval(() => void report().catch(() => {}), 1000) // a query goes on without reports
  return () => clearInterval(timer)
}
