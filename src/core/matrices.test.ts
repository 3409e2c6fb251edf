import { expect, it } from 'vitest'
import { factorInPlace, inverseOf } from './cholesky.ts'
import { addOuterInPlace, multiply, quadratic } from './matrices.ts'

const n = 5
const matrix = new Float64Array(n * n)
for (let k = 0; k < 8; k++) {
  const v = Float64Array.from({ length: n }, (_, i) => Math.sin(k * k + 3 * i))
  addOuterInPlace(matrix, v, 1 + k)
}
for (let i = 0; i < n; i++) matrix[i * n + i]! += 0.1

it('the inverse times the matrix is one', () => {
  const factor = matrix.slice()
  factorInPlace(factor, n)
  const product = multiply(inverseOf(factor, n), matrix, n)
  for (const [k, entry] of product.entries()) expect(entry).toBeCloseTo(k % (n + 1) === 0 ? 1 : 0, 9)
})

it('a sum of outer products is the form Σ w (v·x)²', () => {
  const x = Float64Array.from({ length: n }, (_, i) => Math.cos(i))
  let expected = 0.1 * x.reduce((sum, xi) => sum + xi * xi, 0)
  for (let k = 0; k < 8; k++) {
    const dot = x.reduce((sum, xi, i) => sum + xi * Math.sin(k * k + 3 * i), 0)
    expected += (1 + k) * dot ** 2
  }
  expect(quadratic(matrix, x)).toBeCloseTo(expected, 9)
})
