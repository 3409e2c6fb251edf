import { selectFormulas } from '../sql/select.ts'
import { type Aggregation, type Measured, measuredColumns } from '../sql/survey-formulas.ts'
import { duckdbDialect as dialect } from './dialect.ts'

const rowGroup = 122_880 // rows that DuckDB stores together: a stretch that ends within one would read it in vain

/** As many as there may be threads. */
const mostStretches = 64

/** What a thread keeps at hand: groups within all stretches, at most. */
const mostGroups = 2 ** 16

/** Stretches for rows that are to be put into so many bins. */
export const stretchesFor = (bins = 1): number => Math.min(mostStretches, mostGroups / bins)

/**
 * The rows of tables side by side, in stretches: `g` says which, `r` counts the rows. A join by position is a walk along both in one
 * thread and in order. Stretches are walked at the same time, each by one thread. So what is added up within a stretch, and then over
 * stretches in their order, is the same to the last bit every time, however many threads there are.
 */
export function inStretches(tables: readonly string[], size: number, most: number): string {
  const length = rowGroup * Math.max(1, Math.ceil(size / rowGroup / most))
  const walks = Array.from({ length: Math.max(1, Math.ceil(size / length)) }, (_, g) => {
    const within = `WHERE rowid >= ${g * length} AND rowid < ${(g + 1) * length}`
    const [first, ...others] = tables.map((table, k) => `(SELECT ${k === 0 ? 'rowid AS r, ' : ''}* FROM ${table} ${within})`)
    return `SELECT ${g} AS g, * FROM ${[first, ...others].join(' POSITIONAL JOIN ')}`
  })
  return `(${walks.join(' UNION ALL ')})`
}

/** What is measured of a stretch, as columns m0, m1, … of the same. */
export const ofStretch = (of: readonly Measured[]): string[] =>
  of.map(({ by }, k) => `${by === 'total' ? dialect.total(`m${k}`) : `${by}(m${k})`} AS m${k}`)

/** The same of all stretches, given those of each and `g`. */
export const ofAll = (of: readonly Measured[]): string[] =>
  of.map(({ by }, k) => (by === 'total' ? `fsum(m${k} ORDER BY g)` : `${by}(m${k})`))

/** Selects the bin, how many rows it has and what is measured of them, from rows in stretches. */
export function selectAggregates(rows: string, { of, bins }: Omit<Aggregation, 'step'>): string {
  const columns = { ...measuredColumns(of), ...(bins && { bin: bins.of }) }
  const own = ['count(*) AS points', ...ofStretch(of)]
  const parts = `SELECT g, ${bins ? 'bin, ' : ''}${own} FROM (${selectFormulas(rows, ['g'], columns, dialect)}) GROUP BY ALL`
  const all = ['sum(points)', ...ofAll(of)]
  return bins ? `SELECT bin::INTEGER, ${all} FROM (${parts}) GROUP BY bin ORDER BY bin` : `SELECT 0, ${all} FROM (${parts})`
}
