import { resolve } from 'node:path'

/** One file of a table, in SQL. Names from a file never enter SQL as names: there its columns are called c0, c1, … */
export interface TableFile {
  readonly path: string
  /** What to select from: one row a record. */
  readonly from: string
  /** To be run before it can be selected from. */
  readonly setup?: readonly string[]
  readonly columns: readonly FileColumn[]
}

/** How the cells of a column read, each as an SQL expression that is NULL where the cell is empty. */
export interface FileColumn {
  readonly name: string
  /** What different cells differ in. Columns of one type can be compared across files. */
  readonly value: string
  readonly type: string
  /** As written. */
  readonly text: string
  /** A 32-bit number; also NULL where the cell is none. */
  readonly number: string
  /** A list of 32-bit numbers; NULL, or with a NULL inside, where the cell is none. */
  readonly vector: string
  /** Not NULL where the cell counts as a number: by its type, or because it reads as one. */
  readonly counted: string
  /** Whether the cell holds a "_". DuckDB reads "12_7" as 127; here it is text. Counted apart: a CASE for each column takes minutes to plan. */
  readonly underscore?: string
  /** Whether nothing but looking tells if the column holds vectors. */
  readonly isOpen: boolean
}

/** The cells of a column of text, in which numbers and vectors may be written. */
export function textCells(cell: string): Pick<FileColumn, 'text' | 'number' | 'vector'> {
  return {
    text: cell,
    number: `TRY_CAST(${cell} AS FLOAT)`,
    vector: `TRY_CAST(translate(${cell}, '_"''', '???') AS FLOAT[])`, // DuckDB would read ["1_0"] as [10]
  }
}

/** The length of a vector of finite numbers; NULL for anything else. */
export const soundLength = (vector: string): string =>
  `CASE WHEN list_aggregate(${vector}, 'count') = len(${vector}) AND isfinite(list_sum(${vector})) THEN len(${vector}) END`

export const sqlString = (text: string): string => `'${text.replaceAll("'", "''")}'`

export const sqlName = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** A file for DuckDB to read: a name, not a pattern. */
export const sqlFile = (path: string): string => sqlString(resolve(path).replace(/[[*?]/g, '[$&]'))
