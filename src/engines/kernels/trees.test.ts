import { expect, it } from 'vitest'
import { dense } from '../../core/features.ts'
import { sequenceOf } from '../../core/randomness.ts'
import { type TreesModel, treesModel } from '../../core/trees-model.ts'
import { successive } from '../../designs/successive.ts'
import { treesLearner } from '../../learners/trees.ts'
import { errorOf } from '../../losses/error.ts'
import { stratifyModel } from '../../losses/strata.ts'
import { strategies } from '../../strategies/catalogue.ts'
import { memoryEngine } from '../memory.ts'
import { fastEngine } from './engine.ts'
import { packTrees } from './packed-trees.ts'

const rows = 5003 // no whole block, no whole chunk
const columns = 7
const random = sequenceOf({ seed: 1, name: 'trees' })
const values = Float32Array.from({ length: rows * columns }, () => random() - 0.5)
const features = dense(values, columns)
const ids = Array.from({ length: rows }, (_, i) => `p${i}`)
const pool = { ids, features, smallest: 1 }

async function fitted(classes: number): Promise<TreesModel> {
  const labelled = Array.from({ length: 300 }, (_, i) => 16 * i)
  const labels = labelled.map(
    (i) => Math.abs(Math.floor(9 * values[i * columns]! * values[i * columns + 1]! + random())) % classes,
  )
  const names = Array.from({ length: classes }, (_, k) => `${k}`)
  return treesLearner(classes, { trees: 30 }).fit(
    { features: features.select(labelled), labels, weights: labels.map(() => 1) },
    names,
  )
}

/** The same with a linear model beside them. */
async function blended(classes: number): Promise<TreesModel> {
  const scores = Array.from({ length: classes === 2 ? 1 : classes }, (_, k) => k)
  const weights = scores.map((k) => Array.from({ length: columns }, (_, j) => Math.sin(3 * j + k)))
  return treesModel({ ...(await fitted(classes)), beside: { weights, intercepts: scores.map((k) => 0.3 - k / 5) } })
}

it.each([
  ['trees', fitted, 2, 1e9],
  ['trees', fitted, 3, 1e9],
  ['trees', fitted, 4, 2 ** 17], // several slabs
  ['trees beside weights', blended, 2, 2 ** 17],
  ['trees beside weights', blended, 3, 1e9],
] as const)('kernels survey, draw and compare by %s as the reference does', async (_, make, classes, slabBytes) => {
  const model = await make(classes)
  const { loss } = treesLearner(classes)
  const request = { model, loss, mass: strategies['expected-loss'].mass, controls: [errorOf(loss)] }
  const [fast, reference] = [fastEngine({ ...pool, slabBytes }), memoryEngine(pool)]
  expect(fast.name).toBe('fast')
  for (const engine of [fast, reference]) await engine.take(ids.slice(100, 300))
  const [a, b] = [await fast.survey(request), await reference.survey(request)]
  for (const key of ['mass', 'pseudoLoss', 'largestMass', 'smallestMass'] as const) expect(a[key] / b[key]).toBeCloseTo(1, 5)
  expect(a.points).toBe(b.points)
  const draws = { ...request, design: successive, size: 40, stream: { seed: 7, name: 'learn/1' } }
  const [drawn, expected] = [await fast.draw(draws), await reference.draw(draws)]
  expect(drawn.draws.map(({ id, scores }) => ({ id, scores }))).toEqual(expected.draws.map(({ id, scores }) => ({ id, scores })))
  const compared = { model, loss, earlier: [await fitted(classes)] }
  const [found, wanted] = [await fast.compare(compared), await reference.compare(compared)]
  expect(found.differing).toEqual(wanted.differing)
  expect(found.predictedError / wanted.predictedError).toBeCloseTo(1, 5)
  await fast.close()
})

it.each([{}, { bits: 8 as const }])(
  'strata are those of the reference, as scores are the same to the last bit: %j',
  async (bits) => {
    for (const classes of [2, 5]) {
      const model = await fitted(classes)
      const { stratify } = stratifyModel(treesLearner(classes).loss, classes)
      const [fast, reference] = [fastEngine({ ...pool, ...bits }), memoryEngine(pool)]
      const [a, b] = [fast.stratified(model, stratify), reference.stratified(model, stratify)]
      expect(await a.counts()).toEqual(await b.counts())
      expect(await a.codesOf(ids)).toEqual(await b.codesOf(ids))
      await fast.close()
    }
  },
)

it('a cut becomes the largest float that is at most as large, so that floats are cut the same', () => {
  const cuts = [0.1, -0.1, 1e-50, -1e-50, 0, 0.5, -3.3, 16777217]
  for (const cut of cuts) {
    const model = treesModel({
      loss: 'logistic',
      classes: ['a', 'b'],
      width: 1,
      roots: [0],
      features: [0, -1, -1],
      cuts: [cut, 0, 0],
      others: [2, 0, 1],
      shares: [
        [1, 0],
        [0, 1],
      ],
    })
    const packed = new Float32Array(packTrees(model)!.nodes.buffer)[1]!
    expect(packed).toBeLessThanOrEqual(cut)
    const bits = new Int32Array(Float32Array.of(packed).buffer)
    bits[0]! += packed >= 0 && !Object.is(packed, -0) ? 1 : -1
    expect(new Float32Array(bits.buffer)[0]!).toBeGreaterThan(cut)
  }
})
