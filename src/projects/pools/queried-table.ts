import type { Label } from '../../core/record.ts'
import type { ValueCount } from '../../core/slice-values.ts'
import type { Dialect } from '../../engines/sql/dialect.ts'
import { lookUpOracle } from '../../oracles/look-up.ts'
import type { Oracle } from '../../oracles/oracle.ts'

/** The columns of a table that a database reads where it lies, in the SQL of that database. */
export interface QueriedColumns {
  readonly dialect: Dialect
  /** What to select from. */
  readonly from: string
  /** The id of a row, as a text. */
  readonly id: string
  /** The cells of a column. Refuses a column that is not there. */
  cell(column: string, as: 'text' | 'number' | 'vector'): QueriedCell
}

export interface QueriedCell {
  /** A text as written, NULL where the cell is empty; or a double that is a 32-bit float, or a list of such floats, anything where it is empty. */
  readonly sql: string
  readonly isMissing: string
}

export interface QueriedTable extends QueriedColumns {
  ask(sql: string): Promise<readonly (readonly unknown[])[]>
}

/** Texts or NULLs of some points, by expressions of their rows, in the order asked for. */
export type LookUp = (ids: readonly string[], expressions: readonly string[]) => Promise<readonly (readonly Label[])[]>

/** Columns as people see them: texts or NULLs, by name. */
export function fieldsOf({ cell }: QueriedColumns, shown: readonly { readonly name: string }[]): Record<string, string> {
  return Object.fromEntries(shown.map(({ name }) => [name, cell(name, 'text').sql]))
}

/** The different values of a text, so many at most; NULL is none. */
export async function textsIn({ from, ask }: QueriedTable, text: string, most: number): Promise<string[]> {
  const rows = await ask(`SELECT DISTINCT ${text} FROM ${from} WHERE ${text} IS NOT NULL LIMIT ${most}`)
  return rows.map(([value]) => String(value))
}

/** The most frequent values of a column, so many at most, null for empty cells, with how many rows have each; equally frequent ones by name. */
export async function valuesIn({ from, cell, ask }: QueriedTable, column: string, most: number): Promise<ValueCount[]> {
  const named = `SELECT ${cell(column, 'text').sql} AS alis_value, count(*) AS alis_rows FROM ${from} GROUP BY alis_value`
  const rows = await ask(`${named} ORDER BY alis_rows DESC, coalesce(alis_value, '') LIMIT ${most}`)
  return rows.map(([value, count]) => [value === null ? null : String(value), Number(count)])
}

/** The id and a text of one row that meets a condition, if there is one. */
export async function findRow({ from, id, ask }: QueriedTable, text: string, condition: string) {
  const [row] = await ask(`SELECT ${id}, ${text} FROM ${from} WHERE ${condition} LIMIT 1`)
  return row && { id: JSON.stringify(row[0]), text: row[1] === null ? undefined : String(row[1]) }
}

/** The condition that a number is missing or no probability. */
export const isNoProbability = ({ sql, isMissing }: QueriedCell): string => `${isMissing} OR NOT (${sql} >= 0 AND ${sql} <= 1)`

/** Answers from a column, by look-up. */
export function answersBy(lookUp: LookUp, text: string, of: (label: Label) => Label = (label) => label): () => Oracle {
  return () => lookUpOracle(async (ids) => (await lookUp(ids, [text])).map(([label]) => of(label ?? null)))
}
