import { requireInput } from '../core/errors.ts'
import { hashIds, type PointHashes, uniform } from '../core/randomness.ts'
import type { Label } from '../core/record.ts'
import { memoryEngine } from '../engines/memory.ts'
import { standardise, standardiser } from '../features/standardise.ts'
import { openTable } from '../sources/duckdb-file.ts'
import type { Table } from '../sources/table.ts'

/** Rows of a file in one order for good: by the hash of their ids, whatever their order in the file. */
export interface LoadedRows {
  readonly ids: readonly string[]
  /** Feature columns, row by row; NaN where missing. */
  readonly names: readonly string[]
  readonly values: Float32Array
  readonly labels: ReadonlyMap<string, Label>
}

export interface Columns {
  readonly label: string
  readonly id?: string | undefined
  readonly features?: readonly string[] | undefined
}

/** Reads a file: its ids (a column called `id`, or else the row numbers), its label column, and every other numeric column. */
export async function loadRows(path: string, columns: Columns, progress?: (rows: number) => void): Promise<LoadedRows> {
  const table = await openTable(path)
  try {
    const names = columns.features ?? featureColumns(table, columns)
    const inFileOrder = await readIds(table, columns.id ?? idColumn(table, columns.label))
    const labels = await table.strings(columns.label)
    const values = await readNumbers(table, names, progress)

    const { order } = canonicalOrder(inFileOrder)
    const ids = order.map((row) => inFileOrder[row]!)
    const sorted = new Float32Array(values.length)
    for (const [k, row] of order.entries())
      sorted.set(values.subarray(row * names.length, (row + 1) * names.length), k * names.length)
    return { ids, names, values: sorted, labels: new Map(inFileOrder.map((id, row) => [id, labels[row] ?? null])) }
  } finally {
    await table.close()
  }
}

/** The given columns row by row, rows × columns; NaN where a cell is empty. */
export async function readNumbers(
  table: Table,
  names: readonly string[],
  progress?: (rows: number) => void,
): Promise<Float32Array> {
  const values = new Float32Array(table.rows * names.length)
  const columns = names.map((name) => ({ name, as: 'number' as const }))
  for await (const batch of table.batches(columns, progress)) {
    for (const [j, cells] of batch.columns.entries()) {
      for (let i = 0; i < batch.rows; i++) values[(batch.start + i) * names.length + j] = cells.values[i] as number
    }
  }
  return values
}

/** The column that names the points if nobody says which: one called `id`. */
export function idColumn(table: Table, label: string | undefined): string | undefined {
  return table.columns.find(({ name }) => name.toLowerCase() === 'id' && name !== label)?.name
}

function featureColumns(table: Table, { label, id = idColumn(table, label) }: Columns): string[] {
  const numeric = table.columns.filter(({ name, kind }) => kind === 'number' && name !== label && name !== id)
  requireInput(
    numeric.length > 0,
    `features: at least one numeric column is required, got ${table.columns.map(({ name }) => name).join(', ')}`,
    'Name the columns to learn from with --features a,b,c.',
  )
  return numeric.map(({ name }) => name)
}

/** Every row's id: from a column, where they must be there and unique, or else the row number. */
export async function readIds(table: Table, column: string | undefined): Promise<string[]> {
  if (column === undefined) return Array.from({ length: table.rows }, (_, row) => `${row + 1}`)
  const ids = await table.strings(column)
  const missing = ids.findIndex((id) => id === null || id === '')
  requireInput(
    missing < 0,
    `${column}: every row needs an id, got none in row ${missing + 1}`,
    'Choose another column with --id.',
  )
  const seen = new Map<string, number>()
  for (const [row, id] of (ids as string[]).entries()) {
    const before = seen.get(id)
    requireInput(
      before === undefined,
      `${column}: ids must be unique, got ${JSON.stringify(id)} in rows ${before! + 1} and ${row + 1}`,
    )
    seen.set(id, row)
  }
  return ids as string[]
}

/** Rows sorted by the hash of their ids (and the hashes in that order), so that sums come out the same to the last bit however the file is sorted. */
export function canonicalOrder(ids: readonly string[]): { order: number[]; hashes: PointHashes } {
  const { low, high } = hashIds(ids)
  const order = ids.map((_, row) => row).sort((a, b) => high[a]! - high[b]! || low[a]! - low[b]! || (ids[a]! < ids[b]! ? -1 : 1))
  const at = (words: Int32Array) => Int32Array.from(order, (row) => words[row]!)
  return { order, hashes: { low: at(low), high: at(high) } }
}

/** Splits off a share of the rows by hashed lot: the same rows for the same seed, whatever the order of the file. */
export function splitRows(rows: LoadedRows, share: number, seed: number): { pool: LoadedRows; test: LoadedRows } {
  const lots = rows.ids.map((id, row) => ({ row, lot: uniform(seed, 'test', id) })).sort((a, b) => a.lot - b.lot)
  const isTest = new Set(lots.slice(0, Math.round(share * rows.ids.length)).map(({ row }) => row))
  const part = (wanted: boolean) =>
    selectRows(
      rows,
      [...rows.ids.keys()].filter((row) => isTest.has(row) === wanted),
    )
  return { pool: part(false), test: part(true) }
}

function selectRows({ ids, names, values, labels }: LoadedRows, chosen: readonly number[]): LoadedRows {
  const width = names.length
  const selected = new Float32Array(chosen.length * width)
  for (const [k, row] of chosen.entries()) selected.set(values.subarray(row * width, (row + 1) * width), k * width)
  return { ids: chosen.map((row) => ids[row]!), names, values: selected, labels }
}

/** Engines over pool and test rows, both by the recipe learned from the pool. */
export function buildEngines(pool: LoadedRows, test: LoadedRows | undefined) {
  const recipe = standardiser(pool.names, pool.values)
  const engineOf = ({ ids, values }: LoadedRows) => memoryEngine({ ids, features: standardise(recipe, values) })
  return { engine: engineOf(pool), test: test && test.ids.length > 0 ? engineOf(test) : undefined }
}
