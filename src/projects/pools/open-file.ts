import { canonicalOrder } from '../../core/canonical-order.ts'
import { orClosed } from '../../core/closing.ts'
import { requireInput } from '../../core/errors.ts'
import { compact, type FeatureRows, gathered, type RowAddress } from '../../core/features.ts'
import { pick } from '../../core/pick.ts'
import { type PointHashes, uniform } from '../../core/randomness.ts'
import type { Label } from '../../core/record.ts'
import { embeddedTable } from '../../embeddings/embedded-table.ts'
import type { Engine } from '../../engines/engine.ts'
import { fastEngine } from '../../engines/kernels/engine.ts'
import { filledSlabs, hashesIn, inSlabs, smallestPool } from '../../engines/kernels/slabs.ts'
import { applyRecipe } from '../../features/apply.ts'
import { featureBuilder } from '../../features/builder.ts'
import type { Recipe } from '../../features/recipe.ts'
import { type Roles, rolesOf, shownColumns, type Wishes } from '../../features/roles.ts'
import { learnSteps, rowWriter, withStepFeatures } from '../../features/steps.ts'
import { openTable } from '../../sources/duckdb-file.ts'
import { joinedTable } from '../../sources/joined-table.ts'
import type { Table } from '../../sources/table.ts'
import { featuresKey, keepFeatures, type MadeFeatures, readFeatures } from './features-file.ts'
import { fieldReader } from './fields.ts'
import { keepOrder, readOrder } from './known-order.ts'
import { keepTable, readKnownTable } from './known-table.ts'
import { readIds } from './points.ts'
import type { Bits, DataOptions, Loading } from './pool-data.ts'

/** A file whose columns have been understood. */
export interface OpenColumns {
  readonly table: Table
  /** Rows it began with: features are learned from these. Those of files added later follow. */
  readonly began: number
  readonly roles: Roles
  /** The column that names the points, if one does. */
  readonly id: string | undefined
  /** Columns of vectors that were made of others. */
  readonly embedded?: Recipe['embedded']
}

/** And who its points are, and what is known of them. */
export interface OpenFile extends OpenColumns {
  /** By row of the file. */
  readonly ids: readonly string[]
  /** Rows in one order for good: by the hash of their ids, whatever their order in the file. */
  readonly order: readonly number[]
  readonly hashes: PointHashes
  /** By row, as written; empty without a label column. */
  readonly labels: readonly Label[]
}

/** `added`: files that joined later, by their paths. */
export async function openFile(
  path: string,
  wishes: Wishes,
  added: readonly string[] = [],
  loading: Loading = {},
): Promise<OpenFile> {
  const columns = await openColumns(path, wishes, added, loading)
  return orClosed(columns.table, async (table) => {
    const ids = await readIds(table, columns.id)
    const labels = wishes.label === undefined ? [] : await table.strings(wishes.label)
    return { ...columns, ids, ...orderOf(columns, ids, loading.folder), labels }
  })
}

/** In a project, as it was written down. */
function orderOf({ table, id }: OpenColumns, ids: readonly string[], folder: string | undefined) {
  if (folder === undefined) return canonicalOrder(ids, id)
  const key = JSON.stringify([table.hash, id])
  const known = readOrder(folder, key)
  if (known) return known
  const found = canonicalOrder(ids, id)
  keepOrder(folder, key, found)
  return found
}

/** The same, of which nothing as long as the file is held in memory. */
export async function openColumns(
  path: string,
  wishes: Wishes,
  added: readonly string[] = [],
  loading: Loading = {},
): Promise<OpenColumns> {
  const first = await opened(path, wishes, loading)
  return orClosed(await withAdded(first, added, wishes, loading), (table) => {
    const roles = rolesOf(table, wishes)
    const id = roles.find(({ role }) => role === 'id')?.column.name
    return { table, began: first.rows, roles, id, ...pick(first, 'embedded') }
  })
}

