import { duckdbDialect as dialect } from './dialect.ts'

const rowGroup = 122_880 // rows that DuckDB stores together: a stretch that ends within one would read it in vain

/** Tables that have the same rows in the same order. */
export interface Walk {
  readonly size: number
  readonly tables: readonly string[]
  /** Stretches at most. Groups that are made within each must fit into what a thread keeps at hand, 10⁵ of them. */
  readonly most: number
}

/**
 * The rows of tables side by side, in stretches: `g` says which. A join by position is a walk along both in one thread and in order.
 * Stretches are walked at the same time, each by one thread. So what is added up within a stretch, and then over stretches in their
 * order, is the same to the last bit every time, however many threads there are.
 */
export function stretches({ size, tables, most }: Walk): string {
  const length = rowGroup * Math.max(1, Math.ceil(size / rowGroup / most))
  const walks = Array.from({ length: Math.max(1, Math.ceil(size / length)) }, (_, g) => {
    const within = `WHERE rowid >= ${g * length} AND rowid < ${(g + 1) * length}`
    const [first, ...others] = tables.map((table, k) => `(SELECT ${k === 0 ? 'rowid AS r, ' : ''}* FROM ${table} ${within})`)
    return `SELECT ${g} AS g, * FROM ${[first, ...others].join(' POSITIONAL JOIN ')}`
  })
  return `(${walks.join(' UNION ALL ')})`
}

/** What to make of a column: its sum, its largest or smallest value, or how many rows there are. */
export type Aggregate = 'total' | 'max' | 'min'

/** An aggregate of a stretch. */
export const ofStretch = (by: Aggregate, column: string): string => (by === 'total' ? dialect.total(column) : `${by}(${column})`)

/** The same of all stretches, given those of each and `g`. */
export const ofAll = (by: Aggregate, column: string): string =>
  by === 'total' ? `fsum(${column} ORDER BY g)` : `${by}(${column})`
