import { AlisError, requireInput } from '../../core/errors.ts'
import type { Signal } from '../../core/signal.ts'
import { type FeatureBlock, widthOfAll } from '../sql/features.ts'
import type { Row } from './connection.ts'
import { hashOf } from './dialect.ts'
import { check } from './pass.ts'
import { numberIn, textIn } from './rows.ts'
import type { Session } from './session.ts'
import { quotedName } from './sql-text.ts'

/** A pool that ClickHouse can read: a table, and what is to be read off each of its rows. */
export interface ClickHousePool {
  readonly session: Session
  /** The column that names the points. */
  readonly id: string
  readonly blocks: readonly FeatureBlock[]
  /** What people see of a point, as an expression that is a text or NULL, by name. */
  readonly fields: Readonly<Record<string, string>>
}

/** A column of hashes, kept by the table itself, spares a hash of every id in every pass. */
const hashColumn = 'alis_hash'

/** What identifies the rows of a table, whatever their order and the shard they are on. Adds up. */
export interface Fingerprint {
  readonly points: number
  /** Σ of a hash of the id and the features of every point, modulo 2⁶⁴. */
  readonly checksum: bigint
}

/** The points of a pool: how to read them, which are taken, and whether they are still what they were. */
export interface Points {
  readonly size: number
  readonly fingerprint: Fingerprint
  /** The id as text, its hash, and the checksum of a row, as expressions. */
  readonly id: string
  readonly hash: string
  readonly checksum: string
  /** Asks about the points that may still be drawn. `rows`: what follows FROM; `tail`: what follows WHERE. */
  left(select: readonly string[], rows: string, tail?: string, signal?: Signal): Promise<readonly Row[]>
  /** Asks about some points by their ids, which must all be there, once. The first column of an answer is the id. */
  some(ids: readonly string[], select: readonly string[]): Promise<ReadonlyMap<string, Row>>
  /** The same as `left` with a count and a checksum, which must come out as they did before. */
  counted(select: readonly string[], rows: string, tail?: string, signal?: Signal): Promise<readonly Row[]>
  take(ids: readonly string[]): Promise<void>
}

export async function readPoints({ session, id: name, blocks }: ClickHousePool): Promise<Points> {
  const { table, where } = session
  const column = session.columns.find((one) => one.name === name)
  requireInput(column !== undefined, `${where}: a column of ids is required, got no ${JSON.stringify(name)}`, 'Name it by --id.')
  const isText = /^(LowCardinality\()?String\)?$/.test(column.type)
  requireInput(
    isText || /^(U?Int(8|16|32|64)|UUID|FixedString\(\d+\))$/.test(column.type),
    `${where}: ids must be texts, whole numbers or UUIDs, got ${name} of type ${column.type}`,
    'Choose another column with --id.',
  )
  const id = isText ? quotedName(name) : `toString(${quotedName(name)})`
  const own = hashOf(id)
  const isHashed = session.columns.some((one) => one.name === hashColumn && one.type === 'UInt64')
  const hash = isHashed ? quotedName(hashColumn) : own
  const checksum = `cityHash64(${[hash, ...blocks.map(({ sql }) => sql)]})`
  // Lists of a thousand numbers a row are worked on in fewer rows at once.
  const settings = { max_block_size: `${Math.max(256, Math.min(65536, Math.floor(2 ** 22 / widthOfAll(blocks))))}` }

  const taken: string[] = []
  const isTaken = new Set<string>()
  let takenSum = 0n

  const [whole] = await session.ask({
    sql: `SELECT count(), sum(${checksum}), countIf(${id} = ''), ${isHashed ? `countIf(${hash} != ${own})` : 0} FROM ${table}`,
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
  await requireUnique(session, size, hash, id)

  async function left(select: readonly string[], rows: string, tail = '', signal?: Signal) {
    const sent = taken.length > 0 ? [{ name: 'alis_taken', type: column!.type, values: taken }] : []
    const filter = taken.length > 0 ? ` WHERE ${quotedName(name)} GLOBAL NOT IN alis_taken` : ''
    return session.ask({ sql: `SELECT ${select.join(', ')} FROM ${rows}${filter}${tail}`, sent, signal, settings })
  }

  async function some(ids: readonly string[], select: readonly string[]): Promise<ReadonlyMap<string, Row>> {
    const values = [...new Set(ids)]
    if (values.length === 0) return new Map()
    const sql = `SELECT ${[id, ...select].join(', ')} FROM ${table} WHERE ${quotedName(name)} GLOBAL IN alis_wanted`
    const answer = await session
      .ask({ sql, sent: [{ name: 'alis_wanted', type: column!.type, values }], settings })
      .catch((error: unknown) => {
        if (!isText && error instanceof AlisError && /parse|read/i.test(error.message)) return [] // no number, so nobody's id
        throw error
      })
    const rows = new Map(answer.map((row) => [textIn(row, 0), row]))
    const missing = values.find((one) => !rows.has(one))
    requireInput(missing === undefined, `pool: a point named ${JSON.stringify(missing)} is required, got none`)
    requireInput(
      rows.size === answer.length,
      `pool: ids must be unique, got ${answer.length} rows for ${rows.size} of them`,
      otherId,
    )
    return rows
  }

  return {
    size,
    fingerprint,
    id,
    hash,
    checksum,
    left,
    some,
    async counted(select, rows, tail, signal) {
      const answer = await left([...select, 'count()', `sum(${check})`], rows, tail, signal)
      let points = 0
      let sum = 0n
      for (const row of answer) {
        points += numberIn(row, select.length)
        sum = BigInt.asUintN(64, sum + BigInt(textIn(row, select.length + 1)))
      }
      requireSame(where, { points: size - taken.length, checksum: BigInt.asUintN(64, fingerprint.checksum - takenSum) }, { points, checksum: sum }) // biome-ignore format: one call
      return answer
    },
    async take(ids) {
      const fresh = ids.filter((one) => !isTaken.has(one))
      for (const [one, row] of await some(fresh, [checksum])) {
        isTaken.add(one)
        taken.push(one)
        takenSum += BigInt(textIn(row, 1))
      }
    },
  }
}

const otherId = 'Choose another column with --id.'

function requireSame(where: string, before: Fingerprint, now: Fingerprint): void {
  const isSame = before.points === now.points && before.checksum === now.checksum
  const rows =
    before.points === now.points ? `the same ${now.points} with another checksum` : `${now.points} rows for ${before.points}`
  requireInput(
    isSame,
    `${where}: the table must stay as it is between passes, got ${rows}`,
    'Rows were added, removed, changed or counted twice. Draw from a table that nobody writes to, such as a copy.',
  )
}

/** Rows whose ids are compared at once: what a server can hold in memory. */
const mostCompared = 2 ** 24

/**
 * Ids must differ. Of a pool too large to compare all, one class of hashes in so many is compared: rows that were inserted twice
 * by the batch are in it, as good as certainly; a point or two may escape here and are found if they are drawn.
 */
async function requireUnique({ table, ask }: Session, size: number, hash: string, id: string): Promise<void> {
  const classes = Math.ceil(size / mostCompared)
  const part = classes > 1 ? ` WHERE ${hash} % ${classes} = 0` : ''
  const [found] = await ask({
    sql: `SELECT any(${id}), count() AS rows FROM ${table}${part} GROUP BY ${hash} AS h HAVING rows > 1 LIMIT 1`,
  })
  requireInput(
    found === undefined,
    `pool: ids must be unique, got ${JSON.stringify(found?.[0])} in ${found?.[1]} rows`,
    'Rows may have been inserted twice, or lie on two shards. Or choose another column with --id.',
  )
}
