import type { FeatureRows } from '../core/features.ts'
import { factorInPlace, solveInPlace } from './cholesky.ts'
import { addRowsInPlace, INTERCEPT_COLUMN, writeRow } from './training.ts'

/** Solves with  M = Σᵢ hᵢ xᵢxᵢᵀ + λI  by Cholesky's method, where xᵢ includes the intercept's column. */
export interface DirectSolver {
  /** What `at` costs, in passes over the rows (project all of them, add all of them up). ∞: do not. */
  readonly cost: number
  /** The map  vector ← M⁻¹ vector,  for row curvatures h ≥ 0. */
  at(curvatures: Float64Array): (vector: Float64Array) => void
}

const MOST_COLUMNS = 1000 // a matrix of 8 MB, and a fifth of a second to factor it

export function directSolver(features: FeatureRows, l2: number): DirectSolver {
  const size = features.columns + 1
  return {
    // rows · size² / 2 products, against 2 · rows · size for a pass, and each a little faster; in floats, much faster
    cost: features.columns > MOST_COLUMNS ? Number.POSITIVE_INFINITY : size / (features.whole ? 12 : 6),
    at(curvatures) {
      const matrix = sumOfSquares(features, curvatures)
      for (let j = 0; j < size; j++) matrix[j * size + j]! += l2
      factorInPlace(matrix, size)
      for (let j = 0; j < size; j++) matrix[j * size + j] ||= Math.sqrt(l2) // a pivot lost to rounding: λ is what remains of it
      return (vector) => solveInPlace(matrix, vector)
    },
  }
}

/** The lower triangle of  Σᵢ hᵢ xᵢxᵢᵀ,  four rows at a time, which is three times as fast as one by one. */
function sumOfSquares(features: FeatureRows, curvatures: Float64Array): Float64Array {
  const { rows, columns } = features
  const matrix = new Float64Array((columns + 1) ** 2)
  if (features.whole) {
    features.whole.writeSquares(curvatures, matrix, columns + 1)
    const last = matrix.subarray(columns * (columns + 1)) // the intercept's
    const scaled = curvatures.map((curvature) => INTERCEPT_COLUMN * curvature)
    addRowsInPlace(features, scaled, [last])
    return matrix
  }
  const four = [0, 1, 2, 3].map(() => new Float64Array(columns + 1)) as FourRows
  for (let i = 0; i < rows; i += 4) {
    for (let k = 0; k < 4; k++) writeRow(features, i + k, i + k < rows ? Math.sqrt(curvatures[i + k]!) : 0, four[k]!)
    addSquaresInPlace(matrix, four)
  }
  return matrix
}

type FourRows = [Float64Array, Float64Array, Float64Array, Float64Array]

/** matrix ← matrix + aaᵀ + bbᵀ + ccᵀ + ddᵀ,  lower triangle */
function addSquaresInPlace(matrix: Float64Array, [a, b, c, d]: FourRows): void {
  for (let j = 0; j < a.length; j++) {
    const start = j * a.length
    const aj = a[j]!
    const bj = b[j]!
    const cj = c[j]!
    const dj = d[j]!
    if (aj === 0 && bj === 0 && cj === 0 && dj === 0) continue
    for (let k = 0; k <= j; k++) matrix[start + k]! += aj * a[k]! + bj * b[k]! + cj * c[k]! + dj * d[k]!
  }
}
