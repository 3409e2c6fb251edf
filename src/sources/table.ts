import type { RowBatch, TableColumn } from '../core/rows.ts'

/** Rows under named columns, wherever they are kept. Everything comes in the order of the source. */
export interface Table {
  readonly columns: readonly TableColumn[]
  readonly rows: number
  /** SHA-256 of what was opened, byte for byte: it says whether the rows may have changed. */
  readonly hash: string
  /**
   * The given columns, batch by batch. A number is NaN for one reason only: its cell is empty. A cell that cannot be read as
   * requested ends the reading with an error that names it. `progress` hears how many rows have been read.
   */
  batches(columns: readonly ColumnRequest[], progress?: (rows: number) => void): AsyncIterable<RowBatch>
  /** One column exactly as written: "007" stays "007", "1.0" stays "1.0". `null` where the cell is empty. */
  strings(column: string): Promise<(string | null)[]>
  /** Some rows, counted from 0, in the order of `rows`: the given columns of each, as written. `null` where a cell is empty. */
  pick(rows: readonly number[], columns: readonly string[]): Promise<(string | null)[][]>
  /** How its files were to be read; with the hash it says what the columns are. Missing where tables were joined or columns made. */
  readonly reading?: string
  /** How DuckDB reads the same rows in the same order. Missing where tables were joined. */
  readonly sql?: TableSql
  close(): Promise<void>
}

/** What was found out about a table when it was opened before. */
export type KnownTable = Pick<Table, 'hash' | 'rows' | 'columns'> & Required<Pick<Table, 'reading'>>

/** A table in the words of DuckDB, for queries about more than columns and rows. */
export interface TableSql {
  /** To be run first. */
  readonly setup: readonly string[]
  /** What to select from. */
  readonly from: string
  /** Where a row is in its file, if the file can find it by that. */
  readonly line?: string
  /** That there is only one file, so that this is the number of the row. */
  readonly isNumbered?: boolean
  column(name: string): CellsSql
}

/** How the cells of a column read, each as an SQL expression that is NULL where the cell is empty. */
export interface CellsSql {
  /** As written. */
  readonly text: string
  /** A 32-bit float. */
  readonly number: string
  /** A list of 32-bit floats. */
  readonly vector: string
}

export interface ColumnRequest {
  readonly name: string
  readonly as: 'number' | 'text' | 'vector'
}
