import type { RowBatch, TableColumn } from '../../core/rows.ts'
import { textsIn } from '../../features/cells.ts'
import { shownColumns } from '../../features/roles.ts'
import { openTable } from '../../sources/duckdb-file.ts'
import type { Project } from '../../stores/project.ts'
import { drawLots, type OpenColumns, openColumns } from '../pools/open-file.ts'
import { readIds, requireIds } from '../pools/points.ts'
import { requireSamePool, type Settings } from '../settings.ts'
import type { PredictedRow, RowPredictor } from './predictor.ts'

/** The points of a project as its file has them. */
export interface Pool {
  /** Columns that people see, in the order of the file. */
  readonly shown: readonly TableColumn[]
  /** The points in the order of the file, batch by batch: no more of them is in memory, however many there are. */
  rows(what: { readonly predictor?: RowPredictor | undefined; readonly wantsFields?: boolean }): AsyncGenerator<PoolRow[]>
  close(): Promise<void>
}

export interface PoolRow {
  readonly id: string
  /** What people see; empty where that was not asked for. */
  readonly fields: Readonly<Record<string, string>>
  /** Missing without a predictor. */
  readonly predicted?: PredictedRow
}

export async function openPool(
  project: Pick<Project, 'path'>,
  settings: Settings,
  path: string,
  { progress, signal }: { readonly progress?: (share: number) => void; readonly signal?: AbortSignal } = {},
): Promise<Pool> {
  const { table, roles, id, began } = await openAsBegun(project, settings, path)
  const { test, seed } = settings
  // Rows set aside to test on are no points of the pool.
  const isAside = typeof test === 'number' ? drawLots({ ids: await readIds(table, id), began }, test, seed) : () => false
  const shown = shownColumns(roles)
  return {
    shown,
    async *rows({ predictor, wantsFields = false }) {
      const columns = wantsFields ? shown.map(({ name }) => name) : []
      const texts = [...columns, ...(id === undefined ? [] : [id])].map((name) => ({ name, as: 'text' as const }))
      const asked = [...(predictor?.wanted ?? []), ...texts]
      for await (const batch of table.batches(asked, (rows) => progress?.(rows / table.rows))) {
        signal?.throwIfAborted()
        const predicted = predictor?.predict(batch)
        const fields = fieldsOf(batch, columns, asked.length - texts.length)
        const ids = id === undefined ? undefined : requireIds(id, textsIn(batch.columns.at(-1), id))
        const rows = Array.from({ length: batch.rows }, (_, i): PoolRow => {
          return { id: ids?.[i] ?? `${batch.start + i + 1}`, fields: fields(i), ...(predicted && { predicted: predicted[i]! }) }
        })
        yield rows.filter((_, i) => !isAside(batch.start + i))
      }
    },
    close: () => table.close(),
  }
}

/** A file that has changed must be told from one that cannot be understood, and often is both. */
async function openAsBegun(project: Pick<Project, 'path'>, settings: Settings, path: string): Promise<OpenColumns> {
  const added = settings.added.map((file) => file.path)
  const file = await openColumns(path, settings.wishes, added).catch(async (error) => {
    const table = await openTable(path)
    if (added.length === 0) await requireSamePool(project, settings, table)
    await table.close()
    throw error
  })
  await requireSamePool(project, settings, file.table)
  return file
}

/** The cells of some columns by name, as people see them: an empty one is an empty text. */
function fieldsOf({ columns }: RowBatch, names: readonly string[], first: number): (row: number) => Record<string, string> {
  const cells = names.map((name, j) => ({ name, values: columns[first + j]!.values }))
  return (row) => Object.fromEntries(cells.map(({ name, values }) => [name, `${values[row] ?? ''}`]))
}
