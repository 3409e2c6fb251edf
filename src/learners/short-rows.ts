import { factorInPlace } from '../core/cholesky.ts'
import { dense, type FeatureRows, type SparseColumns, usedColumns } from '../core/features.ts'
import type { Model } from '../core/model.ts'
import { minimise, type RidgeProblem } from './newton.ts'
import { blocksOf, parametersOf } from './training.ts'

/** Parameters (β, b/10) for each of `count` blocks, found in fewer columns where that is worth it, or from where the previous model was. */
export function solveRows(
  features: FeatureRows,
  count: number,
  problemOf: (features: FeatureRows) => RidgeProblem,
  previous: Model | undefined,
): Float64Array {
  const start = parametersOf(previous, features, count)
  if (features.layout?.kind === 'sparse') return solveSparse(features, features.layout, { count, problemOf, start })
  const problem = problemOf(features)
  if (!isWide(features, count)) return minimise(problem, start)

  const short = shortRows(features)
  const found = blocksOf(minimise(problemOf(short.features)), count)
  const lifted = new Float64Array(problem.parameters)
  for (const [k, block] of blocksOf(lifted, count).entries()) {
    block.set(short.lift(found[k]!))
    block[features.columns] = found[k]!.at(-1)!
  }
  return minimise(problem, lifted) // makes good what rounding lost on the way back: as a rule, nothing
}

interface SparseQuestion {
  readonly count: number
  readonly problemOf: (features: FeatureRows) => RidgeProblem
  readonly start: Float64Array | undefined
}

/** In the columns that have entries, as most of those of texts have none: the weights of the others are 0. */
function solveSparse(features: FeatureRows, layout: SparseColumns, { count, problemOf, start }: SparseQuestion): Float64Array {
  const { used, features: narrow } = usedColumns(features, layout)
  const places = Array.from({ length: count }, (_, k) =>
    [...used, features.columns].map((j) => k * (features.columns + 1) + j),
  ).flat()
  const found = minimise(problemOf(narrow), start && Float64Array.from(places, (place) => start[place]!))
  const all = new Float64Array(count * (features.columns + 1))
  for (let at = 0; at < found.length; at++) all[places[at]!] = found[at]!
  return all
}

/** A few labels and many columns: where active learning starts. Beyond that, the n² products of rows cost more than they save. */
function isWide({ rows, columns }: FeatureRows, count: number): boolean {
  return rows <= Math.min(300 * count, 1000) && columns > 1.5 * rows
}

/**
 * The same rows in as many columns as there are rows. The best weights are a sum of rows, β = Xᵀα, as anything else would add to the penalty but not to the scores. With
 * XXᵀ = LLᵀ and γ = Lᵀα the scores are Xβ = Lγ, and ‖β‖² = ‖γ‖²: the rows of L can stand in for those of X.
 */
export function shortRows(features: FeatureRows) {
  const { rows, columns } = features
  const factor = productsOfRows(features)
  factorInPlace(factor, rows)
  return {
    features: dense(factor, rows),
    /** The weights for the original columns that give the same scores, and are as long. */
    lift(weights: Float64Array): Float64Array {
      const sums = weights.slice(0, rows) // α, from γ = Lᵀα
      const lifted = new Float64Array(columns)
      for (let i = rows - 1; i >= 0; i--) {
        const pivot = factor[i * rows + i]!
        const sum = pivot > 0 ? sums[i]! / pivot : 0 // a row that repeats earlier ones adds nothing
        for (let k = 0; k < i; k++) sums[k]! -= sum * factor[i * rows + k]!
        features.addInPlace(i, sum, lifted)
      }
      return lifted
    },
  }
}

/** XXᵀ, its lower triangle */
function productsOfRows(features: FeatureRows): Float64Array {
  const { rows, columns } = features
  const products = new Float64Array(rows * rows)
  const row = new Float64Array(columns)
  for (let i = 0; i < rows; i++) {
    row.fill(0)
    features.addInPlace(i, 1, row)
    for (let k = 0; k <= i; k++) products[i * rows + k] = features.dot(k, row)
  }
  return products
}