/** A table, with the vectors of columns that are wished for. */
async function opened(path: string, { embed = [], embedModel }: Wishes, loading: Loading): Promise<OpenTable> {
  requireInput(
    embed.length > 0 === (embedModel !== undefined),
    `--embed: columns and a model are required together, got ${embedModel === undefined ? 'columns' : 'a model'} alone`,
    'For example --embed body --embed-model ./all-MiniLM-L6-v2.',
  )
  if (embedModel === undefined) return openedAgain(path, loading)
  const { progress, signal } = loading
  const share = (from: number, to: number) => (done: number, step: string) => progress?.(from + (to - from) * done, step)
  const heard = signal && { signal }
  return orClosed(await openTable(path, { ...heard, progress: share(0, 0.1) }), (table) =>
    embeddedTable(table, { path, columns: embed, model: embedModel, ...heard, progress: share(0.1, 1) }),
  )
}

/** In a project, with what was found out when it was opened before. */
async function openedAgain(path: string, { folder, progress, signal }: Loading): Promise<Table> {
  const known = folder === undefined ? undefined : readKnownTable(folder)
  const table = await openTable(path, { ...(progress && { progress }), ...(signal && { signal }), known })
  if (folder !== undefined && table.hash !== known?.hash) keepTable(folder, table)
  return table
}

type OpenTable = Table & Pick<Recipe, 'embedded'>

async function withAdded(first: Table, added: readonly string[], wishes: Wishes, { signal }: Loading): Promise<Table> {
  const others: Table[] = []
  try {
    for (const path of added) others.push(await opened(path, wishes, signal ? { signal } : {}))
    return joinedTable([first, ...others])
  } catch (error) {
    await Promise.all([first, ...others].map((table) => table.close()))
    throw error
  }
}

/** Points with their features, in canonical order. */
export interface Points {
  readonly ids: readonly string[]
  readonly features: FeatureRows
  /** Where each point stands in its file. */
  readonly rows: readonly number[]
  /** Of the ids, where they are at hand. */
  readonly hashes?: PointHashes
  /** Bits of a feature where masses are made from it; 32 unless told. */
  readonly bits?: Bits
  /** Lets go of the file that features are read from, where they are. */
  letGo?(): void
}

/** Learns how the rows that are not set aside become features, and makes them, in one pass over the file; rows that were added are made the same way. */
export async function learnFeatures(
  file: OpenFile,
  isAside: (row: number) => boolean,
  loading: Loading = {},
  { bits = 32, steps }: Pick<DataOptions, 'bits' | 'steps'> = {},
): Promise<{ recipe: Recipe; points: Points }> {
  const rows = file.order.some(isAside) ? file.order.filter((row) => !isAside(row)) : file.order
  const hashes = hashesOf(file, isAside)
  const points = { ids: rows.map((row) => file.ids[row]!), rows, hashes, bits }
  const key = loading.folder === undefined ? '' : featuresKey(file, rows, steps)
  const kept = () => (loading.folder === undefined ? undefined : readFeatures(loading.folder, key, hashes, bits))
  const found = kept()
  if (found) return pointsWith(points, found)
  const made = await makeFeatures(file, rows, hashes, { ...loading, steps })
  if (loading.folder !== undefined) keepFeatures(loading.folder, key, made, loading.keptFrom)
  return pointsWith(points, (bits === 8 ? kept() : undefined) ?? made) // bytes alone, where the rest is on file now
}

function pointsWith(points: Omit<Points, 'features'>, { recipe, ...made }: MadeFeatures): { recipe: Recipe; points: Points } {
  const hashes = hashesIn(made.features) ?? points.hashes
  return { recipe, points: { ...points, ...made, ...(hashes && { hashes }) } }
}

