import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dense } from '../core/features.ts'
import { modelFromJson, predictedClass, scorerOf } from '../core/model.ts'
import { sequenceOf } from '../core/randomness.ts'
import type { TreesModel } from '../core/trees-model.ts'
import { cells, describeLearner, threeLabels, twoLabels, weights } from './learner.contract.ts'
import { treesLearner } from './trees.ts'

const two = ['no', 'yes']
const three = ['a', 'b', 'c']

describeLearner(treesLearner(2, { trees: 20 }), two, 0)
describeLearner(treesLearner(3, { trees: 20 }), three, 0)

const training = { features: dense(cells, 4), labels: twoLabels, weights }

/** What the trees say of one row of two classes. */
const scoreIn = (model: TreesModel, row: readonly number[]) => {
  const into = new Float64Array(1)
  scorerOf(model)(dense(Float64Array.from(row), row.length), 0, into)
  return into[0]!
}

it('every tree of different rows is right about all of them, so that all votes are for the label', async () => {
  const model = await treesLearner(3, { trees: 50 }).fit({ ...training, labels: threeLabels }, three)
  const scores = new Float64Array(3)
  for (const [i, label] of threeLabels.entries()) {
    scorerOf(model)(training.features, i, scores)
    expect(predictedClass(scores)).toBe(label)
    expect(scores[label]).toBeCloseTo(Math.log(50.5 / (50 / 3 + 0.5)), 12)
  }
})

it('a leaf of equal rows with different labels has their shares, by weight', async () => {
  const features = dense(Float64Array.of(1, 1, 1, 5), 1)
  const model = await treesLearner(2, { trees: 10 }).fit({ features, labels: [0, 1, 1, 0], weights: [1, 1, 2, 1] }, two)
  expect(scoreIn(model, [1])).toBeCloseTo(Math.log((7.5 + 0.5) / (2.5 + 0.5)), 12)
  expect(scoreIn(model, [5])).toBeCloseTo(Math.log(0.5 / 10.5), 12)
})

it('cuts lie uniformly between the least and the largest, so that votes go over from one to the other evenly', async () => {
  const trees = 4000
  const features = dense(Float64Array.of(0, 1), 1)
  const model = await treesLearner(2, { trees }).fit({ features, labels: [0, 1], weights: [1, 1] }, two)
  for (const x of [0.1, 0.5, 0.9]) {
    const share = model.cuts.filter((cut, node) => model.features[node] === 0 && cut < x).length / trees
    expect(Math.abs(share - x)).toBeLessThan(4.9 * Math.sqrt((x * (1 - x)) / trees)) // one in a million
  }
})

it('nodes look at features at random: of four that say nothing each is chosen as often', async () => {
  const trees = 2000
  const random = sequenceOf({ seed: 3, name: 'noise' })
  const features = dense(
    Float64Array.from({ length: 400 }, () => random()),
    4,
  )
  const labels = Array.from({ length: 100 }, () => (random() < 0.5 ? 0 : 1))
  const model = await treesLearner(2, { trees }).fit({ features, labels, weights: labels.map(() => 1) }, two)
  const roots = model.roots.map((root) => model.features[root]!)
  // By chance some say more than others; two are looked at, so that the best is taken half of the time and the worst never need be.
  for (let j = 0; j < 4; j++)
    expect(roots.filter((own) => own === j).length).toBeLessThan(trees * 0.5 + 4.9 * Math.sqrt(trees / 4))
  expect(new Set(roots).size).toBeGreaterThanOrEqual(3)
})

it('another seed gives other trees', async () => {
  const [a, b] = [await treesLearner(2).fit(training, two), await treesLearner(2, { seed: 1 }).fit(training, two)]
  expect(a.id).not.toBe(b.id)
})

it('constant features are passed over, and rows that are all equal make one leaf', async () => {
  const odd = Float64Array.from({ length: 40 * 3 }, (_, k) => [1, cells[4 * Math.floor(k / 3)]!, 0][k % 3]!)
  const model = await treesLearner(2, { trees: 5 }).fit({ ...training, features: dense(odd, 3) }, two)
  expect(new Set(model.features)).toEqual(new Set([-1, 1]))
  const same = await treesLearner(2, { trees: 5 }).fit({ ...training, features: dense(new Float64Array(40).fill(7), 1) }, two)
  expect(same.features).toEqual([-1, -1, -1, -1, -1])
})

it('is deep where features are spread over many magnitudes', async () => {
  const features = dense(
    Float64Array.from({ length: 1000 }, (_, i) => 2 ** (i - 500)),
    1,
  )
  const labels = Array.from({ length: 1000 }, (_, i) => i % 2)
  const model = await treesLearner(2, { trees: 2 }).fit({ features, labels, weights: labels.map(() => 1) }, two)
  expect(model.features).toHaveLength(2 * 1999)
})

it('any rows, weights and labels give scores that are finite and within the votes of all trees', () => {
  const value = fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e30, max: 1e30 })
  const row = fc.tuple(value, fc.integer({ min: -2, max: 2 }), fc.nat(1), fc.nat(3))
  fc.assert(
    fc.property(fc.array(row, { minLength: 1, maxLength: 30 }), (rows) => {
      const features = dense(Float64Array.from(rows.flatMap((row) => row.slice(0, 2))), 2)
      const [labels, own] = [rows.map(([, , label]) => label), rows.map(([, , , weight]) => weight)]
      const model = treesLearner(2, { trees: 7 }).fit({ features, labels, weights: own }, two) as TreesModel
      for (const [a, b] of rows) expect(Math.abs(scoreIn(model, [a, b]))).toBeLessThanOrEqual(Math.log(7.5 / 0.5))
    }),
  )
})

describe('a file of trees that cannot be trees is refused', () => {
  const model = treesLearner(2, { trees: 2 }).fit(training, two) as TreesModel
  it.each([
    [{ kind: 'forest' }, 'model: kind must be "linear" or "trees", got "forest"'],
    [{ cuts: [] }, 'nodes need as many cuts and others'],
    [{ roots: [model.features.length] }, 'every tree must begin at one of'],
    [{ others: model.others.map(() => 0) }, 'every node must be a leaf or lead from one of 4 features to later nodes'],
    [{ width: 1 }, 'every node must be a leaf or lead from one of 1 features'],
    [{ shares: [[1], [1]] }, 'every leaf needs a share from 0 to 1 for each of 2 classes'],
    [{ cuts: model.cuts.map((cut) => cut + 1) }, 'must match its id'],
  ])('%j', (changes, message) => {
    expect(() => modelFromJson({ ...model, ...changes })).toThrow(message)
  })

  it('and so are options that no trees can be grown by', async () => {
    expect(() => treesLearner(2, { trees: 0 })).toThrow('trees: there must be at least 1, got 0')
    expect(() => treesLearner(2).fit(training, three)).toThrow('trees: there must be 2 classes, got 3')
  })
})
