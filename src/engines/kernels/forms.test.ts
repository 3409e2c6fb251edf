import { expect, it } from 'vitest'
import { marginOf } from '../../core/belief.ts'
import { dense } from '../../core/features.ts'
import { addOuterInPlace } from '../../core/matrices.ts'
import { successive } from '../../designs/successive.ts'
import { crossEntropy } from '../../losses/cross-entropy.ts'
import { errorOf } from '../../losses/error.ts'
import { logistic } from '../../losses/logistic.ts'
import { doubt } from '../../masses/doubt.ts'
import type { Ingredient } from '../../masses/mass.ts'
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

// Quadratic forms and moments, which the default strategy uses in pools of moderate size.

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

/** A symmetric matrix, positive as forms are. */
const formOf = (shift: number, own: number) => {
  const form = new Float64Array(own * own)
  for (let k = 0; k < 3; k++)
    addOuterInPlace(
      form,
      Float64Array.from({ length: own }, (_, j) => Math.sin(shift + k + 2 * j)),
      0.1 + k,
    )
  for (let i = 0; i < own; i++) form[i * own + i]! += 0.5
  return form
}

it.each(cases)('draws as the reference does: $name', async ({ model, loss, pool }) => {
  const own = pool.features.columns + 1
  const request = { model, loss, controls: [errorOf(loss)], design: successive, size: 60 }
  const [fast, reference] = [fastEngine(pool), memoryEngine(pool)]
  for (const [k, stream] of ['learn/1', 'learn/2'].entries()) {
    const asked = { ...request, mass: masses[k]!, forms: [formOf(k, own), formOf(k + 5, own)], stream: { seed: 3, name: stream } }
    const [a, b] = [await fast.draw(asked), await reference.draw(asked)]
    expectSameDraws(a.draws, b.draws)
    expectSameSurvey(a.survey, b.survey)
    for (const engine of [fast, reference]) await engine.take(a.draws.map(({ id }) => id))
  }
})

it.each(cases)('adds moments up as the reference does: $name', async ({ model, loss, pool }) => {
  const [fast, reference] = [fastEngine(pool), memoryEngine(pool)]
  const boundary: Ingredient = { name: 'boundary', value: (belief) => (1 - marginOf(belief)) ** 4 }
  const own: Ingredient = { name: 'own', value: ({ probabilities }) => probabilities[0]! ** 3 } // which no kernel knows
  for (const engine of [fast, reference]) await engine.take(pool.ids.filter((_, row) => row % 7 === 0 || row < 3000))
  for (const weight of [doubt, boundary, own]) {
    const [a, b] = [await fast.moment({ model, loss }, weight), await reference.moment({ model, loss }, weight)]
    for (const [k, entry] of b.entries()) expect(a[k]).toBeCloseTo(entry, 6)
  }
})

it('asks a mass about few points, however many there are', async () => {
  const { reader, reads } = countedReader(logistic)
  const engine = fastEngine({ ids, features })
  await engine.moment({ model: modelOf(2), loss: reader }, doubt)
  const question = { model: modelOf(2), loss: reader, mass, controls: [errorOf(logistic)] }
  await engine.survey({ ...question, forms: [formOf(0, width), formOf(1, width)] })
  expect(reads()).toBeLessThan(100)
})

it.each(cases)('does the same to the last bit on one thread and on three: $name', async ({ model, loss, pool }) => {
  const own = pool.features.columns + 1
  const results = await onThreads(['1', '3'], async (makeEngine) => {
    const engine = makeEngine(pool)
    const moment = await engine.moment({ model, loss }, doubt)
    const question = { model, loss, mass, controls: [errorOf(loss)], forms: [moment, formOf(1, own)] }
    const drawing = await engine.draw({ ...question, design: successive, size: 50, stream: { seed: 7, name: 'learn/1' } })
    await engine.close()
    return { moment, drawing }
  })
  expect(results[1]).toEqual(results[0])
})
