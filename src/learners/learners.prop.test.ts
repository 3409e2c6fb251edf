import fc from 'fast-check'
import { expect, it } from 'vitest'
import { dense } from '../core/features.ts'
import type { LinearModel } from '../core/model.ts'
import { crossEntropy } from '../losses/cross-entropy.ts'
import { logistic } from '../losses/logistic.ts'
import { squared } from '../losses/squared.ts'
import { squaredHinge } from '../losses/squared-hinge.ts'
import type { TrainingSet } from './learner.ts'
import { logisticLearner, squaredHingeLearner, squaredLearner } from './margin-learner.ts'
import { multinomialLearner } from './multinomial.ts'

const number = (most: number) => fc.double({ min: -most, max: most, noNaN: true, noDefaultInfinity: true })

/** A small training set of three classes, and a direction in which to leave the solution. */
const problems = fc
  .record({ rows: fc.integer({ min: 1, max: 8 }), columns: fc.integer({ min: 1, max: 15 }) })
  .chain(({ rows, columns }) =>
    fc.record({
      values: fc.array(number(5), { minLength: rows * columns, maxLength: rows * columns }),
      columns: fc.constant(columns),
      labels: fc.array(fc.nat(2), { minLength: rows, maxLength: rows }),
      weights: fc.array(fc.double({ min: 0, max: 50, noNaN: true }), { minLength: rows, maxLength: rows }),
      direction: fc.array(number(1), { minLength: 3 * (columns + 1), maxLength: 3 * (columns + 1) }),
      l2: fc.constantFrom(0.01, 0.3, 1, 30),
    }),
  )

type Parameters = Pick<LinearModel, 'weights' | 'intercepts'>
type LossOf = (label: number, scores: number[]) => number

/** Σᵢ wᵢ ℓ(yᵢ, xᵢ·β + b) + (λ/2) (‖β‖² + b²/100) */
function objective({ weights: rows, intercepts }: Parameters, training: TrainingSet, l2: number, lossOf: LossOf): number {
  let sum = 0
  for (const [i, label] of training.labels.entries()) {
    const scores = rows.map((row, k) => training.features.dot(i, Float64Array.from(row)) + intercepts[k]!)
    sum += training.weights[i]! * lossOf(label, scores)
  }
  for (const weight of rows.flat()) sum += (l2 / 2) * weight ** 2
  for (const intercept of intercepts) sum += (l2 / 2) * (intercept ** 2 / 100)
  return sum
}

const two = ['no', 'yes']
it.each([
  { make: logisticLearner, classes: two, lossOf: (y: number, z: number[]) => logistic.value(2 * y - 1, z[0]!) },
  { make: squaredLearner, classes: two, lossOf: (y: number, z: number[]) => squared.value(2 * y - 1, z[0]!) },
  { make: squaredHingeLearner, classes: two, lossOf: (y: number, z: number[]) => squaredHinge.value(2 * y - 1, z[0]!) },
  { make: multinomialLearner, classes: ['a', 'b', 'c'], lossOf: crossEntropy.value },
])('$make.name: no step away from its model lowers the objective', ({ make, classes, lossOf }) => {
  fc.assert(
    fc.property(problems, ({ values, columns, labels, weights, direction, l2 }) => {
      const training = {
        features: dense(Float64Array.from(values), columns),
        labels: labels.map((label) => label % classes.length),
        weights,
      }
      const model = make({ l2 }).fit(training, classes) as LinearModel
      const least = objective(model, training, l2, lossOf)
      for (const size of [1, 1e-2, 1e-4]) {
        const moved = {
          weights: model.weights.map((row, k) => row.map((weight, j) => weight + size * direction[k * (columns + 1) + j]!)),
          intercepts: model.intercepts.map((b, k) => b + size * direction[k * (columns + 1) + columns]!),
        }
        expect(objective(moved, training, l2, lossOf)).toBeGreaterThanOrEqual(least * (1 - 1e-13)) // sums of about 100 terms
      }
    }),
    { seed: 20_261_116, numRuns: 60 },
  )
})
