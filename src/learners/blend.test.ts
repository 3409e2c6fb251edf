import { expect, it } from 'vitest'
import { dense, leadingColumns } from '../core/features.ts'
import { modelFromJson, scorerOf } from '../core/model.ts'
import { uniform } from '../core/randomness.ts'
import { blendLearner } from './blend.ts'
import { learnerFor } from './catalogue.ts'
import { overLeading } from './leading-columns.ts'
import { describeLearner } from './learner.contract.ts'
import type { TrainingSet } from './learner.ts'
import { treesLearner } from './trees.ts'

const names = ['a', 'b', 'c']
for (const count of [2, 3])
  describeLearner(blendLearner(learnerFor('logistic', count, 1), treesLearner(count, { trees: 10 })), names.slice(0, count), 1e-9)

const features = dense(
  Float32Array.from({ length: 400 }, (_, k) => 2 * uniform(1, 'cell', `${k}`) - 1),
  4,
)
const training = (classes: number): TrainingSet => ({
  features,
  labels: Array.from({ length: 100 }, (_, i) => Math.floor(classes * uniform(1, 'label', `${i}`)) % classes),
  weights: new Array<number>(100).fill(1),
})

it.each([2, 3])('scores halfway between its trees and its linear model: %i classes', async (count) => {
  const [linear, trees] = [learnerFor('logistic', count, 1), treesLearner(count, { trees: 10 })]
  const classes = names.slice(0, count)
  const both = await blendLearner(linear, trees).fit(training(count), classes)
  const parts = [await linear.fit(training(count), classes), await trees.fit(training(count), classes)]
  const scores = [both, ...parts].map((model) => {
    const own = new Float64Array(count === 2 ? 1 : count)
    scorerOf(model)(features, 7, own)
    return [...own]
  })
  for (const [k, score] of scores[0]!.entries()) expect(score).toBeCloseTo((scores[1]![k]! + scores[2]![k]!) / 2, 12)
  expect(modelFromJson(JSON.parse(JSON.stringify(both)))).toEqual(both)
  const changed = { ...both, beside: { ...both.beside!, intercepts: both.beside!.intercepts.map((b) => b + 1) } }
  expect(() => modelFromJson(changed)).toThrow('content must match its id')
  expect(() => modelFromJson({ ...both, beside: { weights: [[1]], intercepts: [0] } })).toThrow('what is beside the trees needs')
})

it('lets trees look at some columns and the linear model at all', async () => {
  const trees = overLeading(treesLearner(2, { trees: 5 }), 2)
  const both = await blendLearner(learnerFor('logistic', 2, 1), trees).fit(training(2), ['a', 'b'])
  expect(Math.max(...both.features)).toBe(1)
  expect(both.beside!.weights[0]!.every((weight) => weight !== 0)).toBe(true)
  const narrow = overLeading(blendLearner(learnerFor('logistic', 2, 1), treesLearner(2, { trees: 5 })), 2)
  const wide = await narrow.fit(training(2), ['a', 'b'])
  expect(wide.beside!.weights[0]!.slice(2)).toEqual([0, 0])
  const own = await blendLearner(learnerFor('logistic', 2, 1), treesLearner(2, { trees: 5 })).fit(
    { ...training(2), features: leadingColumns(features, 2) },
    ['a', 'b'],
  )
  expect(own.beside!.weights[0]).toEqual(wide.beside!.weights[0]!.slice(0, 2))
})