async function makeFeatures(
  file: OpenFile,
  rows: readonly number[],
  hashes: PointHashes,
  { progress, signal, steps }: Loading & Pick<DataOptions, 'steps'>,
): Promise<MadeFeatures> {
  const { table, began, roles, ids } = file
  const learned = began === table.rows ? rows : rows.filter((row) => row < began)
  const place = new Int32Array(ids.length).fill(-1)
  for (let k = 0; k < learned.length; k++) place[learned[k]!] = k
  const builder = featureBuilder(roles, table.rows, place)
  for await (const batch of table.batches(builder.wanted, (read) => progress?.(read / table.rows, 'features'))) {
    signal?.throwIfAborted()
    builder.add(batch)
  }
  const { recipe: plain, features } = builder.finish()
  const base = { ...plain, ...pick(file, 'embedded') }
  const recipe = learnSteps(base, features, steps)
  if (learned.length === rows.length) return { recipe, features: finished(recipe, features, hashes) }

  const others = await addressesOf(
    file,
    base,
    rows.filter((row) => row >= began),
  )
  const addresses = rows.map((row) => others.get(row) ?? { block: features, row: place[row]! })
  return { recipe, features: finished(recipe, compact(addresses, base.width), hashes) }
}

/** The features of the columns with those of all steps, where engines want them. */
function finished(recipe: Recipe, base: FeatureRows, hashes: PointHashes): FeatureRows {
  if (!recipe.steps) return inSlabs(base, hashes)
  return base.rows < smallestPool ? withStepFeatures(recipe, base) : filledSlabs(recipe.width, hashes, rowWriter(recipe, base))
}

/** Hashes of the rows that are not set aside, in canonical order. */
function hashesOf({ order, hashes }: OpenFile, isAside: (row: number) => boolean): PointHashes {
  if (!order.some(isAside)) return hashes
  const kept = Int32Array.from(order.keys()).filter((k) => !isAside(order[k]!))
  return { low: kept.map((k) => hashes.low[k]!), high: kept.map((k) => hashes.high[k]!) }
}

/** Makes the features of some rows by a recipe that is known. */
export async function applyFeatures(file: OpenFile, recipe: Recipe, rows: readonly number[]): Promise<Points> {
  const addresses = await addressesOf(file, recipe, rows)
  const inOrder = rows.map((row) => addresses.get(row)!)
  return { ids: rows.map((row) => file.ids[row]!), features: gathered(inOrder, recipe.width), rows }
}

/** Where the features of some rows lie, once they are made. */
async function addressesOf(
  { table, ids }: OpenFile,
  recipe: Recipe,
  rows: readonly number[],
): Promise<ReadonlyMap<number, RowAddress>> {
  const { wanted, features } = applyRecipe(recipe)
  const isWanted = new Uint8Array(ids.length)
  for (const row of rows) isWanted[row] = 1
  const addresses = new Map<number, RowAddress>()
  for await (const batch of table.batches(wanted)) {
    const local = Array.from({ length: batch.rows }, (_, i) => i).filter((i) => isWanted[batch.start + i])
    if (local.length === 0) continue
    const block = features(batch).select(local)
    for (const [row, i] of local.entries()) addresses.set(batch.start + i, { block, row })
  }
  return addresses
}

/** A share of the rows by hashed lot: the same points for the same seed, whatever the order of the file. */
export function drawLots(
  { ids: all, began }: Pick<OpenFile, 'ids' | 'began'>,
  share: number,
  seed: number,
): (row: number) => boolean {
  const ids = all.slice(0, began)
  const lots = ids.map((id, row) => ({ row, lot: uniform(seed, 'test', id) })).sort((a, b) => a.lot - b.lot)
  const chosen = new Set(lots.slice(0, Math.round(share * ids.length)).map(({ row }) => row))
  requireInput(
    chosen.size > 0 && chosen.size < ids.length,
    `test: both pool and test need points, got a share of ${share} of ${ids.length}`,
  )
  return (row) => chosen.has(row)
}

/** An engine over the points, which reads what people are to see of them back from the file. */
export function engineOver({ table, roles }: OpenColumns, { ids, features, rows, hashes, bits = 32 }: Points): Engine {
  const fields = fieldReader(table, rows, shownColumns(roles))
  return fastEngine({ ids, features, fields, bits, ...(hashes && { hashes }) })
}
