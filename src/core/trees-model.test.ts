import { describe, expect, it } from 'vitest'
import { scoreVotes, type TreesModel, treesModel, voteCounter, voteShapeOf } from './trees-model.ts'

/** Two trees: one asks whether feature 0 is at most 1, and then feature 1 at most 5; the other is a leaf. */
const parts: Omit<TreesModel, 'kind' | 'id'> = {
  ...{ loss: 'votes', classes: ['no', 'yes'], width: 2, roots: [0, 5] },
  features: [0, 1, -1, -1, -1, -1],
  cuts: [1, 5, 0, 0, 0, 0],
  others: [4, 3, 0, 1, 2, 1],
  shares: [
    [1, 0],
    [0.5, 0.5],
    [0, 1],
  ],
}
const model = treesModel(parts)

function votes(row: readonly number[], own = model): number[] {
  const sums = new Float64Array(own.classes.length).fill(7)
  voteCounter(own)(Float64Array.from(row), sums)
  return [...sums]
}

describe('trees', () => {
  it('send a row to a leaf each, and add up what these say', () => {
    expect([votes([1, 5]), votes([1, 5.1]), votes([1.1, 0])]).toEqual([
      [1.5, 0.5],
      [1, 1],
      [0.5, 1.5],
    ])
  })

  it('score a row by the shares of votes, with half a vote more for each class', () => {
    const into = new Float64Array(3)
    scoreVotes(voteShapeOf(model), Float64Array.of(9, 1.5, 0.5), 1, into, 2)
    expect(into[2]).toBeCloseTo(Math.log(1 / 2), 12)
    const three = new Float64Array(4)
    scoreVotes({ trees: 6, classes: 3, scale: 2 }, Float64Array.of(4, 1.5, 0.5), 0, three, 1)
    expect([...three.slice(1)]).toEqual([4.5, 2, 1].map((votes) => expect.closeTo(2 * Math.log(votes / 2.5), 12)))
    const choice = { learner: 'trees', labels: 9, scale: 0.5, tried: [{ learner: 'trees', error: 0.1, logLoss: 0.3 }] }
    expect([voteShapeOf(model).scale, voteShapeOf(treesModel({ ...parts, choice })).scale]).toEqual([1, 0.5])
  })

  it('are frozen all the way down, and are another model where anything is changed', () => {
    for (const part of [
      model,
      model.classes,
      model.roots,
      model.features,
      model.cuts,
      model.others,
      model.shares,
      model.shares[0],
    ])
      expect(Object.isFrozen(part)).toBe(true)
    const ids = [model, treesModel(parts), treesModel({ ...parts, cuts: parts.cuts.with(0, 2) })].map(({ id }) => id)
    expect([ids[0] === ids[1], ids[0] === ids[2]]).toEqual([true, false])
    expect(model).toMatchObject({ kind: 'trees', ...parts })
  })

  it.each<[string, Partial<typeof parts>, string]>([
    ['one class', { classes: ['no'] }, 'model: at least 2 classes are required, got 1'],
    ['a cut too few', { cuts: [1] }, 'model: 6 nodes need as many cuts and others'],
    ['an other node too few', { others: [1] }, 'model: 6 nodes need as many cuts and others'],
    ['a tree that begins nowhere', { roots: [0, 6] }, 'model: every tree must begin at one of 6 nodes'],
    ['a tree that begins before', { roots: [-1] }, 'model: every tree must begin at one of 6 nodes'],
    ['a tree that begins between', { roots: [0.5] }, 'model: every tree must begin at one of 6 nodes'],
    ['a feature too many', { features: parts.features.with(0, 2) }, 'from one of 2 features to later nodes'],
    ['a node that leads back', { others: parts.others.with(0, 1) }, 'from one of 2 features to later nodes'],
    ['a node that leads nowhere', { others: parts.others.with(0, 6) }, 'from one of 2 features to later nodes'],
    ['a cut at no number', { cuts: parts.cuts.with(1, Number.NaN) }, 'from one of 2 features to later nodes'],
    ['a leaf without shares', { others: parts.others.with(2, 3) }, 'model: every node must be a leaf'],
    [
      'shares of too few classes',
      { shares: [[1], [1], [1]] },
      'model: every leaf needs a share from 0 to 1 for each of 2 classes',
    ],
    [
      'a share above 1',
      {
        shares: [
          [1, 1.1],
          [1, 0],
          [1, 0],
        ],
      },
      'model: every leaf needs a share',
    ],
    [
      'a share below 0',
      {
        shares: [
          [1, -0.1],
          [1, 0],
          [1, 0],
        ],
      },
      'model: every leaf needs a share',
    ],
  ])('are refused with %s', (_, changes, message) => {
    expect(() => treesModel({ ...parts, ...changes })).toThrow(message)
  })
})
