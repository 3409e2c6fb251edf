import { describe, expect, it } from 'vitest'
import { dense } from '../core/features.ts'
import { type LinearModel, scorerOf } from '../core/model.ts'
import { uniform } from '../core/randomness.ts'
import { logistic } from '../losses/logistic.ts'
import type { Loss } from '../losses/loss.ts'
import { squared } from '../losses/squared.ts'
import { squaredHinge } from '../losses/squared-hinge.ts'
import type { TrainingSet } from './learner.ts'
import { logisticLearner, squaredHingeLearner, squaredLearner } from './margin-learner.ts'
import { sampledMinimum } from './sampled-solver.ts'

const classes = ['no', 'yes']
const rows = 300
const columns = 5

/** Rows of very different lengths, as counts and sums are. */
const values = Float64Array.from({ length: rows * columns }, (_, k) => {
  const length = 10 ** (2 * uniform(1, 'length', `${Math.floor(k / columns)}`) - 1)
  return length * (2 * uniform(1, 'cell', `${k}`) - 1)
})
const training: TrainingSet = {
  features: dense(values, columns),
  labels: Array.from({ length: rows }, (_, i) =>
    values[i * columns]! - values[i * columns + 1]! + 2 * (uniform(1, 'noise', `${i}`) - 0.5) > 0 ? 1 : 0,
  ),
  weights: Array.from({ length: rows }, (_, i) => (i % 7 === 0 ? 0 : 1 + (i % 3))),
}

function objective(loss: Loss, model: LinearModel, l2: number): number {
  const into = new Float64Array(1)
  const score = scorerOf(model)
  const sum = training.labels.reduce((total, label, i) => {
    score(training.features, i, into)
    return total + training.weights[i]! * loss.value(2 * label - 1, into[0]!)
  }, 0)
  const [weights, intercept] = [model.weights[0]!, model.intercepts[0]!]
  return sum + (l2 / 2) * (weights.reduce((total, weight) => total + weight * weight, 0) + intercept ** 2 / 100)
}

describe.each([
  ['logistic', logisticLearner, logistic],
  ['squared', squaredLearner, squared],
  ['squared hinge', squaredHingeLearner, squaredHinge],
] as const)('%s', (_, make, loss) => {
  it.each([1, 10, 100])('reaches the optimum that Newton reaches, to 1e-8 of the objective, with a penalty of %d', async (l2) => {
    const newton = await make({ l2 }).fit(training, classes)
    const sampled = await make({ l2, solver: 'sampled' }).fit(training, classes)
    const least = objective(loss, newton, l2)
    expect(Math.abs(objective(loss, sampled, l2) / least - 1)).toBeLessThan(1e-8)
    expect((await make({ l2, solver: 'sampled' }).fit(training, classes)).id).toBe(sampled.id)
  })
})

it('gets there in fewer visits than uniform sampling where rows differ in length, and both know how far they have come', () => {
  const [importance, plain] = (['importance', 'uniform'] as const).map((sampling) =>
    sampledMinimum(logistic, training, 10, { sampling }),
  )
  expect(importance!.passes).toBeLessThan(plain!.passes)
  for (const [j, value] of importance!.parameters.entries()) expect(value).toBeCloseTo(plain!.parameters[j]!, 3)
  const gaps = [0, 8, 16, 32, 64].map((passes) => sampledMinimum(logistic, training, 10, { passes, tolerance: 0 }).gap)
  for (let k = 1; k < gaps.length; k++) expect(gaps[k]!).toBeLessThan(gaps[k - 1]!)
})
