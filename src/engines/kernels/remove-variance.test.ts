import { expect, it } from 'vitest'
import { dense } from '../../core/features.ts'
import { successive } from '../../designs/successive.ts'
import { crossEntropy } from '../../losses/cross-entropy.ts'
import { errorOf } from '../../losses/error.ts'
import { logistic } from '../../losses/logistic.ts'
import { alisStrategy } from '../../strategies/alis.ts'
import { strategies } from '../../strategies/catalogue.ts'
import { suitedTo } from '../../strategies/strategy.ts'
import { memoryEngine } from '../memory.ts'
import { fastEngine } from './engine.ts'
import {
  columns,
  countedReader,
  expectSameDraws,
  expectSameSurvey,
  ids,
  manyOf,
  modelOf,
  narrowed,
  narrowPool,
  onThreads,
  size,
  sparseOf,
  values,
} from './reference.contract.ts'

// Forms, which the default strategy uses in pools of moderate size.

const width = columns + 1
const features = dense(values, columns)
// A part of each is the variance that a label would remove.
const masses = [strategies.alis, alisStrategy({ know: 0.3 })].map((strategy) => suitedTo(strategy, { size: 1000, columns }).mass)
const mass = masses[0]!
const cases = [
  { name: 'two classes', model: modelOf(2), loss: logistic, pool: { ids, features } },
  { name: 'five classes', model: manyOf(2, 0), loss: crossEntropy, pool: { ids, features } },
  { name: 'in three memories', model: modelOf(2), loss: logistic, pool: { ids, features, slabBytes: 2_000_000 } },
  { name: 'sparse', model: modelOf(2), loss: logistic, pool: { ids, features: sparseOf(values, columns) } },
  { name: 'an odd number of points', model: manyOf(1, 0), loss: crossEntropy, pool: partOf(size - 1) },
  { name: 'an even number of columns', model: narrowed(modelOf(2), columns - 1), loss: logistic, pool: narrowPool(columns - 1) },
]

/** The first points alone. */
function partOf(points: number) {
  return { ids: ids.slice(0, points), features: dense(values.slice(0, points * columns), columns) }
}

const formOf = (shift: number, own: number) =>
  [0, 1, 2, 3, 4].map((k) => Float64Array.from({ length: own }, (_, j) => (0.3 + 0.1 * k) * Math.sin(shift + k + 2 * j)))

it.each(cases)('draws as the reference does: $name', async ({ model, loss, pool }) => {
  for (const own of [pool.features.columns + 1, 4]) await expectSame(own)

  async function expectSame(own: number): Promise<void> {
    const request = { model, loss, controls: [errorOf(loss)], design: successive, size: 60 }
    const [fast, reference] = [fastEngine(pool), memoryEngine(pool)]
    for (const [k, stream] of ['learn/1', 'learn/2'].entries()) {
      const asked = {
        ...request,
        mass: masses[k]!,
        forms: [formOf(k, own), formOf(k + 5, own)],
        stream: { seed: 3, name: stream },
      }
      const [a, b] = [await fast.draw(asked), await reference.draw(asked)]
      expectSameDraws(a.draws, b.draws)
      expectSameSurvey(a.survey, b.survey)
      for (const engine of [fast, reference]) await engine.take(a.draws.map(({ id }) => id))
    }
  }
})

it('asks a mass about few points, however many there are', async () => {
  const { reader, reads } = countedReader(logistic)
  const engine = fastEngine({ ids, features })
  const question = { model: modelOf(2), loss: reader, mass, controls: [errorOf(logistic)] }
  await engine.survey({ ...question, forms: [formOf(0, width), formOf(1, width)] })
  expect(reads()).toBeLessThan(100)
})

it.each(cases)('does the same to the last bit on one thread and on three: $name', async ({ model, loss, pool }) => {
  const own = pool.features.columns + 1
  const results = await onThreads(['1', '3'], async (makeEngine) => {
    const engine = makeEngine(pool)
    const question = { model, loss, mass, controls: [errorOf(loss)], forms: [formOf(0, own), formOf(1, own)] }
    const drawing = await engine.draw({ ...question, design: successive, size: 50, stream: { seed: 7, name: 'learn/1' } })
    await engine.close()
    return drawing
  })
  expect(results[1]).toEqual(results[0])
})
