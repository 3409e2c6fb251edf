import type { Table } from '../sources/table.ts'

/** What some rows of a table have in some columns, as written; empty cells are left out. One pass over those columns. */
export async function readFields(
  table: Table,
  rows: readonly number[],
  columns: readonly string[],
): Promise<Record<string, string>[]> {
  const found = new Map<number, Record<string, string>>(rows.map((row) => [row, {}]))
  const wanted = columns.map((name) => ({ name, as: 'text' as const }))
  for await (const { start, rows: count, columns: cells } of table.batches(wanted)) {
    for (const [row, fields] of found) {
      if (row < start || row >= start + count) continue
      for (const [j, name] of columns.entries()) {
        const value = cells[j]!.values[row - start]
        if (typeof value === 'string') fields[name] = value
      }
    }
  }
  return rows.map((row) => found.get(row)!)
}
