/** What is known of a column before anything is read from it a second time. */
export interface TableColumn {
  readonly name: string
  /** `number`: it has values, and every one reads as a number. `vector`: every value is a list of as many numbers. Anything else is `text`, also dates, true and false. */
  readonly kind: 'number' | 'text' | 'vector'
  /** How many of its cells are empty. */
  readonly missing: number
  /** How many different values it has; exact up to 1,000, about right beyond. */
  readonly distinct: number
  /** Mean length of what is written in it, in characters. */
  readonly meanLength: number
  /** A few of its values, as written. */
  readonly examples: readonly string[]
  /** Numbers in each value of a vector. */
  readonly width?: number
}

/** One column of a batch: numbers (NaN where empty), texts (null where empty), or vectors one after another (NaN where empty). */
export type Cells =
  | { readonly kind: 'number'; readonly values: Float32Array }
  | { readonly kind: 'text'; readonly values: readonly (string | null)[] }
  | { readonly kind: 'vector'; readonly values: Float32Array; readonly width: number }

/** Consecutive rows of a table, column by column, in the order the columns were asked for. */
export interface RowBatch {
  /** Row of the table this batch begins at. */
  readonly start: number
  readonly rows: number
  readonly columns: readonly Cells[]
}
