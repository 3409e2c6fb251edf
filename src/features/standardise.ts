import { requireInput } from '../core/errors.ts'
import { dense, type FeatureRows } from '../core/features.ts'
import { compensatedSum } from '../core/sums.ts'

/** How columns of numbers become features: readable, stored with a project, applied identically to new data. */
export interface Recipe {
  readonly columns: readonly { readonly name: string; readonly mean: number; readonly scale: number }[]
}

/**
 * Learns from a table of numbers (row by row, NaN where missing) how to bring every column to mean 0 and variance 1.
 * A column that never varies tells nothing and gets scale 0.
 */
export function standardiser(names: readonly string[], values: Float32Array): Recipe {
  const width = names.length
  requireInput(width > 0, 'features: at least one numeric column is required, got none', 'Name them with --features a,b,c.')
  const columns = names.map((name, j) => {
    const mean = meanOf(values, j, width, (x) => x)
    const variance = meanOf(values, j, width, (x) => (x - mean) ** 2)
    const isConstant = variance <= 1e-14 * mean * mean
    return { name, mean, scale: isConstant ? 0 : 1 / Math.sqrt(variance) }
  })
  return { columns }
}

/** Applies a recipe. A missing value becomes the mean, that is 0. */
export function standardise({ columns }: Recipe, values: Float32Array): FeatureRows {
  const features = new Float32Array(values.length)
  const width = columns.length
  for (let i = 0; i < values.length; i++) {
    const { mean, scale } = columns[i % width]!
    const value = values[i]!
    features[i] = Number.isNaN(value) ? 0 : (value - mean) * scale
  }
  return dense(features, width)
}

function meanOf(values: Float32Array, column: number, width: number, f: (x: number) => number): number {
  const sum = compensatedSum()
  let count = 0
  for (let i = column; i < values.length; i += width) {
    const value = values[i]!
    if (Number.isNaN(value)) continue
    sum.add(f(value))
    count++
  }
  return count > 0 ? sum.total() / count : 0
}
