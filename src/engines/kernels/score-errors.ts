import { memoize } from '../../core/memoize.ts'
import { type LinearScores, type TreesModel, voteShapeOf } from '../../core/trees-model.ts'
import { wholeWeights } from './slab-contents.ts'
import type { SlabPool } from './slab-passes.ts'
import { type ByteScales, type Slab, strideOf } from './slabs.ts'

const roundoff = 2 ** -24 // of a 32-bit float, as a share of it

/**
 * How far a score as kernels have it may be from the one that predictions are made of, at most. A class that is ahead by more is certain.
 *
 * A sum of n products in floats is off by at most (n + 2) · 2⁻²⁴ · Σ |w x|, in whatever order. Where features are bytes, each is off by half a step.
 */
export function scoreError({ slabs, scales }: SlabPool, model: LinearScores): number {
  const errors = model.weights.map((row, k) =>
    scales ? errorOfBytes(row, model.intercepts[k]!, scales) : errorOfFloats(row, model.intercepts[k]!, slabs),
  )
  return 1.01 * Math.max(...errors)
}

/** The same of trees: of their sums nothing is rounded but what is beside them. */
export const treesError = (pool: SlabPool, model: TreesModel): number =>
  model.beside ? voteShapeOf(model).scale * scoreError(pool, model.beside) : 0

function errorOfFloats(row: readonly number[], intercept: number, slabs: readonly Slab[]): number {
  let most = 0
  for (const slab of slabs) most = Math.max(most, errorOfSlab(row, intercept, slab))
  return most
}

function errorOfSlab(row: readonly number[], intercept: number, slab: Slab): number {
  const sizes = sizesOf(slab)
  if (slab.form.kind === 'sparse') {
    let heaviest = 0
    for (const weight of row) heaviest = Math.max(heaviest, Math.abs(weight))
    return 4 * roundoff * (heaviest * sizes[0]! + Math.abs(intercept)) // products are in floats, sums in doubles
  }
  let sum = Math.abs(intercept)
  for (let j = 0; j < row.length; j++) sum += Math.abs(row[j]!) * sizes[j]!
  return (row.length + 4) * roundoff * sum
}

function errorOfBytes(row: readonly number[], intercept: number, scales: ByteScales): number {
  const { factor, shift } = wholeWeights(row, scales, strideOf(row.length))
  let steps = 0
  for (let j = 0; j < row.length; j++) steps += Math.abs(row[j]! * scales.scales[j]!)
  const byRounding = steps / 2 + factor * 127 * row.length // of features, and of weights
  return byRounding + 8 * roundoff * (127 * steps + Math.abs(shift) + Math.abs(intercept))
}

/** The largest |x| of each column; of sparse rows, the largest Σ |x| of a row. */
const sizesOf = memoize(({ memory, rows, form }: Slab): Float64Array => {
  if (form.kind === 'sparse') {
    const starts = new Uint32Array(memory.buffer, form.starts, rows + 1)
    const values = new Float32Array(memory.buffer, form.values, starts[rows]!)
    const most = new Float64Array(1)
    for (let row = 0; row < rows; row++) {
      let sum = 0
      for (let at = starts[row]!; at < starts[row + 1]!; at++) sum += Math.abs(values[at]!)
      if (!(sum <= most[0]!)) most[0] = sum
    }
    return most
  }
  const { columns, features } = form
  const values = new Float32Array(memory.buffer, features, rows * columns)
  const most = new Float64Array(columns)
  for (let at = 0, j = 0; at < values.length; at++, j = j + 1 === columns ? 0 : j + 1) {
    const size = Math.abs(values[at]!)
    if (!(size <= most[j]!)) most[j] = size
  }
  return most
})
