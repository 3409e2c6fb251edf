import { describe, expect, it } from 'vitest'
import { expectedLossOf, type Reader } from '../../core/belief.ts'
import { dense } from '../../core/features.ts'
import { type LinearModel, linearModel } from '../../core/model.ts'
import { hashIds } from '../../core/randomness.ts'
import type { StratifiedPool } from '../../core/strata.ts'
import { successive } from '../../designs/successive.ts'
import { crossEntropy } from '../../losses/cross-entropy.ts'
import { errorOf } from '../../losses/error.ts'
import { logistic } from '../../losses/logistic.ts'
import { marginLoss } from '../../losses/loss.ts'
import { squared } from '../../losses/squared.ts'
import { squaredHinge } from '../../losses/squared-hinge.ts'
import { stratifyModel } from '../../losses/strata.ts'
import { strategies } from '../../strategies/catalogue.ts'
import { describeEngine } from '../engine.contract.ts'
import type { Engine } from '../engine.ts'
import { memoryEngine } from '../memory.ts'
import { itStratifies } from '../stratified.contract.ts'
import { fastEngine } from './engine.ts'
import { kernelBuild } from './kernels.ts'
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
import { inSlabs } from './slabs.ts'

it('has kernels to work with', () => {
  expect(kernelBuild?.name).toMatch(/relaxed|simd/)
})

/** Scores are 32-bit floats: masses have six digits. In a cell of few points, ends are known roughly. */
const allowances = { digits: 6, beyond: 0.01 }

describeEngine(
  'fast',
  async ({ ids, values, columns, contents }) =>
    fastEngine({
      ids,
      features: dense(values, columns),
      fields: async (rows) => rows.map((row) => contents[row]!.fields),
      smallest: 0,
    }),
  allowances,
)

describeEngine(
  'fast on sparse rows',
  async ({ ids, values, columns, contents }) =>
    fastEngine({
      ids,
      features: sparseOf(values, columns),
      fields: async (rows) => rows.map((row) => contents[row]!.fields),
      smallest: 0,
    }),
  allowances,
)

describe('fast with features of 8 bits', () => {
  itStratifies(
    async ({ ids, values, columns }) => fastEngine({ ids, features: dense(values, columns), bits: 8, smallest: 0 }),
    false,
  )
})

describe('strata on all threads', () => {
  const features = dense(values, columns)
  const pools = [
    { name: 'dense', pool: { ids, features } },
    { name: 'in three memories', pool: { ids, features, slabBytes: 2_000_000 } },
    { name: 'sparse', pool: { ids, features: sparseOf(values, columns) } },
    { name: 'bytes', pool: { ids, features, bits: 8 as const } },
  ]
  const models: [LinearModel, Reader][] = [
    [modelOf(2), logistic],
    [manyOf(2, 0.1), crossEntropy],
  ]
  it.each(pools)('counts, draws and codes are those of the reference: $name', async ({ pool }) => {
    const engines = [fastEngine(pool), memoryEngine({ ids, features: pool.features })]
    for (const [model, loss] of models) {
      const { stratify } = stratifyModel(loss, model.classes.length)
      const [fast, reference] = engines.map((engine) => engine.stratified(model, stratify)) as [StratifiedPool, StratifiedPool]
      const { codes, counts } = await reference.counts()
      expect(await fast.counts()).toEqual({ codes, counts })
      const request = { codes, masses: codes.map((code) => 1 + (code % 13)), size: 60, stream: { seed: 3, name: 'audit/1' } }
      const draws = await fast.draw(request)
      expect(draws).toEqual(await reference.draw(request))
      for (const engine of engines) await engine.take(draws.map(({ id }) => id))
      const some = ids.filter((_, row) => row % 100 === 0)
      expect(await fast.codesOf(some)).toEqual(await reference.codesOf(some))
    }
  })
})

it('scores points for their strata in batches, each in its place', async () => {
  const points = 140_000
  const many = Array.from({ length: points }, (_, row) => `q${row}`)
  const features = dense(
    Float32Array.from({ length: points }, (_, row) => row / points - 0.4),
    1,
  )
  const model = linearModel({ loss: 'logistic', classes: ['no', 'yes'], weights: [[9]], intercepts: [0] })
  const { stratify } = stratifyModel(logistic, 2)
  const pool = fastEngine({ ids: many, features }).stratified(model, stratify)
  const rows = [0, 60_000, 131_071, 131_072, 139_999]
  const codes = rows.map((row) => stratify.code([features.dot(row, Float64Array.of(9))]))
  expect(await pool.codesOf(rows.map((row) => many[row]!))).toEqual(Float64Array.from(codes))
})

