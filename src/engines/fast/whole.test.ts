import { expect, it } from 'vitest'
import { dense } from '../../core/features.ts'
import { uniform } from '../../core/randomness.ts'
import { logisticLearner } from '../../learners/logistic.ts'
import { multinomialLearner } from '../../learners/multinomial.ts'
import { squaredHingeLearner } from '../../learners/squared-hinge.ts'
import { withWhole } from './whole.ts'

const [rows, columns] = [1003, 37] // no multiples of anything
const rowsOf = (stream: string) =>
  dense(
    Float32Array.from({ length: rows * columns }, (_, k) => 4 * uniform(1, stream, `${k}`) - 2),
    columns,
  )
const features = rowsOf('x')
const quick = withWhole(features)
const column = (stream: string, length: number) => Float64Array.from({ length }, (_, k) => uniform(1, stream, `${k}`) - 0.5)

it('goes through all rows as one goes through each', () => {
  const vectors = [column('a', columns + 1), column('b', columns + 1)]
  const scores = new Float64Array(2 * rows)
  quick.whole!.project(vectors, scores)
  for (let i = 0; i < rows; i++)
    for (const [k, vector] of vectors.entries()) expect(scores[2 * i + k]).toBeCloseTo(features.dot(i, vector), 12)

  const factors = column('c', 2 * rows)
  const [quickly, slowly] = [0, 1].map(() => [column('d', columns + 1), column('e', columns + 1)])
  quick.whole!.addInPlace(factors, quickly!)
  for (let i = 0; i < rows; i++) for (const [k, vector] of slowly!.entries()) features.addInPlace(i, factors[2 * i + k]!, vector)
  for (const [k, vector] of slowly!.entries()) for (const [j, x] of vector.entries()) expect(quickly![k]![j]).toBeCloseTo(x, 10)
})

it('sums squares to the precision of floats, and leaves the rest of the matrix alone', () => {
  const weights = column('w', rows).map(Math.abs)
  const matrix = new Float64Array((columns + 1) ** 2).fill(7)
  quick.whole!.writeSquares(weights, matrix, columns + 1)
  const row = new Float64Array(columns)
  const sum = new Float64Array(columns * columns)
  for (let i = 0; i < rows; i++) {
    row.fill(0)
    features.addInPlace(i, 1, row)
    for (let j = 0; j < columns; j++) for (let k = 0; k <= j; k++) sum[j * columns + k]! += weights[i]! * row[j]! * row[k]!
  }
  for (let j = 0; j < columns; j++)
    for (let k = 0; k <= columns; k++)
      if (k > j) expect(matrix[j * (columns + 1) + k]).toBe(7)
      else expect(Math.abs(matrix[j * (columns + 1) + k]! - sum[j * columns + k]!)).toBeLessThan(1e-5 * rows)
})

it.each([
  ['logistic', logisticLearner({ l2: 0.1 }), 2],
  ['squared hinge', squaredHingeLearner(), 2],
  ['multinomial', multinomialLearner(), 4],
])('gives the same model: %s', async (_, learner, count) => {
  const classes = Array.from({ length: count }, (_, k) => `${k}`)
  const labels = Array.from({ length: rows }, (_, i) => Math.floor(count * uniform(2, 'label', `${i}`)))
  const fit = (given: typeof features) => learner.fit({ features: given, labels, weights: labels.map(() => 1) }, classes)
  const [a, b, other] = [await fit(quick), await fit(features), await fit(withWhole(rowsOf('y')))]
  for (const [k, row] of a.weights.entries()) for (const [j, x] of row.entries()) expect(x).toBeCloseTo(b.weights[k]![j]!, 8)
  expect((await fit(quick)).id).toBe(a.id) // to the last bit, whoever used the memory in between
  expect(other.id).not.toBe(a.id)
})
