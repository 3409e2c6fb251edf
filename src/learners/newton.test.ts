import { describe, expect, it } from 'vitest'
import { dense } from '../core/features.ts'
import { blankModel, type LinearModel } from '../core/model.ts'
import { logSumExp } from '../core/numbers.ts'
import { logistic } from '../losses/logistic.ts'
import type { Loss } from '../losses/loss.ts'
import { squared } from '../losses/squared.ts'
import { squaredHinge } from '../losses/squared-hinge.ts'
import { gradientOf } from './learner.contract.ts'
import type { TrainingSet } from './learner.ts'
import { logisticLearner, squaredHingeLearner, squaredLearner } from './margin-learner.ts'
import { multinomialLearner } from './multinomial.ts'

type Slopes = (label: number, scores: ArrayLike<number>) => number[]

const ofMargin =
  (loss: Loss): Slopes =>
  (label, scores) => [loss.slope(2 * label - 1, scores[0]!)]
const ofSoftmax: Slopes = (label, scores) => {
  const total = logSumExp(scores)
  return Array.from(scores, (score, k) => Math.exp(score - total) - (k === label ? 1 : 0))
}

const learners = [
  { make: logisticLearner, slopes: ofMargin(logistic), classes: ['no', 'yes'] },
  { make: squaredLearner, slopes: ofMargin(squared), classes: ['no', 'yes'] },
  { make: squaredHingeLearner, slopes: ofMargin(squaredHinge), classes: ['no', 'yes'] },
  { make: multinomialLearner, slopes: ofSoftmax, classes: ['a', 'b', 'c', 'd'] },
]

/** Labels that follow the features but for every seventh; `cell` gives the features. */
function trainingOf(rows: number, columns: number, classes: number, cell: (i: number, j: number) => number): TrainingSet {
  const values = Float64Array.from({ length: rows * columns }, (_, k) => cell(Math.floor(k / columns), k % columns))
  const labels = Array.from({ length: rows }, (_, i) =>
    i % 7 === 0 ? i % classes : Math.floor((1 + wave(i, 0)) * 0.4999 * classes),
  )
  return { features: dense(values, columns), labels, weights: labels.map((_, i) => 1 + 99 * (i % 5 === 0 ? 1 : 0)) }
}

const wave = (i: number, j: number) => Math.sin(1 + 12.9898 * i + 78.233 * j + 0.37 * i * j)

/** ‖∇f(model)‖∞ / ‖∇f(0)‖∞,  in the parameters (β, b/10) that the solver works with */
function shareOfGradient(model: LinearModel, training: TrainingSet, l2: number, slopes: Slopes): number {
  const blank = blankModel(model.loss, model.classes, training.features.columns)
  const largest = (at: LinearModel) => {
    const size = training.features.columns + 1
    const entries = gradientOf(at, training, l2, slopes).map((entry, k) => (k % size === size - 1 ? 10 * entry : entry))
    return Math.max(...entries.map(Math.abs))
  }
  return largest(model) / largest(blank)
}

describe.each(learners)('$make.name reaches its tolerance of 1e-10', ({ make, slopes, classes }) => {
  const cases: [string, number, number, number, (i: number, j: number) => number][] = [
    ['plain features', 120, 10, 1, wave],
    ['hardly any penalty', 120, 10, 1e-4, wave],
    ['nothing but penalty', 120, 10, 1e6, wave],
    ['columns of very different sizes', 120, 10, 1, (i, j) => wave(i, j) * 10 ** ((j % 5) - 2)],
    ['columns far from 0', 120, 10, 1, (i, j) => 100 + wave(i, j)],
    ['more columns than rows', 60, 80, 0.1, wave],
    ['many more columns than rows, some rows twice', 30, 200, 0.1, (i, j) => wave(i >> 1, j)],
    ['one row', 1, 5, 1, wave],
  ]
  it.each(cases)('for %s', async (_, rows, columns, l2, cell) => {
    const training = trainingOf(rows, columns, classes.length, cell)
    const model = await make({ l2 }).fit(training, classes)
    // twice the tolerance: the sums here are taken in another order
    expect(shareOfGradient(model, training, l2, slopes)).toBeLessThan(2e-10)
  })

  it('and comes to an end, finite, where doubles cannot reach it', async () => {
    const training = trainingOf(40, 6, classes.length, (i, j) => wave(i, j) * 10 ** (3 * j - 3))
    const model = await make({ l2: 1e-9 }).fit(training, classes)
    expect([...model.weights.flat(), ...model.intercepts].every(Number.isFinite)).toBe(true)
  })

  it('and refuses features whose squares are no numbers any more', () => {
    const training = trainingOf(5, 3, classes.length, () => 1e200)
    expect(() => make().fit(training, classes)).toThrow('the gradient at 0 must have a finite length')
  })
})
