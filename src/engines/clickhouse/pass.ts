import type { Stream } from '../../core/randomness.ts'
import type { Named } from '../sql/select.ts'
import { type Aggregates, type Aggregation, measuredColumns } from '../sql/survey-formulas.ts'
import { computedRows, type PointsOnClickHouse, valueAt } from './computed-rows.ts'
import type { Row } from './connection.ts'
import { numberIn } from './rows.ts'

/** What a pass shall find out beside its aggregates: expressions of further formulas. */
export interface FurtherColumns {
  readonly stream?: Stream
  readonly formulas: Named
  select(at: (name: string) => string): string[]
}

/** One pass: the aggregates, and beside them what else was selected. */
export async function pass(
  points: PointsOnClickHouse,
  { of, bins }: Omit<Aggregation, 'step'>,
  further?: FurtherColumns,
): Promise<(Aggregates & { readonly further: Row })[]> {
  const { left, dialect, signal } = points
  const formulas = { ...measuredColumns(of), ...further?.formulas, ...(bins && { bin: bins.of }) }
  const names = Object.keys(formulas)
  const at = (name: string) => valueAt(names.indexOf(name))
  const totals = of.map(({ by }, k) => (by === 'total' ? dialect.total(at(`m${k}`)) : `${by}(${at(`m${k}`)})`))
  const select = [bins ? `toInt32(${at('bin')}) AS bin` : '0', ...totals, ...(further?.select(at) ?? [])]
  const group = bins ? ' GROUP BY bin ORDER BY bin' : ''
  const answer = await left.counted(select, computedRows(points, formulas, further?.stream), group, signal)
  return answer.map((row) => {
    const count = numberIn(row, select.length)
    const values = of.map((_, k) => (count > 0 ? numberIn(row, k + 1) : null))
    return { bin: numberIn(row, 0), points: count, values, further: row.slice(1 + of.length, select.length) }
  })
}
