import { requireInput } from '../core/errors.ts'
import type { AuditSubject } from '../questions/subject.ts'
import { stratifiedMemory } from './stratified.ts'

/**
 * Something to audit whose pool has grown under way. `arrivals`: the ids of all points, those that were there when the audit began first,
 * then those of each addition. What is asked is about the pool as it is now, or about that of an earlier size; answers count for both.
 *
 * @example audit({ subject: grownSubject(modelSubject(engine, model), [first, added]), … })
 * @see docs/equations.md#added-points
 */
export function grownSubject<T extends AuditSubject>(subject: T, arrivals: readonly (readonly string[])[]): T {
  const filled = arrivals.filter(({ length }) => length > 0)
  const ids = filled.flat()
  const { pool, frame, learned } = subject
  requireInput(ids.length === pool.size, `arrivals: all ${pool.size} points are required, got ${ids.length}`)
  if (filled.length <= 1) return subject
  const arrivalOf = filled.flatMap((own, arrival) => own.map(() => arrival))
  const pools = filled.map((_, k) => filled.slice(0, k + 1).reduce((sum, { length }) => sum + length, 0))
  /** When a point came is the last digit of its code. */
  async function codes(): Promise<Float64Array> {
    return (await pool.codesOf(ids)).map((code, k) => code * pools.length + arrivalOf[k]!)
  }
  const own = { ...subject, pool: stratifiedMemory({ ids, codes }), frame: { ...frame, pools } }
  return learned ? { ...own, learned: (record) => learned({ ...record, absent: ids.slice(record.poolSize) }) } : own
}
