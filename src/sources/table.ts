export interface Column {
  readonly name: string
  /** `number`: the column has values, and every one reads as a number. Anything else is `text`, also dates, true and false. */
  readonly kind: 'number' | 'text'
  /** How many of its cells are empty. */
  readonly missing: number
}

/** Rows under named columns, wherever they are kept. Everything comes in the order of the source. */
export interface Table {
  readonly columns: readonly Column[]
  readonly rows: number
  /** One column exactly as written: "007" stays "007", "1.0" stays "1.0". `null` where the cell is empty. */
  strings(column: string): Promise<(string | null)[]>
  /**
   * The given columns row by row, rows × columns. NaN has one meaning: the cell is empty. A cell that holds anything but a finite
   * number is refused. `progress` hears how many rows have been read.
   */
  numbers(columns: readonly string[], progress?: (rows: number) => void): Promise<Float32Array>
  close(): Promise<void>
}
