import { expect, it } from 'vitest'
import { dense } from '../core/features.ts'
import { linearModel } from '../core/model.ts'
import { movement } from './movement.ts'

const features = dense(Float32Array.of(1, 0, 0, 1, -1, 1), 2)
const modelOf = (...weights: readonly number[]) =>
  linearModel({ loss: 'logistic', classes: ['no', 'yes'], weights: [weights], intercepts: [0] })

it('is how far scores have moved, as a share of what they are', () => {
  // Scores 0.3, 0.4, 0.1 move by 0.1, 0.1, 0.
  expect(movement(features, modelOf(0.2, 0.3), modelOf(0.3, 0.4))).toBeCloseTo(
    Math.sqrt((0.01 + 0.01) / (0.09 + 0.16 + 0.01)),
    12,
  )
})

it('is no share of more than 1: where a model is sure, masses still go by differences', () => {
  // Scores 30, 40, 10 move by 1, 1, 0.
  expect(movement(features, modelOf(29, 39), modelOf(30, 40))).toBeCloseTo(Math.sqrt(2 / 3), 12)
})

it('is nothing for the same model, and whole from a model that knew nothing', () => {
  expect(movement(features, modelOf(0.3, 0.4), modelOf(0.3, 0.4))).toBe(0)
  expect(movement(features, modelOf(0, 0), modelOf(0.3, 0.4))).toBe(1)
})

it('takes the scores of all classes together', () => {
  const [classes, loss] = [['a', 'b', 'c'], 'cross-entropy']
  const intercepts = [0, 0, 0]
  const before = linearModel({ loss, classes, intercepts, weights: [[1, 0], [0, 1], [0, 0]] }) // biome-ignore format: rows
  const after = linearModel({ loss, classes, intercepts, weights: [[1, 0], [0, 1], [0.5, 0]] }) // biome-ignore format: rows
  // The third class moves by 0.5, 0, −0.5; nine scores in all, with squares 1, 0, 0.25, 0, 1, 0, 1, 1, 0.25.
  expect(movement(features, before, after)).toBeCloseTo(Math.sqrt(0.5 / 4.5), 12)
})

it('goes by the last 512 rows', () => {
  const rows = (old: number) =>
    dense(
      Float32Array.from({ length: 600 }, (_, row) => (row < 88 ? old : 1)),
      1,
    )
  const [before, after] = [modelOf(1), modelOf(1.5)]
  expect(movement(rows(100), before, after)).toBe(movement(rows(1), before, after))
})
