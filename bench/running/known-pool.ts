import { requireInput } from '../../src/core/errors.ts'
import { dense, type FeatureRows, sparse } from '../../src/core/features.ts'
import { type Model, predictedClass, scorerOf, scoresPerPoint } from '../../src/core/model.ts'
import { uniform } from '../../src/core/randomness.ts'
import { openSet } from './sets.ts'

/** A pool of which everything is known. */
export interface KnownPool {
  readonly ids: readonly string[]
  readonly features: FeatureRows
  readonly classes: readonly string[]
  /** Position of each point's class. */
  readonly truth: readonly number[]
}

export interface PoolRecipe {
  readonly set: string
  readonly points: number
  /** Share of the answers that are another class. */
  readonly flipped?: number
  /** Share of the points with a trace of the answer in the last column, too faint to learn by: models can be made wrong there on purpose. */
  readonly traced?: number
  /** Every point is a feature of its own, and there are no others. */
  readonly isNamed?: boolean
}

/** The size of a trace. */
export const trace = 1e-4

/** Some points of a set, others for each seed. */
export async function samplePool(recipe: PoolRecipe, seed: number): Promise<KnownPool> {
  const { set, points, flipped = 0, traced = 0, isNamed = false } = recipe
  const opened = await openSet(set)
  requireInput(
    opened !== undefined,
    `ALIS_DATA: a folder with the file of ${set} is required, got none`,
    'bench/running/mlbench.R writes some.',
  )
  const { pool, classes } = opened!
  const lots = pool.ids.map((id, row) => ({ row, lot: uniform(seed, 'sampled', id) })).sort((a, b) => a.lot - b.lot)
  const rows = lots.slice(0, points).map(({ row }) => row)
  const ids = rows.map((row) => pool.ids[row]!)
  const truth = rows.map((row, i) => {
    const own = classes.indexOf(pool.labels[row]!)
    return uniform(seed, 'flipped', ids[i]!) < flipped ? (own + 1) % classes.length : own
  })
  if (isNamed) return { ids, features: namedRows(rows.length), classes, truth }
  const width = pool.features.columns + (traced > 0 ? 1 : 0)
  const values = new Float32Array(rows.length * width)
  for (const [i, row] of rows.entries()) {
    values.set(rowOf(pool.features, row), i * width)
    if (traced > 0 && uniform(seed, 'traced', ids[i]!) < traced) values[(i + 1) * width - 1] = truth[i] === 1 ? trace : -trace
  }
  return { ids, features: dense(values, width), classes, truth }
}

function rowOf(features: FeatureRows, row: number): Float64Array {
  const own = new Float64Array(features.columns)
  features.addInPlace(row, 1, own)
  return own
}

function namedRows(rows: number): FeatureRows {
  const indices = Uint32Array.from({ length: rows }, (_, i) => i)
  return sparse({ starts: Uint32Array.of(...indices, rows), indices, values: new Float64Array(rows).fill(1) }, rows)
}

/** How many of some points a model gets wrong. */
export function errorsOf(
  model: Model,
  { features, truth }: Pick<KnownPool, 'features' | 'truth'>,
  rows: Iterable<number>,
): number {
  const score = scorerOf(model)
  const scores = new Float64Array(scoresPerPoint(model))
  let errors = 0
  for (const row of rows) {
    score(features, row, scores)
    if (predictedClass(scores) !== truth[row]) errors++
  }
  return errors
}
