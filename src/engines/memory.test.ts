import { expect, it } from 'vitest'
import { dense } from '../core/features.ts'
import { linearModel } from '../core/model.ts'
import type { Stratify } from '../core/strata.ts'
import { describeEngine } from './engine.contract.ts'
import { memoryEngine } from './memory.ts'

describeEngine('memory', async ({ ids, values, columns, contents }) =>
  memoryEngine({ ids, features: dense(values, columns), fields: async (rows) => rows.map((row) => contents[row]!.fields) }),
)

it('refuses a pool that is empty, repeats an id, or lacks features', () => {
  const features = dense(Float32Array.of(1, 2), 1)
  expect(() => memoryEngine({ ids: [], features })).toThrow('pool: at least one point is required, got none')
  expect(() => memoryEngine({ ids: ['a', 'a'], features })).toThrow('pool: ids must be unique, got 1 repeated')
  expect(() => memoryEngine({ ids: ['a'], features })).toThrow('pool: one row of features for each of 1 ids, got 2')
})

it('follows the model it is given, whichever came before', async () => {
  const ids = ['a', 'b', 'c']
  const engine = memoryEngine({ ids, features: dense(Float32Array.of(1, -2, 3), 1) })
  const model = (weight: number) =>
    linearModel({ loss: 'logistic', classes: ['no', 'yes'], weights: [[weight]], intercepts: [0] })
  const [once, twice] = [model(1), model(2)]
  const byScore: Stratify = { name: 'by score', code: (scores) => scores[0]! + 10 }
  for (const [given, scores] of [
    [once, [1, -2, 3]],
    [twice, [2, -4, 6]],
    [once, [1, -2, 3]],
  ] as const)
    expect([...(await engine.stratified(given, byScore).codesOf(ids))]).toEqual(scores.map((score) => score + 10))
})

it('closes what it was given to close', async () => {
  let closed = 0
  const close = async () => void closed++
  await memoryEngine({ ids: ['a'], features: dense(Float32Array.of(1), 1), close }).close()
  expect(closed).toBe(1)
})
