import type { Formula } from '../../core/formula.ts'
import * as f from '../../core/formula.ts'
import type { StrataThresholds } from '../draw-strata.ts'
import type { StrataPoints } from '../sql/strata.ts'
import { computedRows, type PointsOnClickHouse, valueAt } from './computed-rows.ts'
import { rowsOf } from './points.ts'
import { pointsLeft } from './points-left.ts'
import { listIn, numberIn, textIn } from './rows.ts'

/** Under a name that no table is likely to use: an alias stands for itself wherever it occurs. */
const group = '__alis_code'

/** Every pass computes the codes of its points where they lie; what comes back is counts, or the few points that may be drawn. */
export function strataOnClickHouse(points: PointsOnClickHouse, code: Formula): StrataPoints {
  const { pool, left, dialect } = points
  return {
    async counts(signal) {
      const tail = ` GROUP BY ${group} ORDER BY ${group}`
      const rows = await pointsLeft(pool).counted([`${valueAt(0)} AS ${group}`], computedRows(points, { code }), tail, signal)
      const column = (k: number) => Float64Array.from(rows, (row) => numberIn(row, k))
      return { codes: column(0), counts: column(1) }
    },
    async candidates({ codes, least }: StrataThresholds, stream, signal) {
      const [own, u] = [valueAt(0), valueAt(1)]
      // Once in the query, and outside of functions x → …, where old servers write it out for every row. They find no doubles by it.
      const threshold = `transform(toUInt64(${own}), [${codes}], [${Array.from(least, dialect.number)}], 2e0)`
      const found = `groupArrayIf(tuple(${pool.idText}, ${own}), ${u} >= ${threshold})`
      const rows = computedRows(points, { code, u: f.column('u') }, stream)
      const [all] = await left.counted([found], rows, '', signal)
      return listIn(all!, 0).map((cell) => {
        const candidate = [cell].flat()
        return { id: textIn(candidate, 0), code: numberIn(candidate, 1) }
      })
    },
    async codesOf(ids) {
      const rows = await rowsOf(pool, ids, [valueAt(0)], computedRows(points, { code }).from)
      return new Map([...rows].map(([id, row]) => [id, numberIn(row, 0)]))
    },
  }
}
