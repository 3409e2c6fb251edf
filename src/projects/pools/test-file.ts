import { AlisError } from '../../core/errors.ts'
import { didYouMean } from '../../core/nearest-name.ts'
import type { Label } from '../../core/record.ts'
import type { Recipe } from '../../features/recipe.ts'
import type { Wishes } from '../../features/roles.ts'
import { openTable } from '../../sources/duckdb-file.ts'
import { applyFeatures, openFile } from './open-file.ts'
import type { LabelledPoints } from './pool-data.ts'

/** A file of its own to test on, with features as the pool has them. */
export interface TestFile {
  /** The label column as written. */
  readonly labels: readonly Label[]
  /** Its points, each of the class that `of` makes of its label. */
  labelled(of: (label: Label) => Label): LabelledPoints
}

export async function openTest(path: string, wishes: Wishes, recipe: Recipe): Promise<TestFile> {
  const learned = recipe.parts.map(({ column }) => column)
  await requireColumns(path, [wishes.label!, ...learned])
  const file = await openFile(path, { ...wishes, features: learned })
  const points = await applyFeatures(file, recipe, file.order)
  await file.table.close()
  const { labels } = file
  return { labels, labelled: (of) => ({ ...points, labels: points.rows.map((row) => of(labels[row]!)) }) }
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