const testedStrategies = [
  strategies.alis,
  strategies['alis-audit'],
  strategies['paper-all'],
  strategies['expected-loss'],
  strategies.uniform,
]

/** Several rounds: the same draws from both, the same totals, points taken as they come. */
async function expectSame(
  fast: Engine,
  reference: Engine,
  loss: Reader,
  scale: number,
  makeModel: (scale: number, shift: number) => LinearModel = modelOf,
): Promise<void> {
  for (const [k, strategy] of testedStrategies.entries()) {
    const model = makeModel(scale, k / 3)
    const request = { model, loss, mass: strategy.mass, controls: [errorOf(loss)], design: successive }
    const asked = { ...request, size: 60, stream: { seed: 9, name: `learn/${k}` } }
    const [a, b] = [await fast.draw(asked), await reference.draw(asked)]
    expectSameDraws(a.draws, b.draws)
    expect(a.draws.map(({ scores }) => scores)).toEqual(b.draws.map(({ scores }) => scores))
    expectSameSurvey(a.survey, b.survey)
    for (const engine of [fast, reference]) await engine.take(a.draws.map(({ id }) => id))
  }
}

describe('draws as the reference does, on all threads', () => {
  const features = dense(values, columns)
  it.each([
    ['dense', {}],
    ['in three memories', { slabBytes: 2_000_000 }],
  ])('%s', async (_, options) => {
    await expectSame(fastEngine({ ids, features, ...options }), memoryEngine({ ids, features }), logistic, 2)
  })
  it.each([1, 3, 20, 24, 25])('so many columns: %i', async (count) => {
    const pool = narrowPool(count)
    const makeModel = (scale: number, shift: number) => narrowed(modelOf(scale, shift), count)
    await expectSame(fastEngine(pool), memoryEngine(pool), logistic, 2, makeModel)
  })
  it('sparse', async () => {
    const holes = sparseOf(
      values.map((value, k) => (k % 3 === 0 ? value : 0)),
      columns,
    )
    await expectSame(fastEngine({ ids, features: holes }), memoryEngine({ ids, features: holes }), logistic, 2)
  })
  it.each([
    ['squared', squared],
    ['squared hinge', squaredHinge],
  ])('read by a loss that bends: %s', async (_, loss) => {
    await expectSame(fastEngine({ ids, features }), memoryEngine({ ids, features }), loss, 1)
  })
  it.each([
    { name: 'dense', rows: features, scales: [0, 2, 6] },
    { name: 'sparse', rows: sparseOf(values, columns), scales: [2] },
  ])('more than two classes: $name', async ({ rows, scales }) => {
    for (const scale of scales)
      await expectSame(fastEngine({ ids, features: rows }), memoryEngine({ ids, features: rows }), crossEntropy, scale, manyOf)
  })
  it('scores far out, and all alike', async () => {
    for (const scale of [0, 1e-9, 40])
      await expectSame(fastEngine({ ids, features }), memoryEngine({ ids, features }), logistic, scale)
  })
  it('ranks the most doubtful by digits that are right, also where a model is steep', async () => {
    const [fast, reference] = [fastEngine({ ids, features }), memoryEngine({ ids, features })]
    for (let k = 0; k < 12; k++) {
      const question = { model: modelOf(40, k / 3), loss: logistic, mass: strategies.alis.mass, controls: [] }
      const [a, b] = [await fast.survey(question), await reference.survey(question)]
      let before = 0
      for (let bin = 0; before < 100; before += b.margins[bin++]!) expect(a.margins[bin]).toBe(b.margins[bin])
    }
  })
  it('goes the way of the reference where a loss jumps', async () => {
    const jumps = marginLoss({
      ...logistic,
      name: 'jumps',
      value: (label, score) => logistic.value(label, score) + (score > 0.777 ? 1 : 0),
    })
    await expectSame(fastEngine({ ids, features }), memoryEngine({ ids, features }), jumps, 2)
  })
})

describe('draws as the reference does where 32 bits are too few for a score', () => {
  // Two columns of millions that cancel: the first digits of the score are lost.
  const large = values.map((value, k) => (k % columns < 2 ? 4e6 + 1000 * value : value))
  const features = dense(large, columns)
  it.each([
    { name: 'two classes', loss: logistic, makeModel: modelOf },
    { name: 'five classes', loss: crossEntropy, makeModel: manyOf },
  ])('$name', async ({ loss, makeModel }) => {
    const cancelling = (scale: number, shift: number) => {
      const own = makeModel(scale, shift)
      const weights = own.weights.map((row, k) => (k === 0 ? [1e-3, -1e-3, ...row.slice(2)] : [0, 0, ...row.slice(2)]))
      return linearModel({ ...own, weights })
    }
    await expectSame(fastEngine({ ids, features }), memoryEngine({ ids, features }), loss, 1, cancelling)
  })
})

