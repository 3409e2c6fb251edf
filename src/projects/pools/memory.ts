import { randomBytes } from 'node:crypto'
import { AlisError } from '../../core/errors.ts'
import type { ColumnModel } from '../../core/model.ts'
import { didYouMean } from '../../core/nearest-name.ts'
import { hashIds } from '../../core/randomness.ts'
import type { Label } from '../../core/record.ts'
import type { Engine } from '../../engines/engine.ts'
import { idIndex } from '../../engines/id-index.ts'
import type { Recipe } from '../../features/recipe.ts'
import type { Roles, Wishes } from '../../features/roles.ts'
import { columnOracle } from '../../oracles/column.ts'
import type { Oracle } from '../../oracles/oracle.ts'
import { openTable } from '../../sources/duckdb-file.ts'
import type { Table } from '../../sources/table.ts'
import { classesOf } from './classes.ts'
import { featuresKey, keepFeatures } from './features-file.ts'
import {
  applyFeatures,
  type Bits,
  drawLots,
  engineOver,
  type Loading,
  learnFeatures,
  type OpenColumns,
  type OpenFile,
  openFile,
  type Points,
} from './open-file.ts'

export interface DataOptions extends Wishes {
  readonly positive?: string | undefined
  /** Needed where no column has labels. */
  readonly classes?: readonly string[] | undefined
  /** A share of the rows, or the path of another file. */
  readonly test?: number | string | undefined
  /** Files whose points joined the pool later. */
  readonly added?: readonly string[] | undefined
  /** Bits of a feature where chances are made from it; 32 unless told. */
  readonly bits?: Bits | undefined
}

/** Points, and what the label column says each is; no labels where there is no such column. */
export interface LabelledPoints extends Points {
  readonly labels: readonly Label[]
}

/** A pool with its classes, and the rows set aside to test on, wherever it lies. */
export interface PoolData {
  readonly file: { readonly table: Pick<Table, 'hash' | 'batches' | 'close'>; readonly roles: Roles }
  /** Points of the pool. */
  readonly size: number
  readonly test: LabelledPoints | undefined
  /** Names of the classes, negative first where there are two. */
  readonly classes: readonly string[]
  readonly recipe: Recipe
  /** An engine over all points; each leaves out what it was told to. */
  engine(): Engine
  /** Where the model is not learned but kept in columns by somebody else: looks at what it is now. */
  readonly look?: () => Promise<ColumnModel>
  /** Answers from the label column, where there is one. */
  readonly answers: (() => Oracle) | undefined
  /** What a column says of the points of the pool, by id. */
  labelsIn(column: string): Promise<ReadonlyMap<string, Label>>
  /** Writes what was made of the pool to the folder of a project that was not there before, if that is worth it. */
  keep?(folder: string): void
  close(): Promise<void>
}

/** A pool that is held in memory. */
export interface LoadedData extends PoolData {
  readonly file: OpenColumns & Pick<OpenFile, 'ids'>
  readonly pool: LabelledPoints
}

/** Reads a file and sets the test rows aside: by lot of `seed`, or from a file of their own. */
export async function loadData(path: string, options: DataOptions, seed: number, loading: Loading = {}): Promise<LoadedData> {
  const { test: _, positive: __, classes: ___, added, bits: ____, ...wishes } = options
  const file = await openFile(path, wishes, added, half(loading, 0))
  return divide(file, options, seed, half(loading, 0.5))
}

const half = (loading: Loading, from: number): Loading => ({
  ...loading,
  progress: (share, step) => loading.progress?.(from + share / 2, step),
})

/** Sets the test rows of an open file aside and makes the features of the others: as often as there are seeds. */
export async function divide(
  file: OpenFile,
  { test: wanted, positive, classes: given, added: _, bits, ...wishes }: DataOptions,
  seed: number,
  loading: Loading = {},
): Promise<LoadedData> {
  const isAside = typeof wanted === 'number' ? drawLots(file, wanted, seed) : () => false
  const { recipe, points: pool } = await learnFeatures(file, isAside, loading, bits)
  if (wishes.label === undefined)
    return inMemory(file, { recipe, pool: { ...pool, labels: [] }, test: undefined, classes: given ?? [] })
  const other = typeof wanted === 'string' ? await openTest(wanted, wishes, recipe) : undefined
  const { names, of } = classesOf(wishes.label, new Set([...file.labels, ...(other?.file.labels ?? [])]), positive)
  const labelled = (points: Points, { labels }: OpenFile) => ({ ...points, labels: points.rows.map((row) => of(labels[row]!)) })
  const aside = file.order.filter(isAside)
  const own = aside.length > 0 ? await applyFeatures(file, recipe, aside) : undefined
  const test = other ? labelled(other.points, other.file) : own && labelled(own, file)
  return inMemory(file, { recipe, pool: labelled(pool, file), test, classes: names })
}

function inMemory(
  { table, began, roles, id, ids }: OpenFile,
  parts: Pick<LoadedData, 'recipe' | 'pool' | 'test' | 'classes'>,
): LoadedData {
  const file = { table, began, roles, id, ids } // what else is known of its rows is with the points, or can be forgotten
  const { pool } = parts
  return {
    file,
    ...parts,
    size: pool.ids.length,
    engine: () => engineOver(file, pool),
    answers: pool.labels.length > 0 ? () => columnOracle(labelsOf(pool)) : undefined,
    async labelsIn(column) {
      const cells = await file.table.strings(column)
      return new Map(pool.rows.map((row, k) => [pool.ids[k]!, cells[row]!]))
    },
    keep: (folder) => keepFeatures(folder, featuresKey(file, pool.rows), { recipe: parts.recipe, features: pool.features }),
    async close() {
      pool.letGo?.()
      await file.table.close()
    },
  }
}

/** A file of its own to test on. */
export async function openTest(path: string, wishes: Wishes, recipe: Recipe): Promise<{ file: OpenFile; points: Points }> {
  const learned = recipe.parts.map(({ column }) => column)
  await requireColumns(path, [wishes.label!, ...learned])
  const file = await openFile(path, { ...wishes, features: learned })
  const points = await applyFeatures(file, recipe, file.order)
  await file.table.close()
  return { file, points }
}

/** A file to test on must have what the pool was learned from, and the labels. */
async function requireColumns(path: string, needed: readonly string[]): Promise<void> {
  const { columns, close } = await openTable(path)
  await close()
  const names = columns.map(({ name }) => name)
  const missing = needed.find((name) => !names.includes(name))
  if (missing === undefined) return
  const message = `${path}: must have the columns of the pool, got no ${JSON.stringify(missing)}`
  throw new AlisError('bad-input', message, didYouMean(missing, names) ?? `The columns are ${names.slice(0, 12).join(', ')}.`)
}

/** The labels of points, by id. */
function labelsOf({ ids, labels, hashes = hashIds(ids) }: LabelledPoints): { get(id: string): Label | undefined } {
  const { rowOf } = idIndex(ids, hashes) // a map of a million texts would outgrow the features
  return { get: (id) => labels[rowOf(id)] }
}

/** A seed nobody chose: 53 bits from the operating system. */
export function freshSeed(): number {
  return Number(randomBytes(8).readBigUInt64LE() >> 11n)
}
