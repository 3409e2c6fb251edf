import type { Table } from '../../sources/table.ts'

/** What some rows of a table have in some columns, as written; empty cells are left out. */
export async function readFields(
  table: Table,
  rows: readonly number[],
  columns: readonly string[],
): Promise<Record<string, string>[]> {
  const picked = await table.pick(rows, columns)
  return picked.map((cells) => {
    const named = columns.map((name, j): [string, string | null] => [name, cells[j]!])
    return Object.fromEntries(named.filter((entry): entry is [string, string] => entry[1] !== null))
  })
}
