import { requireInput } from '../../core/errors.ts'
import type { Signal } from '../../core/signal.ts'
import type { Row } from './connection.ts'
import { blockSettings, type Fingerprint, rowsOf, type ScannedPool } from './points.ts'
import { numberIn, textIn } from './rows.ts'
import { quotedName } from './sql-text.ts'

/** The checksum of a row, under a name that no table is likely to use. */
export const check = '__alis_check'

/** Rows to go through, each with its checksum as `check`. */
export interface Rows {
  /** What follows FROM. */
  readonly from: string
  /** Numbers that a row takes while it is worked on. */
  readonly width: number
}

export interface PointsLeft {
  /** `tail`: what follows WHERE. */
  select(expressions: readonly string[], rows: Rows, tail?: string, signal?: Signal): Promise<readonly Row[]>
  /** The same with a count and a checksum, which must come out as they did before. */
  counted(expressions: readonly string[], rows: Rows, tail?: string, signal?: Signal): Promise<readonly Row[]>
  take(ids: readonly string[]): Promise<void>
}

export function pointsLeft(pool: ScannedPool): PointsLeft {
  const { session, id, idType, checksum, fingerprint } = pool
  const taken = new Set<string>()
  let takenSum = 0n

  async function select(expressions: readonly string[], { from, width }: Rows, tail = '', signal?: Signal) {
    const sent = taken.size > 0 ? [{ name: 'alis_taken', type: idType, values: [...taken] }] : []
    const filter = taken.size > 0 ? ` WHERE ${quotedName(id)} GLOBAL NOT IN alis_taken` : ''
    const sql = `SELECT ${expressions.join(', ')} FROM ${from}${filter}${tail}`
    return session.ask({ sql, sent, signal, settings: blockSettings(width) })
  }

  return {
    select,
    async counted(expressions, rows, tail, signal) {
      const expected = {
        points: fingerprint.points - taken.size,
        checksum: BigInt.asUintN(64, fingerprint.checksum - takenSum),
      }
      const answer = await select([...expressions, 'count()', `sum(${check})`], rows, tail, signal)
      const now = { points: 0, checksum: 0n }
      for (const row of answer) {
        now.points += numberIn(row, expressions.length)
        now.checksum = BigInt.asUintN(64, now.checksum + BigInt(textIn(row, expressions.length + 1)))
      }
      requireSame(session.where, expected, now)
      return answer
    },
    async take(ids) {
      const fresh = ids.filter((one) => !taken.has(one))
      for (const [one, row] of await rowsOf(pool, fresh, [checksum])) {
        taken.add(one)
        takenSum += BigInt(textIn(row, 0))
      }
    },
  }
}

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

/** Aggregates over all points, which must be those that were scanned. */
export async function totalsOf(pool: ScannedPool, select: readonly string[]): Promise<Row> {
  const from = `${pool.session.table} ARRAY JOIN [${pool.checksum}] AS ${check}`
  const [row] = await pointsLeft(pool).counted(select, { from, width: 1 })
  return row!
}
