import type { Column, RowBatch } from '../core/rows.ts'

/** Rows under named columns, wherever they are kept. Everything comes in the order of the source. */
export interface Table {
  readonly columns: readonly Column[]
  readonly rows: number
  /** SHA-256 of what was opened, byte for byte: it says whether the rows may have changed. */
  readonly hash: string
  /**
   * The given columns, batch by batch. A number is NaN for one reason only: its cell is empty. A cell that cannot be read as asked
   * ends the reading with an error that names it. `progress` hears how many rows have been read.
   */
  batches(columns: readonly ColumnRequest[], progress?: (rows: number) => void): AsyncIterable<RowBatch>
  /** One column exactly as written: "007" stays "007", "1.0" stays "1.0". `null` where the cell is empty. */
  strings(column: string): Promise<(string | null)[]>
  /** Some rows, counted from 0, in the order asked for: the given columns of each, as written. `null` where a cell is empty. */
  pick(rows: readonly number[], columns: readonly string[]): Promise<(string | null)[][]>
  close(): Promise<void>
}

export interface ColumnRequest {
  readonly name: string
  readonly as: 'number' | 'text' | 'vector'
}
