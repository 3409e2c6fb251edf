import { describe, expect, it } from 'vitest'
import { dense, INTERCEPT_COLUMN } from '../core/features.ts'
import { logSumExp } from '../core/numbers.ts'
import { losses, lossNames } from '../losses/catalogue.ts'
import type { Loss } from '../losses/loss.ts'
import { learnerFor } from './catalogue.ts'
import {
  cells,
  describeLearner,
  describeLinearLearner,
  parametersOf,
  threeLabels,
  twoLabels,
  weights,
} from './learner.contract.ts'
import { logisticLearner, marginLearner, squaredHingeLearner, squaredLearner } from './margin-learner.ts'
import { multinomialLearner } from './multinomial.ts'
import { minimise } from './newton.ts'
import { shortRows } from './short-rows.ts'
import { stepLength } from './step-length.ts'

const two = ['no', 'yes']
const three = ['a', 'b', 'c']
const margin = (loss: Loss) => (label: number, scores: ArrayLike<number>) => [loss.slope(2 * label - 1, scores[0]!)]

for (const name of lossNames.filter((name) => name !== 'hinge'))
  describeLinearLearner((options) => marginLearner(losses[name], options), two, margin(losses[name]))
describeLearner(marginLearner(losses.hinge, { l2: 0.7 }), two, 1e-7)
describeLinearLearner(multinomialLearner, three, (label, scores) => {
  const total = logSumExp(scores)
  return Array.from(scores, (score, k) => Math.exp(score - total) - (k === label ? 1 : 0))
})

/*
Reference coefficients, intercept last, from scikit-learn 1.2.1 on the data of the contract:

  n, d, lam = 40, 4, 0.7
  X = np.array([[np.sin(7*i + 13*j) for j in range(d)] for i in range(n)])
  w = np.array([1 + (i % 3) / 2 for i in range(n)])
  y = np.array([1 if X[i,0] + 0.5*X[i,1] + 0.4*np.sin(i*i) > 0.1 else 0 for i in range(n)])
  k = np.array([(0 if X[i,0] + 0.3*np.sin(i*i) < -0.3 else 1 if X[i,1] > 0 else 2) for i in range(n)])
  Z = np.hstack([X, np.full((n,1), 10.0)])       # the intercept as a column of 10s; its coefficient times 10 below
  LogisticRegression(C=1/lam, fit_intercept=False, tol=1e-14, max_iter=100000, solver='newton-cg').fit(Z, y, w)
  LogisticRegression(…, multi_class='multinomial').fit(Z, k, w)
  LinearSVC(C=1/lam, fit_intercept=False, loss='squared_hinge', dual=False, tol=1e-14, max_iter=1000000).fit(Z, y, w)
  Ridge(alpha=lam/2, fit_intercept=False, solver='cholesky').fit(Z, 2*y-1, w)
*/
const reference = {
  // By scipy 1.17.1: the quadratic program with slacks by SLSQP, and the smooth function by trust-exact.
  hinge: [[2.144845317, 1.491287873, 0.561683444, -0.471892206, -0.799213062]],
  exponential: [[2.722674461, 1.913194257, 0.749569481, -0.552805431, -0.879304641]],
  logistic: [[2.556547353, 1.828926611, 0.76275978, -0.444598796, -0.898180662]],
  'squared-hinge': [[1.766573972, 1.225966505, 0.458424746, -0.393974385, -0.584895027]],
  squared: [[0.734160884, 0.498277268, 0.170159323, -0.189456208, -0.167953397]],
  multinomial: [
    [-1.767702412, -1.18171653, -0.376987311, 0.497524685, 0.050553125],
    [1.84076314, 1.459288491, 0.807690149, 0.006583162, -0.015051847],
    [-0.073060727, -0.277571961, -0.430702838, -0.504107847, -0.035501278],
  ],
}

it.each([
  [logisticLearner({ l2: 0.7 }), twoLabels, two],
  [squaredHingeLearner({ l2: 0.7 }), twoLabels, two],
  [squaredLearner({ l2: 0.7 }), twoLabels, two],
  [marginLearner(losses.hinge, { l2: 0.7 }), twoLabels, two],
  [marginLearner(losses.exponential, { l2: 0.7 }), twoLabels, two],
  [multinomialLearner({ l2: 0.7 }), threeLabels, three],
] as const)('$name has the coefficients of scikit-learn or scipy', async (learner, labels, classes) => {
  const model = await learner.fit({ features: dense(cells, 4), labels, weights }, classes)
  for (const [k, row] of parametersOf(model).entries())
    for (const [j, value] of row.entries()) {
      expect(Math.abs(value - reference[learner.name as keyof typeof reference][k]![j]!)).toBeLessThan(1e-6)
    }
})

