/** What a tool says of something, as one row: cells by the names of their columns. */
export type ToolRecord = Readonly<Record<string, string | number | boolean | null | readonly number[]>>

/** An object of JSON as a tool has written it. */
export type Json = Readonly<Record<string, unknown>>

/** How the records of a tool become rows. */
export interface ToolFormat {
  /** As people know it. */
  readonly name: string
  /** Whether this is one of its records, by keys that no other tool has. */
  isOne(record: Json): boolean
  row(record: Json): ToolRecord
}

export const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

/** A value as a cell: text and numbers as they are, all else as JSON, nothing where there is none. */
export function cellOf(value: unknown): string | number | boolean | null {
  if (value === undefined || value === null) return null
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : JSON.stringify(value)
}

/** Cells of an object, under its own names where these are free and behind a prefix where they are not. */
export function cellsOf(value: unknown, taken: ToolRecord, prefix: string): ToolRecord {
  const entries = isJson(value) ? Object.entries(value) : []
  return Object.fromEntries(entries.map(([name, cell]) => [name in taken ? `${prefix}.${name}` : name, cellOf(cell)]))
}

/** The only one of several values; several are put into one cell, in alphabetical order. */
export function together(values: readonly unknown[]): string | number | boolean | null {
  if (values.length <= 1) return cellOf(values[0])
  return values
    .map((value) => `${cellOf(value)}`)
    .sort()
    .join(', ')
}
