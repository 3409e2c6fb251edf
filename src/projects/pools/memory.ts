import type { StepWish } from '../../core/feature-blocks.ts'
import { hashIds } from '../../core/randomness.ts'
import type { Label } from '../../core/record.ts'
import { idIndex } from '../../engines/id-index.ts'
import { columnOracle } from '../../oracles/column.ts'
import { classesOf } from './classes.ts'
import { featuresKey, keepFeatures } from './features-file.ts'
import { keepTable } from './known-table.ts'
import { applyFeatures, drawLots, engineOver, learnFeatures, type OpenFile, openFile, type Points } from './open-file.ts'
import type { DataOptions, LabelledPoints, LoadedData, Loading } from './pool-data.ts'
import { openTest } from './test-file.ts'

/** Reads a file and sets the test rows aside: by lot of `seed`, or from a file of their own. */
export async function loadData(path: string, options: DataOptions, seed: number, loading: Loading = {}): Promise<LoadedData> {
  const { test: _, positive: __, classes: ___, added, bits: ____, steps: _____, ...wishes } = options
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
  { test: wanted, positive, classes: given, added: _, bits, steps, ...wishes }: DataOptions,
  seed: number,
  loading: Loading = {},
): Promise<LoadedData> {
  const isAside = typeof wanted === 'number' ? drawLots(file, wanted, seed) : () => false
  const { recipe, points: pool } = await learnFeatures(file, isAside, loading, { bits, steps })
  if (wishes.label === undefined)
    return inMemory(file, { recipe, pool: { ...pool, labels: [] }, test: undefined, classes: given ?? [] }, steps)
  const other = typeof wanted === 'string' ? await openTest(wanted, wishes, recipe) : undefined
  const { names, of } = classesOf(wishes.label, new Set([...file.labels, ...(other?.labels ?? [])]), positive)
  const labelled = (points: Points) => ({ ...points, labels: points.rows.map((row) => of(file.labels[row]!)) })
  const aside = file.order.filter(isAside)
  const own = aside.length > 0 ? labelled(await applyFeatures(file, recipe, aside)) : undefined
  return inMemory(file, { recipe, pool: labelled(pool), test: other?.labelled(of) ?? own, classes: names }, steps)
}

function inMemory(
  { table, began, roles, id, ids }: OpenFile,
  parts: Pick<LoadedData, 'recipe' | 'pool' | 'test' | 'classes'>,
  steps: StepWish | undefined,
): LoadedData {
  const file = { table, began, roles, id, ids } // what else is known of its rows is with the points, or can be forgotten
  const { pool } = parts
  return {
    file,
    ...parts,
    size: pool.ids.length,
    engine: () => engineOver(file, pool),
    answers: pool.labels.length > 0 ? () => columnOracle(labelsById(pool)) : undefined,
    async labelsIn(column) {
      const cells = await file.table.strings(column)
      return new Map(pool.rows.map((row, k) => [pool.ids[k]!, cells[row]!]))
    },
    keep(folder) {
      keepTable(folder, table)
      keepFeatures(folder, featuresKey(file, pool.rows, steps), { recipe: parts.recipe, features: pool.features })
    },
    async close() {
      pool.letGo?.()
      await file.table.close()
    },
  }
}

function labelsById({ ids, labels, hashes = hashIds(ids) }: LabelledPoints): { get(id: string): Label | undefined } {
  const { rowOf } = idIndex(ids, hashes) // a map of a million texts would outgrow the features
  return { get: (id) => labels[rowOf(id)] }
}
