/**
 * Replaces the lower triangle of a symmetric positive semidefinite matrix, stored row by row, by its Cholesky factor L
 * (LLᵀ = matrix). Where rounding leaves nothing of a pivot, its column of L is 0.
 */
export function factorInPlace(matrix: Float64Array, size: number): void {
  for (let j = 0; j < size; j++) {
    const row = j * size
    for (let k = 0; k < j; k++) {
      const pivot = matrix[k * size + k]!
      matrix[row + k] = pivot > 0 ? (matrix[row + k]! - dotOfRows(matrix, row, k * size, k)) / pivot : 0
    }
    const diagonal = matrix[row + j]!
    const pivot = diagonal - dotOfRows(matrix, row, row, j)
    matrix[row + j] = pivot > size * Number.EPSILON * diagonal ? Math.sqrt(pivot) : 0
  }
}

/** vector ← L⁻¹ vector,  for a factor without zero pivots */
export function solveLowerInPlace(factor: Float64Array, vector: Float64Array): void {
  const size = vector.length
  for (let j = 0; j < size; j++) {
    const row = j * size
    let sum = vector[j]!
    for (let k = 0; k < j; k++) sum -= factor[row + k]! * vector[k]!
    vector[j] = sum / factor[row + j]!
  }
}

/** vector ← (LLᵀ)⁻¹ vector,  for a factor without zero pivots */
export function solveInPlace(factor: Float64Array, vector: Float64Array): void {
  solveLowerInPlace(factor, vector)
  solveUpperInPlace(factor, vector)
}

/** vector ← L⁻ᵀ vector,  for a factor without zero pivots */
export function solveUpperInPlace(factor: Float64Array, vector: Float64Array): void {
  const size = vector.length
  for (let j = size - 1; j >= 0; j--) {
    const row = j * size
    const solved = vector[j]! / factor[row + j]!
    vector[j] = solved
    for (let k = 0; k < j; k++) vector[k]! -= solved * factor[row + k]!
  }
}

/** Σₖ m[a + k] · m[b + k],  k < length */
function dotOfRows(matrix: Float64Array, a: number, b: number, length: number): number {
  let sum = 0
  for (let k = 0; k < length; k++) sum += matrix[a + k]! * matrix[b + k]!
  return sum
}
