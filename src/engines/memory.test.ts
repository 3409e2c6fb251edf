import { expect, it } from 'vitest'
import { dense } from '../core/features.ts'
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
