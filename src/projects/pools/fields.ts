import type { Table } from '../../sources/table.ts'

/** Reads what points have in some columns, as written; empty cells are left out. `rows`: where each point stands in its table. */
export function fieldReader(table: Table, rows: readonly number[], shown: readonly { readonly name: string }[]) {
  const columns = shown.map(({ name }) => name)
  return async (points: readonly number[]): Promise<Record<string, string>[]> => {
    const wanted = points.map((k) => rows[k]!)
    return (await table.pick(wanted, columns)).map((cells) => {
      const named = columns.map((name, j): [string, string | null] => [name, cells[j]!])
      return Object.fromEntries(named.filter((entry): entry is [string, string] => entry[1] !== null))
    })
  }
}
