import { identityOf } from '../core/hash.ts'
import type { RowBatch } from '../core/rows.ts'
import type { Table } from './table.ts'

/**
 * Several tables one below the other. The first says what the columns are; the others must have those that are read.
 * Alone, a table is itself.
 */
export function joinedTable(tables: readonly [Table, ...Table[]]): Table {
  const [first, ...others] = tables
  if (others.length === 0) return first
  const starts = tables.map((_, k) => tables.slice(0, k).reduce((sum, { rows }) => sum + rows, 0))
  const homeOf = (row: number) => starts.findLastIndex((start) => start <= row)

  return {
    columns: first.columns,
    rows: tables.reduce((sum, { rows }) => sum + rows, 0),
    hash: joinedHash(tables),
    async *batches(columns, progress) {
      for (const [k, table] of tables.entries()) {
        const start = starts[k]!
        for await (const batch of table.batches(columns, progress && ((rows) => progress(start + rows))))
          yield { ...batch, start: start + batch.start } satisfies RowBatch
      }
    },
    async strings(column) {
      return (await Promise.all(tables.map((table) => table.strings(column)))).flat()
    },
    async pick(rows, columns) {
      const picked = new Map<number, (string | null)[]>()
      for (const [k, own] of Map.groupBy(new Set(rows), homeOf)) {
        const cells = await tables[k]!.pick(
          own.map((row) => row - starts[k]!),
          columns,
        )
        for (const [i, row] of own.entries()) picked.set(row, cells[i]!)
      }
      return rows.map((row) => picked.get(row)!)
    },
    async close() {
      await Promise.all(tables.map((table) => table.close()))
    },
  }
}

/** One file's own hash; of several, the hash of their hashes. */
export function joinedHash(tables: readonly { readonly hash: string }[]): string {
  const hashes = tables.map(({ hash }) => hash)
  return hashes.length === 1 ? hashes[0]! : identityOf(hashes)
}
