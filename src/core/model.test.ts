import { describe, expect, it } from 'vitest'
import { dense } from './features.ts'
import { evaluate } from './formula.ts'
import {
  blankModel,
  type ColumnModel,
  keptModel,
  linearModel,
  modelFromJson,
  predictedClass,
  predictedClassFormula,
  scorerOf,
  scoresPerPoint,
  weightsOf,
  widthOf,
} from './model.ts'
import { treesModel } from './trees-model.ts'

const two = { loss: 'logistic', classes: ['no', 'yes'], weights: [[2, -1]], intercepts: [0.5] }
const linear = linearModel(two)
const columns: ColumnModel = { kind: 'columns', id: 'own', classes: ['a', 'b', 'c'], columns: 3 }
/** Two trees: one asks whether the first feature is at most 1, one is a leaf. */
const parts = {
  loss: 'logistic',
  classes: ['no', 'yes'],
  width: 2,
  roots: [0, 3],
  features: [0, -1, -1, -1],
  cuts: [1, 0, 0, 0],
  others: [2, 0, 1, 2],
  shares: [[1, 0], [0.25, 0.75], [0.5, 0.5]],
} // biome-ignore format: a leaf a line is too much
const trees = treesModel(parts)

const scoresAt = (model: Parameters<typeof scorerOf>[0], row: readonly number[]) => {
  const into = new Float64Array(scoresPerPoint(model))
  scorerOf(model)(dense(Float64Array.from(row), row.length), 0, into)
  return [...into]
}

describe('a model', () => {
  it('scores a row', () => {
    expect(scoresAt(linear, [3, 1])).toEqual([5.5])
    expect(scoresAt(columns, [1, 2, 3])).toEqual([1, 2, 3])
    expect(scoresAt(trees, [1, 0])[0]).toBeCloseTo(Math.log((0 + 0.5 + 0.5) / (1 + 0.5 + 0.5)), 12)
    expect(scoresAt(trees, [1.1, 0])[0]).toBeCloseTo(Math.log((0.75 + 0.5 + 0.5) / (0.25 + 0.5 + 0.5)), 12)
  })

  it('scores into the place that is asked for', () => {
    const into = Float64Array.of(7, 7, 7)
    scorerOf(linear)(dense(Float64Array.of(0, 0), 2), 0, into, 1)
    expect([...into]).toEqual([7, 0.5, 7])
    scorerOf(trees)(dense(Float64Array.of(1, 0), 2), 0, into, 2)
    expect(into[2]).toBeCloseTo(Math.log(1 / 2), 12)
  })

  it('scores three classes against what all trees would say of them alike', () => {
    const classes = ['a', 'b', 'c']
    const choice = { learner: 'trees', labels: 9, scale: 2, tried: [] }
    const three = treesModel({
      ...parts,
      classes,
      roots: [0],
      features: [-1],
      cuts: [0],
      others: [0],
      shares: [[0.5, 0.3, 0.2]],
      choice,
    })
    const scores = scoresAt(three, [0, 0])
    for (const [k, share] of [0.5, 0.3, 0.2].entries())
      expect(scores[k]).toBeCloseTo(2 * (Math.log(share + 0.5) - Math.log(1 / 3 + 0.5)), 12)
  })

  it('says how many features it looks at and how many scores it gives', () => {
    expect([linear, trees, columns].map(widthOf)).toEqual([2, 2, 3])
    expect([linear, trees, columns].map(scoresPerPoint)).toEqual([1, 1, 3])
    expect(weightsOf(columns)).toEqual({ weights: [[1, 0, 0], [0, 1, 0], [0, 0, 1]], intercepts: [0, 0, 0] }) // biome-ignore format: a matrix
    expect(() => weightsOf(trees)).toThrow('model: one that is linear in the features is required in a database, got trees')
  })

  it('that knows nothing gives 0 to everything, a score for each class from three on', () => {
    expect(blankModel('logistic', ['no', 'yes'], 2)).toMatchObject({ weights: [[0, 0]], intercepts: [0] })
    expect(blankModel('cross-entropy', ['a', 'b', 'c'], 1)).toMatchObject({ weights: [[0], [0], [0]], intercepts: [0, 0, 0] })
  })

  it('predicts the class of the largest score: the positive one, or the first of several, where they tie', () => {
    const cases = [[-0.1], [0], [2], [1, 3, 3], [3, 1, 3], [0, 0, 0], [1, 2, 5]]
    const wanted = [0, 1, 1, 1, 0, 0, 2]
    expect(cases.map(predictedClass)).toEqual(wanted)
    for (const [k, scores] of cases.entries()) expect(evaluate(predictedClassFormula(scores), {})).toBe(wanted[k])
  })
})