it.each([
  { name: 'two classes', model: modelOf(2), loss: logistic },
  { name: 'five classes', model: manyOf(2, 0), loss: crossEntropy },
])('does the same to the last bit on one thread and on three: $name', async ({ model, loss }) => {
  const features = dense(values, columns)
  const request = { loss, mass: strategies.alis.mass, controls: [errorOf(loss)], design: successive, size: 50 }
  const asked = { ...request, model, stream: { seed: 7, name: 'learn/1' } }
  const results = await onThreads(['1', '3'], async (makeEngine) => {
    const engine = makeEngine({ ids, features })
    const drawing = await engine.draw(asked)
    await engine.close()
    return drawing
  })
  expect(results[1]).toEqual(results[0])
})

it('asks a loss and a mass about few scores, however many points there are', async () => {
  const engine = fastEngine({ ids, features: dense(values, columns) })
  const { reader, reads } = countedReader(logistic)
  const request = { mass: strategies.alis.mass, design: successive, size: 10 }
  const two = { ...request, loss: reader, controls: [errorOf(logistic)] }
  for (const name of ['once', 'again']) await engine.draw({ ...two, model: modelOf(2), stream: { seed: 1, name } })
  const before = reads()
  await engine.draw({ ...two, model: modelOf(3), stream: { seed: 1, name: 'third' } })
  expect(reads() - before).toBeLessThan(size / 8)

  const many = countedReader(crossEntropy)
  const five = { ...request, loss: many.reader, controls: [errorOf(crossEntropy)] }
  await engine.draw({ ...five, model: manyOf(2, 0), stream: { seed: 1, name: 'many' } })
  expect(many.reads()).toBeLessThan(size / 8)
})

it.each([5, 8, 15])('asks about few also where a model is sure of every point: scores of about ±%d', async (middle) => {
  const far = ids.map((_, row) => (row % 2 === 0 ? 1 : -1) * (middle + values[row]! / 2))
  const pool = { ids, features: dense(Float32Array.from(far), 1) }
  const model = linearModel({ loss: 'logistic', classes: ['no', 'yes'], weights: [[1]], intercepts: [0] })
  const { reader, reads } = countedReader(logistic)
  const question = { model, loss: reader, mass: strategies.alis.mass, controls: [errorOf(logistic)] }
  const survey = await fastEngine(pool).survey(question)
  expect(reads()).toBeLessThan(size / 2) // cells and their edges, the first time
  expectSameSurvey(survey, await memoryEngine(pool).survey(question))
})

it('answers questions that are asked at the same time as if they were asked one after the other', async () => {
  const features = dense(values, columns)
  const asked = [modelOf(1), manyOf(2, 0), modelOf(3)].map((model, k) => {
    const loss: Reader = model.weights.length === 1 ? logistic : crossEntropy
    const request = { model, loss, mass: strategies.alis.mass, controls: [errorOf(loss)], design: successive }
    return { ...request, size: 20, stream: { seed: 2, name: `learn/${k}` } }
  })
  const together = fastEngine({ ids, features })
  const apart = fastEngine({ ids, features })
  const answers = await Promise.all(asked.map((request) => together.draw(request)))
  for (const [k, request] of asked.entries()) expect(answers[k]).toEqual(await apart.draw(request))
})

