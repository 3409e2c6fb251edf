import { requireInput } from '../../core/errors.ts'
import type { Table } from '../../sources/table.ts'

/** The column that names the points unless told: one called `id`. */
export function idColumn(table: { readonly columns: readonly { readonly name: string }[] }, label: string | undefined) {
  return table.columns.find(({ name }) => name.toLowerCase() === 'id' && name !== label)?.name
}

/** Every row's id: from a column, or else the row number. Whether they differ is for `canonicalOrder` to say. */
export async function readIds(table: Table, column: string | undefined): Promise<string[]> {
  return column === undefined ? rowNumbers(table.rows) : requireIds(column, await table.strings(column))
}

export function rowNumbers(rows: number): string[] {
  return Array.from({ length: rows }, (_, row) => `${row + 1}`)
}

/** The cells of a column of ids, all of which must be there. */
export function requireIds(column: string, cells: readonly (string | null)[]): string[] {
  const missing = cells.findIndex((id) => id === null || id === '')
  requireInput(
    missing < 0,
    `${column}: every row needs an id, got none in row ${missing + 1}`,
    'Choose another column with --id.',
  )
  return cells as string[]
}
