import { requireInput } from './errors.ts'

/** Square matrices stored row by row: small ones, as wide as a model. */

/** Features for which any engine computes quadratic forms and moments, at most: a query writes out the square of it, and every row costs as much. */
export const mostFormFeatures = 256

/** matrix ← matrix + weight · v vᵀ */
export function addOuterInPlace(matrix: Float64Array, v: Float64Array, weight: number): void {
  const n = v.length
  for (let i = 0; i < n; i++) {
    const scaled = weight * v[i]!
    if (scaled === 0) continue
    for (let j = 0; j < n; j++) matrix[i * n + j]! += scaled * v[j]!
  }
}

/** v·Mv, M symmetric: twice what is left of the diagonal, and the diagonal. */
export function quadratic(matrix: Float64Array, v: Float64Array): number {
  const n = v.length
  let sum = 0
  for (let i = 0; i < n; i++) {
    const vi = v[i]!
    if (vi === 0) continue
    const start = i * n
    let row = 0
    for (let j = 0; j < i; j++) row += matrix[start + j]! * v[j]!
    sum += vi * (2 * row + matrix[start + i]! * vi)
  }
  return sum
}

export function multiply(a: Float64Array, b: Float64Array, n: number): Float64Array {
  const product = new Float64Array(n * n)
  for (let i = 0; i < n; i++)
    for (let k = 0; k < n; k++) {
      const aik = a[i * n + k]!
      if (aik === 0) continue
      for (let j = 0; j < n; j++) product[i * n + j]! += aik * b[k * n + j]!
    }
  return product
}

/** The inverse of a symmetric positive definite matrix, by Gauss and Jordan; no pivoting is needed. */
export function inverse(matrix: Float64Array, n: number): Float64Array {
  const left = matrix.slice()
  const right = new Float64Array(n * n)
  for (let i = 0; i < n; i++) right[i * n + i] = 1
  for (let k = 0; k < n; k++) {
    const pivot = left[k * n + k]!
    requireInput(pivot > 0, `inverse: a positive definite matrix is required, got a pivot of ${pivot}`)
    for (let j = 0; j < n; j++) {
      left[k * n + j]! /= pivot
      right[k * n + j]! /= pivot
    }
    for (let i = 0; i < n; i++) {
      const factor = left[i * n + k]!
      if (i === k || factor === 0) continue
      for (let j = 0; j < n; j++) {
        left[i * n + j]! -= factor * left[k * n + j]!
        right[i * n + j]! -= factor * right[k * n + j]!
      }
    }
  }
  return right
}