describe('a model that stays', () => {
  const features = dense(values, columns)
  const cases = [
    { name: 'floats', pool: { ids, features }, model: modelOf(2), loss: logistic },
    { name: 'several slabs', pool: { ids, features, slabBytes: 1e6 }, model: modelOf(2), loss: logistic },
    { name: 'bytes', pool: { ids, features, bits: 8 as const }, model: modelOf(2), loss: logistic },
    { name: 'sparse rows', pool: { ids, features: sparseOf(values, columns) }, model: modelOf(2), loss: logistic },
    { name: 'five classes', pool: { ids, features }, model: manyOf(2, 0), loss: crossEntropy },
  ]
  it.each(cases)('$name: draws as one that is seen for the first time, to the last bit', async ({ pool, model, loss }) => {
    const request = { model, loss, mass: strategies.alis.mass, controls: [errorOf(loss)], design: successive, size: 50 }
    const engine = fastEngine(pool)
    const taken: string[] = []
    for (let round = 0; round < 4; round++) {
      const asked = { ...request, stream: { seed: 7, name: `audit/${round}` } }
      const drawing = await engine.draw(asked)
      const fresh = fastEngine(pool)
      await fresh.take(taken)
      expect(drawing).toEqual(await fresh.draw(asked))
      await fresh.close()
      const drawn = drawing.draws.map(({ id }) => id)
      await engine.take(drawn)
      await engine.take(drawn.slice(0, 5)) // once more changes nothing
      taken.push(...drawn)
      if (round === 2) await engine.survey({ ...request, model: { ...model } }) // another one has been looked at meanwhile
    }
    await engine.close()
  })

  it.each(cases.filter(({ pool }) => !('slabBytes' in pool || 'bits' in pool)))(
    '$name: has no feature looked at again',
    async ({ pool, model, loss }) => {
      const lying = inSlabs(pool.features, hashIds(ids))
      const question = { model, loss, mass: strategies.alis.mass, controls: [errorOf(loss)] }
      const engine = fastEngine({ ids, features: lying })
      await engine.survey(question)
      await engine.take(ids.slice(100, 300))
      const fresh = fastEngine(pool)
      await fresh.take(ids.slice(100, 300))
      const expected = await fresh.survey(question)
      const numbers = lying.layout!.values as Float32Array // of sparse rows too, as none is 0
      numbers.fill(7, 0, 100 * columns).fill(7, 300 * columns)
      expect(await engine.survey(question)).toEqual(expected)
      expect(await engine.survey({ ...question, model: { ...model } })).not.toEqual(expected) // which any other model would be
    },
  )
})

describe('with features of 8 bits', () => {
  const features = dense(values, columns)
  const request = {
    model: modelOf(2),
    loss: logistic,
    mass: strategies.alis.mass,
    controls: [errorOf(logistic)],
    design: successive,
    size: 200,
    stream: { seed: 4, name: 'learn/1' },
  }

  it('draws with chances of its own that are as exact, and gives the scores that predictions are made of as they are', async () => {
    const [rough, exact] = [fastEngine({ ids, features, bits: 8 }), memoryEngine({ ids, features })]
    const [a, b] = [await rough.draw(request), await exact.draw(request)]
    expect(a.survey.mass / size).toBeCloseTo(1, 9) // a mixture has mean 1
    expect(a.draws[0]!.remaining).toBeCloseTo(a.survey.mass, 6)
    let left = a.survey.mass
    for (const { probability, mass, id, predicting } of a.draws) {
      expect(probability).toBeCloseTo(mass / left, 12)
      left -= mass
      const row = ids.indexOf(id)
      const score = features.dot(row, Float64Array.from(request.model.weights[0]!)) + request.model.intercepts[0]!
      expect(predicting).toEqual([score])
    }
    // The masses are nearly those of the features as they were, so most of the draws are.
    const same = new Set(b.draws.map(({ id }) => id))
    expect(a.draws.filter(({ id }) => same.has(id)).length).toBeGreaterThan(150)
  })

  it.each([
    ['two classes', modelOf(2), logistic],
    ['five classes', manyOf(2, 0.3), crossEntropy],
  ])('expects of all points that are drawn what it added up, however rough they are: %s', async (_, model, loss) => {
    const some = { ids: ids.slice(0, 4000), values: values.slice(0, 4000 * columns) }
    some.values.fill(1000, 0, columns) // of all others hardly anything is left
    const engine = fastEngine({ ids: some.ids, features: dense(some.values, columns), bits: 8 })
    const error = errorOf(loss)
    const asked = { ...request, model, loss, mass: strategies.alis.mass, controls: [error] }
    const { predictedLoss } = (await engine.survey(asked)).controls[0]!
    let expected = 0
    for (let left = some.ids.length; left > 0; ) {
      const { draws } = await engine.draw({ ...asked, size: left > 500 ? Math.floor(left / 9) : left }) // by kernels, and the last as the reference draws
      for (const { scores } of draws) expected += expectedLossOf(error, scores)
      await engine.take(draws.map(({ id }) => id))
      left -= draws.length
    }
    expect(expected / predictedLoss).toBeCloseTo(1, 4)
    await engine.close()
  })

  it('repeats itself to the last bit', async () => {
    const once = await fastEngine({ ids, features, bits: 8 }).draw(request)
    expect(await fastEngine({ ids, features, bits: 8 }).draw(request)).toEqual(once)
  })
})
