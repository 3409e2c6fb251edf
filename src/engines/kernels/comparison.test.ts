import { describe, expect, it } from 'vitest'
import type { Reader } from '../../core/belief.ts'
import { dense } from '../../core/features.ts'
import { type LinearModel, linearModel, type Model } from '../../core/model.ts'
import { uniform } from '../../core/randomness.ts'
import { successive } from '../../designs/successive.ts'
import { crossEntropy } from '../../losses/cross-entropy.ts'
import { errorOf } from '../../losses/error.ts'
import { hinge } from '../../losses/hinge.ts'
import { logistic } from '../../losses/logistic.ts'
import { strategies } from '../../strategies/catalogue.ts'
import { itCompares, kindsOf } from '../compare.contract.ts'
import type { Engine } from '../engine.ts'
import { memoryEngine } from '../memory.ts'
import { fastEngine } from './engine.ts'
import { columns, ids, manyOf, modelOf, sparseOf, values } from './reference.contract.ts'
import { allThreads } from './threads.ts'

describe('fast with features of 8 bits', () => {
  itCompares(
    async ({ ids, values, columns }) => fastEngine({ ids, features: dense(values, columns), bits: 8, smallest: 0 }),
    0,
    false,
  )
})

/** Round by round, an engine must count what the reference counts. */
async function expectSame(fast: Engine, models: readonly Model[], loss: Reader, reference: Engine): Promise<void> {
  for (const [t, model] of models.entries()) {
    const earlier = models.slice(Math.max(0, t - 3), t)
    const got = await fast.compare({ model, loss, earlier })
    const wanted = await reference.compare({ model, loss, earlier })
    expect([got.points, ...got.differing]).toEqual([wanted.points, ...wanted.differing])
    const request = { model, loss, mass: strategies.alis.mass, controls: [errorOf(loss)], design: successive, size: 50 }
    const { draws } = await fast.draw({ ...request, stream: { seed: 2, name: `learn/${t}` } })
    for (const engine of [fast, reference]) await engine.take(draws.map(({ id }) => id))
  }
}

const features = dense(values, columns)
const pools = [
  { name: 'dense', pool: { ids, features } },
  { name: 'in three memories', pool: { ids, features, slabBytes: 2_000_000 } },
  { name: 'sparse', pool: { ids, features: sparseOf(values, columns) } },
  { name: 'bytes', pool: { ids, features, bits: 8 as const } },
]

describe.each(pools)('comparisons on all threads are those of the reference: $name', ({ pool }) => {
  const turning = (of: (scale: number, shift: number) => LinearModel) => [0, 1, 2, 3, 4].map((t) => of(1 + t / 3, 0.3 - t / 10))
  it.each<[string, readonly Model[], Reader]>([
    ['two classes', turning(modelOf), logistic],
    ['another kind every round', kindsOf(columns, ['no', 'yes'], 4), logistic],
    ['a reader with a bend', turning(modelOf), hinge],
    ['five classes', turning(manyOf), crossEntropy],
  ])('%s', async (_, models, loss) => {
    await allThreads()
    const fast = fastEngine(pool)
    await expectSame(fast, models, loss, memoryEngine({ ids, features: pool.features }))
    await fast.close()
  })
})

/** Points whose score by `normal` is 0 but for rounding, which depends on the order of the sum; and some that are far out. */
function undecided(wide: number) {
  const normal = Array.from({ length: wide }, (_, j) => Math.fround(uniform(1, 'w', `${j}`) - 0.5))
  const rows = 5000
  const own = new Float32Array(rows * wide)
  for (let i = 0; i < rows; i++) {
    let rest = 0
    const scale = i % 50 === 0 ? 1e6 : 1
    for (let j = 0; j < wide - 1; j++) {
      own[i * wide + j] = scale * (uniform(2, 'x', `${i}/${j}`) - 0.5)
      rest += own[i * wide + j]! * normal[j]!
    }
    own[(i + 1) * wide - 1] = -rest / normal.at(-1)!
  }
  return { own, normal, ids: Array.from({ length: rows }, (_, i) => `u${i}`) }
}

it.each([
  ['floats', {}],
  ['bytes', { bits: 8 as const }],
])('settles points between two classes as predictions do: %s', async (_, how) => {
  const wide = 12
  const { own, normal, ids: points } = undecided(wide)
  const of = (shift: number) =>
    linearModel({
      loss: 'logistic',
      classes: ['no', 'yes'],
      weights: [normal.map((weight, j) => weight + (j === 3 ? shift : 0))],
      intercepts: [0],
    })
  const three = (shift: number) =>
    linearModel({
      loss: 'cross-entropy',
      classes: ['a', 'b', 'c'],
      weights: [normal, normal.map(() => 0), normal.map((weight, j) => weight * 0.5 + (j === 2 ? shift : 0))],
      intercepts: [0, 0, -0.1],
    })
  const pool = { ids: points, features: dense(own, wide) }
  const shifts = [0, 1e-9, 1e-4, 0, 0.1]
  await expectSame(fastEngine({ ...pool, ...how }), shifts.map(of), logistic, memoryEngine(pool))
  await expectSame(fastEngine({ ...pool, ...how }), shifts.map(three), crossEntropy, memoryEngine(pool))
})
