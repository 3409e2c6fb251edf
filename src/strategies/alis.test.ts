import { expect, it } from 'vitest'
import { dense } from '../core/features.ts'
import { uniform } from '../core/randomness.ts'
import { memoryEngine } from '../engines/memory.ts'
import { logisticLearner } from '../learners/logistic.ts'
import { learn } from '../loop.ts'
import { columnOracle } from '../oracles/column.ts'
import { memoryStore } from '../stores/memory.ts'
import { alis } from './alis.ts'
import type { Strategy } from './strategy.ts'

it('looks at the boundary where that takes no time, and at the score alone where the pool is large or wide', () => {
  const looksAtBoundary = (size: number, columns: number) => alis.suited!({ size, columns }).forms !== undefined
  expect(looksAtBoundary(1797, 64)).toBe(true)
  expect(looksAtBoundary(20_000, 16)).toBe(true)
  expect(looksAtBoundary(1_000_000, 20)).toBe(false)
  expect(looksAtBoundary(50, 1200)).toBe(false)
  expect(looksAtBoundary(50, 270)).toBe(false) // cheap, but wider than a database is asked to square
  expect(looksAtBoundary(5000, 1_000_000)).toBe(false)
  expect(alis.suited!({ size: 999_999, columns: 20 })).toBe(alis)
})

it('scores a pool of a million points anew only for a model that is another', () => {
  expect(alis.suited!({ size: 1_000_000, columns: 20 })).toEqual({ ...alis, steady: 0.1 })
})

const ids = Array.from({ length: 200 }, (_, i) => `p${i}`)
const features = dense(Float32Array.from(ids.flatMap((id) => [uniform(1, 'a', id), uniform(1, 'b', id)])), 2)
const truth = new Map(ids.map((id, i) => [id, features.dot(i, Float64Array.of(1, -1)) > 0 ? 'yes' : 'no']))

async function massesWith(strategy: Strategy) {
  const plan = { engine: memoryEngine({ ids, features }), store: memoryStore(), oracle: columnOracle(truth), seed: 3, rounds: 2 }
  const rounds = []
  for await (const { draws } of learn({ ...plan, learner: logisticLearner(), strategy, classes: ['no', 'yes'] })) {
    rounds.push(draws.map(({ mass }) => mass))
  }
  return rounds
}

it('is drawn from as it suits the pool, after a start that is uniform', async () => {
  const asLearned = await massesWith(alis)
  expect(asLearned).toEqual(await massesWith(alis.suited!({ size: 200, columns: 2 })))
  const large = await massesWith({ ...alis, suited: () => alis })
  expect(large[0]).toEqual(asLearned[0])
  expect(large[1]).not.toEqual(asLearned[1])
})
