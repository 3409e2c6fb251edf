import { expect, it } from 'vitest'
import { factorInPlace, solveAllInPlace, solveInPlace, solveUpperAllInPlace, solveUpperInPlace } from './cholesky.ts'

it('solves a system whose solution is known', () => {
  const factor = Float64Array.of(4, 0, 0, 2, 5, 0, 1, 3, 6) // the lower triangle of [[4,2,1],[2,5,3],[1,3,6]]
  factorInPlace(factor, 3)
  const vector = Float64Array.of(4 - 4 + 3, 2 - 10 + 9, 1 - 6 + 18) // that matrix times (1, −2, 3)
  solveInPlace(factor, vector)
  for (const [j, expected] of [1, -2, 3].entries()) expect(vector[j]).toBeCloseTo(expected, 14)
})

it('leaves the column of a dependent row empty, and still reproduces the matrix', () => {
  const first = [Math.sin(1), Math.cos(3), Math.sin(5)]
  const rows = [first, first.map((x) => 1.1 * x), [0.1, 0.2, 1]] // rounding leaves the second a pivot of 4e-16
  const products = rows.flatMap((a) => rows.map((b) => a.reduce((sum, x, k) => sum + x * b[k]!, 0)))
  const factor = Float64Array.from(products, (value, at) => (at % 3 > Math.floor(at / 3) ? 0 : value))
  factorInPlace(factor, 3)
  expect([factor[4], factor[7]]).toEqual([0, 0])
  for (let i = 0; i < 3; i++)
    for (let j = 0; j < 3; j++) {
      let product = 0
      for (let k = 0; k < 3; k++) product += factor[3 * i + k]! * factor[3 * j + k]!
      expect(product).toBeCloseTo(products[3 * i + j]!, 14)
    }
})

it('solves several at once to the last bit as one by one', () => {
  const size = 7
  const factor = Float64Array.from({ length: size * size }, (_, at) => (at % (size + 1) === 0 ? 3 : Math.sin(at)))
  factorInPlace(factor, size)
  const vectors = Array.from({ length: 6 }, (_, i) => Float64Array.from({ length: size }, (_, j) => Math.cos(i + 3 * j)))
  for (const [all, one] of [
    [solveAllInPlace, solveInPlace],
    [solveUpperAllInPlace, solveUpperInPlace],
  ] as const) {
    const [together, alone] = [vectors.map((vector) => vector.slice()), vectors.map((vector) => vector.slice())]
    all(factor, together)
    for (const vector of alone) one(factor, vector)
    expect(together).toEqual(alone)
  }
})