it('a class that has not been seen is scored below the others', async () => {
  const labels = twoLabels // classes 0 and 1 of three
  const model = await multinomialLearner().fit({ features: dense(cells, 4), labels, weights }, three)
  expect(model.intercepts[2]).toBeLessThan(Math.min(model.intercepts[0]!, model.intercepts[1]!))
  expect(Number.isFinite(model.intercepts[2])).toBe(true)
})

it('multinomial is for three classes or more, the others for two', async () => {
  const training = { features: dense(cells, 4), labels: twoLabels, weights }
  expect(() => multinomialLearner().fit(training, two)).toThrow('multinomial: there must be at least 3 classes, got 2')
  expect(() => logisticLearner().fit(training, three)).toThrow('logistic: there must be 2 classes, got 3')
})

it('the rows of L have the products of the rows of X, and lift gives weights with the same scores', () => {
  const values = Float64Array.from({ length: 60 }, (_, k) => Math.sin(k * k)) // three rows of twenty columns
  const features = dense(values, 20)
  const short = shortRows(features)
  const found = Float64Array.of(0.3, -1, 2)
  const lifted = short.lift(found)
  for (let i = 0; i < 3; i++) expect(features.dot(i, lifted)).toBeCloseTo(short.features.dot(i, found), 10)
  const length = (v: Float64Array) => v.reduce((sum, x) => sum + x * x, 0)
  expect(length(lifted)).toBeCloseTo(length(found), 10)
})

it('a step never goes beyond where the function has fallen', () => {
  expect(stepLength((t) => t - 1)).toBe(1) // ½(t − 1)²: straight to the bottom
  const steep = (t: number) => 1000 * t - 1 // bottom at 0.001
  const length = stepLength(steep)
  expect(length).toBeGreaterThan(0)
  expect(500 * length ** 2 - length).toBeLessThan(0)
  expect(stepLength(() => 1)).toBe(0)
})

it('refuses a problem that has no finite gradient to begin with', () => {
  const broken = {
    parameters: 1,
    scores: 1,
    l2: 1,
    project() {},
    addBackInPlace(scores: Float64Array, point: Float64Array) {
      point[0]! += scores[0]!
    },
    value: () => 0,
    slopes: (_: Float64Array, slopes: Float64Array) => void slopes.fill(Number.POSITIVE_INFINITY),
    curvature: () => () => {},
    preconditioner: { cost: Number.POSITIVE_INFINITY, make: () => () => {} },
  }
  expect(() => minimise(broken)).toThrow('newton: the gradient at 0 must have a finite length, got Infinity')
  expect(INTERCEPT_COLUMN ** 2).toBe(100) // the penalty b²/100 of the objective
})

describe('a learner is found by the loss that people chose and the number of classes', () => {
  it.each(lossNames)('%s for two classes', (loss) => {
    expect(learnerFor(loss, 2, 0.5)).toMatchObject({ name: loss, loss: losses[loss], l2: 0.5 })
  })

  it('logistic for more', () => {
    expect(learnerFor('logistic', 3, 0.5)).toMatchObject({ name: 'multinomial', loss: losses['cross-entropy'], l2: 0.5 })
  })

  it('but no other for more', () => {
    expect(() => learnerFor('squared', 3, 1)).toThrow('loss: for 3 classes it must be logistic, got squared')
  })
})

describe('the hinge, which has a kink', () => {
  const training = { features: dense(cells, 4), labels: twoLabels, weights }
  const height = (l2: number, own: readonly number[]) => {
    const scores = twoLabels.map((_, i) => own.slice(0, 4).reduce((sum, b, j) => sum + b * cells[4 * i + j]!, own[4]!))
    const penalty = own.slice(0, 4).reduce((sum, b) => sum + b * b, own[4]! ** 2 / 100)
    return scores.reduce((sum, z, i) => sum + weights[i]! * losses.hinge.value(2 * twoLabels[i]! - 1, z), (l2 / 2) * penalty)
  }

  it.each([1e-3, 0.7, 100])('is nowhere lower than where it ends, with penalty %d', async (l2) => {
    const [own] = parametersOf(await marginLearner(losses.hinge, { l2 }).fit(training, two))
    const least = height(l2, own!)
    for (const step of [1e-6, 1e-3, 0.1])
      for (const j of own!.keys())
        for (const side of [-step, step]) expect(height(l2, own!.with(j, own![j]! + side))).toBeGreaterThan(least * (1 - 1e-11))
    expect(
      height(
        l2,
        own!.map((b) => 1.01 * b),
      ),
    ).toBeGreaterThan(least) // and the test has power
  })
})

it('a loss without slope or limit is refused where it cannot be minimised', () => {
  expect(() => marginLearner(losses['zero-one'])).toThrow('zero-one: a loss that can be minimised is required')
  expect(() => marginLearner(losses.exponential, { solver: 'sampled' })).toThrow(
    'exponential: a loss of limited curvature is required',
  )
})
