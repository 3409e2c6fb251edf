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

/** Each vector ← (LLᵀ)⁻¹ vector: to the last bit as one by one, in a third of the time, as sums of one need not wait for each other. */
export function solveAllInPlace(factor: Float64Array, vectors: readonly Float64Array[]): void {
  inFours(vectors, (four) => {
    solveLowerOfFour(factor, four)
    solveUpperOfFour(factor, four)
  })
}

/** Each vector ← L⁻ᵀ vector, likewise. */
export function solveUpperAllInPlace(factor: Float64Array, vectors: readonly Float64Array[]): void {
  inFours(vectors, (four) => solveUpperOfFour(factor, four))
}

/** Goes through vectors four at a time, side by side; with the last, numbers that stand for none. */
function inFours(vectors: readonly Float64Array[], change: (four: Float64Array) => void): void {
  const size = vectors[0]?.length ?? 0
  const four = new Float64Array(4 * size)
  for (let first = 0; first < vectors.length; first += 4) {
    const some = vectors.slice(first, first + 4)
    for (const [r, vector] of some.entries()) for (let j = 0; j < size; j++) four[4 * j + r] = vector[j]!
    change(four)
    for (const [r, vector] of some.entries()) for (let j = 0; j < size; j++) vector[j] = four[4 * j + r]!
  }
}

/** vectors ← L⁻¹ vectors, of four side by side */
export function solveLowerOfFour(factor: Float64Array, vectors: Float64Array): void {
  const size = vectors.length / 4
  for (let j = 0; j < size; j++) {
    const row = j * size
    let a = vectors[4 * j]!
    let b = vectors[4 * j + 1]!
    let c = vectors[4 * j + 2]!
    let d = vectors[4 * j + 3]!
    for (let k = 0, from = 0; k < j; k++, from += 4) {
      const share = factor[row + k]!
      a -= share * vectors[from]!
      b -= share * vectors[from + 1]!
      c -= share * vectors[from + 2]!
      d -= share * vectors[from + 3]!
    }
    const pivot = factor[row + j]!
    vectors[4 * j] = a / pivot
    vectors[4 * j + 1] = b / pivot
    vectors[4 * j + 2] = c / pivot
    vectors[4 * j + 3] = d / pivot
  }
}

/** vectors ← L⁻ᵀ vectors, of four side by side */
function solveUpperOfFour(factor: Float64Array, vectors: Float64Array): void {
  const size = vectors.length / 4
  for (let j = size - 1; j >= 0; j--) {
    const row = j * size
    const pivot = factor[row + j]!
    const a = vectors[4 * j]! / pivot
    const b = vectors[4 * j + 1]! / pivot
    const c = vectors[4 * j + 2]! / pivot
    const d = vectors[4 * j + 3]! / pivot
    vectors[4 * j] = a
    vectors[4 * j + 1] = b
    vectors[4 * j + 2] = c
    vectors[4 * j + 3] = d
    for (let k = 0, to = 0; k < j; k++, to += 4) {
      const share = factor[row + k]!
      vectors[to]! -= a * share
      vectors[to + 1]! -= b * share
      vectors[to + 2]! -= c * share
      vectors[to + 3]! -= d * share
    }
  }
}

/** Σₖ m[a + k] · m[b + k],  k < length */
function dotOfRows(matrix: Float64Array, a: number, b: number, length: number): number {
  let sum = 0
  for (let k = 0; k < length; k++) sum += matrix[a + k]! * matrix[b + k]!
  return sum
}
