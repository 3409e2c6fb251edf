import { AlisError, requireInput } from '../../core/errors.ts'
import { columnsOf, type TableFeatures } from '../sql/features.ts'
import type { Row } from './connection.ts'
import { hashOf } from './dialect.ts'
import { ClickHouseFailure } from './failures.ts'
import { numberIn, textIn } from './rows.ts'
import type { ClickHouseSession } from './session.ts'
import { quotedName } from './sql-text.ts'

/** A pool that ClickHouse can read: a table, and what is to be read off each of its rows. */
export interface ClickHousePool extends TableFeatures {
  readonly session: ClickHouseSession
  /** The column that names the points. */
  readonly id: string
  /** What must not change between passes, as expressions that are never NULL: the columns that the blocks are made of. */
  readonly hashed: readonly string[]
}

/** A column of hashes, kept by the table itself, spares a hash of every id in every pass. */
const hashColumn = 'alis_hash'

/** What identifies the rows of a table, whatever their order and the shard they are on. Adds up. */
export interface Fingerprint {
  readonly points: number
  /** Σ of a hash of the id and the features of every point, modulo 2⁶⁴. */
  readonly checksum: bigint
}

/** A pool that was read once from end to end. */
export interface ScannedPool extends ClickHousePool {
  readonly fingerprint: Fingerprint
  /** The id as text, its hash, and the checksum of a row, as expressions. */
  readonly idText: string
  readonly hash: string
  readonly checksum: string
  /** ClickHouse's type of the ids. */
  readonly idType: string
  /** Settings that go with every pass. */
  readonly settings: Readonly<Record<string, string>>
}

/** Counts the points, checks their ids, and takes the fingerprint that every later pass must have. */
export async function scanPool(pool: ClickHousePool): Promise<ScannedPool> {
  const { session, id: name, hashed } = pool
  const { table, where } = session
  const column = session.columns.find((one) => one.name === name)
  requireInput(column !== undefined, `${where}: a column of ids is required, got no ${JSON.stringify(name)}`, 'Name it by --id.')
  const isText = /^(LowCardinality\()?String\)?$/.test(column.type)
  requireInput(
    isText || /^(U?Int(8|16|32|64)|UUID|FixedString\(\d+\))$/.test(column.type),
    `${where}: ids must be texts, whole numbers or UUIDs, got ${name} of type ${column.type}`,
    'Choose another column with --id.',
  )
  const idText = isText ? quotedName(name) : `toString(${quotedName(name)})`
  const own = hashOf(idText)
  const isHashed = session.columns.some((one) => one.name === hashColumn && one.type === 'UInt64')
  const hash = isHashed ? quotedName(hashColumn) : own
  const checksum = `cityHash64(${[hash, ...hashed]})`
  const settings = blockSettings(columnsOf(pool))

  const [whole] = await session.ask({
    sql: `SELECT count(), sum(${checksum}), countIf(${idText} = ''), ${isHashed ? `countIf(${hash} != ${own})` : 0} FROM ${table}`,
    settings,
  })
  const fingerprint = { points: numberIn(whole!, 0), checksum: BigInt(textIn(whole!, 1)) }
  const size = fingerprint.points
  requireInput(size > 0, 'pool: at least one point is required, got none')
  requireInput(numberIn(whole!, 2) === 0, `pool: every point needs an id, got ${numberIn(whole!, 2)} without one`, otherId)
  requireInput(
    numberIn(whole!, 3) === 0,
    `${where}: ${hashColumn} must be the hash of the id in every row, got another in ${numberIn(whole!, 3)}`,
    `It is ${own}.`,
  )
  await requireUnique(session, size, hash, idText)
  return { ...pool, fingerprint, idText, hash, checksum, idType: column.type, settings }
}

/** Rows that are worked on at once: fewer, the more numbers each of them takes meanwhile. */
export const blockSettings = (width: number) => ({
  max_block_size: `${Math.max(256, Math.min(65536, Math.floor(2 ** 22 / width)))}`,
})

/** Whether the table is as it was when it was scanned. */
export async function isUnchanged({ session, checksum, settings, fingerprint }: ScannedPool): Promise<boolean> {
  const [row] = await session.ask({ sql: `SELECT count(), sum(${checksum}) FROM ${session.table}`, settings })
  return numberIn(row!, 0) === fingerprint.points && BigInt(textIn(row!, 1)) === fingerprint.checksum
}

/** Expressions of some rows by their ids, which must all be there, once. `from`: the table, or what is computed of its rows. */
export async function rowsOf(
  pool: ScannedPool,
  ids: readonly string[],
  expressions: readonly string[],
  from = pool.session.table,
): Promise<Map<string, Row>> {
  const { session, id, idText, idType, settings } = pool
  const values = [...new Set(ids)]
  if (values.length === 0) return new Map()
  const sql = `SELECT ${[idText, ...expressions].join(', ')} FROM ${from} WHERE ${quotedName(id)} GLOBAL IN alis_wanted`
  const answer = await session
    .ask({ sql, sent: [{ name: 'alis_wanted', type: idType, values }], settings })
    .catch((error: unknown) => {
      if (isUnreadable(error)) return [] // no number, so no point's id
      throw error
    })
  const rows = new Map(answer.map((row) => [textIn(row, 0), row.slice(1)]))
  const missing = values.find((one) => !rows.has(one))
  requireInput(missing === undefined, `pool: a point named ${JSON.stringify(missing)} is required, got none`)
  requireInput(
    rows.size === answer.length,
    `pool: ids must be unique, got ${answer.length} rows for ${rows.size} of them`,
    otherId,
  )
  return rows
}

/** Texts that ClickHouse could not read as what a column holds. */
const unreadable = new Set([6, 26, 27, 38, 41, 72, 117, 376])
const isUnreadable = (error: unknown): boolean =>
  error instanceof AlisError && error.cause instanceof ClickHouseFailure && unreadable.has(error.cause.number)

const otherId = 'Choose another column with --id.'

/** Rows whose ids are compared at once: what a server can hold in memory. */
const mostCompared = 2 ** 22

/**
 * Ids must differ. Of a pool too large to compare all, one class of hashes in so many is compared: rows that were inserted twice
 * by the batch are in it, as good as certainly; a point or two may escape here and are found if they are drawn.
 */
async function requireUnique({ table, ask }: ClickHouseSession, size: number, hash: string, id: string): Promise<void> {
  const classes = Math.ceil(size / mostCompared)
  const part = classes > 1 ? ` WHERE ${hash} % ${classes} = 0` : ''
  const [twice] = await ask({
    sql: `SELECT ${hash} AS h, count() AS rows FROM ${table}${part} GROUP BY h HAVING rows > 1 LIMIT 1`,
  })
  const [found] = twice
    ? await ask({ sql: `SELECT any(${id}), count() FROM ${table} WHERE ${hash} = ${BigInt(textIn(twice, 0))}` })
    : []
  requireInput(
    found === undefined,
    `pool: ids must be unique, got ${JSON.stringify(found?.[0])} in ${found?.[1]} rows`,
    'Rows may have been inserted twice, or lie on two shards. Or choose another column with --id.',
  )
}