describe('a model on record', () => {
  it('is frozen, and read back as it was', () => {
    for (const model of [linear, trees]) {
      expect(modelFromJson(JSON.parse(JSON.stringify(model)))).toEqual(model)
      expect(keptModel(JSON.parse(JSON.stringify(model)))).toEqual(model)
    }
    expect(keptModel(columns)).toBe(columns)
    expect([linear, linear.classes, linear.weights, linear.weights[0], linear.intercepts].every(Object.isFrozen)).toBe(true)
    expect(
      [trees, trees.classes, trees.roots, trees.features, trees.cuts, trees.others, trees.shares, trees.shares[0]].every(
        Object.isFrozen,
      ),
    ).toBe(true)
  })

  it('has another identity with other content, and is refused where the two do not match', () => {
    expect(linearModel({ ...two, intercepts: [0.6] }).id).not.toBe(linear.id)
    expect(() => modelFromJson({ ...linear, intercepts: [0.6] })).toThrow('model: content must match its id')
    for (const json of [undefined, null, {}, { kind: 'columns' }])
      expect(() => modelFromJson(json)).toThrow('model: kind must be "linear" or "trees"')
  })

  it.each([
    [{ classes: ['no'] }, 'model: 1 classes need 1 rows of weights, got 1'],
    [{ classes: ['a', 'b', 'c'] }, 'model: 3 classes need 3 rows of weights, got 1'],
    [{ intercepts: [] }, 'model: 2 classes need 1 rows of weights'],
    [{ weights: [[Number.NaN, 1]] }, 'model: every weight must be a finite number'],
    [{ intercepts: [Number.POSITIVE_INFINITY] }, 'model: every weight must be a finite number'],
  ])('is refused where its weights are none: %o', (changes, message) => {
    expect(() => linearModel({ ...two, ...changes })).toThrow(message)
  })

  it.each([
    [{ classes: ['no'] }, 'model: at least 2 classes are required, got 1'],
    [{ cuts: [1, 0, 0] }, 'model: 4 nodes need as many cuts and others'],
    [{ others: [2, 0, 1] }, 'model: 4 nodes need as many cuts and others'],
    [{ roots: [0, 4] }, 'model: every tree must begin at one of 4 nodes'],
    [{ roots: [-1] }, 'model: every tree must begin at one of 4 nodes'],
    [{ roots: [0.5] }, 'model: every tree must begin at one of 4 nodes'],
    [{ features: [2, -1, -1, -1] }, 'model: every node must be a leaf or lead'],
    [{ features: [-2, -1, -1, -1] }, 'model: every node must be a leaf or lead'],
    [{ cuts: [Number.NaN, 0, 0, 0] }, 'model: every node must be a leaf or lead'],
    [{ others: [1, 0, 1, 2] }, 'model: every node must be a leaf or lead'], // back to the next, which is the way of the others
    [{ others: [4, 0, 1, 2] }, 'model: every node must be a leaf or lead'],
    [{ others: [2, 3, 1, 2] }, 'model: every node must be a leaf or lead'], // there are three leaves
    [{ shares: [[1, 0], [0.25, 0.75], [0.5]] }, 'model: every leaf needs a share from 0 to 1 for each of 2 classes'],
    [
      {
        shares: [
          [1, 0],
          [0.25, 0.75],
          [-0.5, 0.5],
        ],
      },
      'model: every leaf needs a share from 0 to 1',
    ],
    [
      {
        shares: [
          [1, 0],
          [0.25, 0.75],
          [1.5, 0.5],
        ],
      },
      'model: every leaf needs a share from 0 to 1',
    ],
  ])('is refused where its trees are none: %o', (changes, message) => {
    expect(() => treesModel({ ...parts, ...changes })).toThrow(message)
  })
})
