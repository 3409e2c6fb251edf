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
    for (let k = 0; k < n; k += 4) {
      // four rows of b at a time, which is twice as fast as one by one; those beyond the last count nothing
      const from = (m: number) => Math.min(k + m, n - 1) * n
      const factor = (m: number) => (k + m < n ? a[i * n + k + m]! : 0)
      const [p, q, r, s] = [from(0), from(1), from(2), from(3)]
      const [u, v, w, x] = [factor(0), factor(1), factor(2), factor(3)]
      for (let j = 0; j < n; j++) product[i * n + j]! += u * b[p + j]! + v * b[q + j]! + w * b[r + j]! + x * b[s + j]!
    }
  return product
}
