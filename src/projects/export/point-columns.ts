import { closing } from '../../core/closing.ts'
import { requireInput } from '../../core/errors.ts'
import { openTable } from '../../sources/duckdb-file.ts'
import type { WrittenColumn, WrittenRow } from '../../sources/write-table.ts'
import { idColumn } from '../pools/points.ts'

/** Where points lie: a file, what it must be, and what names its rows. */
export interface PointsFile {
  readonly path: string
  readonly hash?: string
  readonly id?: string | undefined
  readonly label?: string | undefined
}

/** What files say of some points, in all of their columns. */
export interface PointColumns {
  readonly columns: readonly WrittenColumn[]
  /** Nothing of a point that none of the files has. */
  cells(id: string): WrittenRow
}

/** All columns of some points, under their own names where these are free: numbers as numbers, all else as written. */
export async function pointColumns(
  files: readonly PointsFile[],
  ids: readonly string[],
  taken: readonly string[],
): Promise<PointColumns> {
  const wanted = new Set(ids)
  const found = new Map<string, WrittenRow>()
  let columns: readonly WrittenColumn[] | undefined
  for (const { path, hash, id, label } of files) {
    await closing(openTable(path), async (table) => {
      requireInput(
        hash === undefined || table.hash === hash,
        `${path}: the file that the project began with is required, got another`,
      )
      const own = id ?? idColumn(table, label)
      const names = table.columns.filter(({ name }) => name !== own)
      columns ??= names.map(({ name, kind }) => ({
        name: taken.some((other) => other.toLowerCase() === name.toLowerCase()) ? `pool.${name}` : name,
        type: kind === 'number' ? 'number' : 'text',
      }))
      const named = own === undefined ? undefined : await table.strings(own)
      const rows = Array.from({ length: table.rows }, (_, row) => row).filter((row) => wanted.has(named?.[row] ?? `${row + 1}`))
      const cells = await table.pick(
        rows,
        names.map(({ name }) => name),
      )
      for (const [k, row] of rows.entries())
        found.set(
          named?.[row] ?? `${row + 1}`,
          cells[k]!.map((cell, j) => (cell !== null && names[j]!.kind === 'number' ? Number(cell) : cell)),
        )
    })
  }
  return { columns: columns ?? [], cells: (id) => found.get(id) ?? (columns ?? []).map(() => null) }
}
