import { describe, expect, it } from 'vitest'
import type { Label, RoundFacts } from '../core/record.ts'
import { lureWeights } from '../weights/lure.ts'
import { poolWeights } from './pool-weights.ts'
import { trainingSet } from './training-set.ts'

const classes = ['no', 'yes']

/** A round of draws, with the chance of each and the answer. */
function round(
  stream: string,
  design: string,
  points: number,
  drawn: readonly (readonly [id: string, p: number, answer?: Label])[],
) {
  const told = drawn.flatMap(([id, , answer]) => (answer === undefined ? [] : [[id, answer] as const]))
  const draws = drawn.map(([id, probability]) => ({ id, probability }))
  return { stream, design, size: drawn.length, survey: { points }, draws, answers: new Map(told) } as unknown as RoundFacts
}

const set = (rounds: readonly RoundFacts[], trainsOn: 'all' | 'batch', weighting = 1) =>
  trainingSet(rounds, { strategy: { trainsOn }, weighting, classes, poolSize: 10 })
const near = (numbers: readonly number[]) => numbers.map((number) => expect.closeTo(number, 12))
/** Scaled to mean 1. */
const scaled = (weights: readonly number[]) => weights.map((w) => (w * weights.length) / weights.reduce((a, b) => a + b, 0))

const start = round('learn/0', 'successive', 10, [
  ['a', 0.2, 'yes'],
  ['b', 1 / 9, null],
  ['c', 1 / 8, 'no'],
])
const next = round('learn/1', 'successive', 7, [
  ['d', 0.3, 'no'],
  ['e', 0.2, 'yes'],
])

describe('what is learned from', () => {
  it('are all answers that say something, in draw order, each for the points it stands for', () => {
    const { ids, labels, weights } = set([start, next], 'all')
    expect([ids, labels]).toEqual([
      ['a', 'c', 'd', 'e'],
      [1, 0, 0, 1],
    ])
    const [a, , c, d, e] = poolWeights([start, next], 10)
    expect(weights).toEqual(near(scaled([a!, c!, d!, e!])))
    expect(set([start, next], 'all', 0).weights).toEqual([1, 1, 1, 1])
  })

  it('is the last batch that was answered, for a strategy that trains on one', () => {
    const { ids, weights } = set([start, next], 'batch')
    expect(ids).toEqual(['d', 'e'])
    expect(weights).toEqual(near(scaled([...lureWeights([0.3, 0.2], 7)])))
    const silent = round('learn/2', 'bernoulli', 5, [['f', 0.5, null]])
    const open = round('learn/3', 'bernoulli', 5, [['g', 0.5]])
    expect(set([start, next, silent, open], 'batch').ids).toEqual(['d', 'e'])
    expect(set([start, silent, open], 'batch').ids).toEqual(['a', 'c'])
  })

  it('is weighted by 1/p where draws are independent, a point that was drawn twice coming twice', () => {
    const twice = round('learn/1', 'multinomial', 7, [
      ['d', 0.3, 'no'],
      ['e', 0.1, 'yes'],
      ['d', 0.3, 'no'],
    ])
    const { ids, weights } = set([start, twice], 'batch')
    expect(ids).toEqual(['d', 'e', 'd'])
    expect(weights).toEqual(near(scaled([1 / 0.3, 10, 1 / 0.3])))
  })

  it('are labels that were given, before there is a batch, and not after', () => {
    const given = round('given/0', 'certainty', 10, [['x', 1, 'yes']])
    expect(set([given], 'batch').ids).toEqual(['x'])
    expect(set([start, given], 'batch').ids).toEqual(['a', 'c'])
    expect(set([], 'batch')).toEqual({ ids: [], labels: [], weights: [] })
  })

  it('is no answer that is no class', () => {
    const odd = round('learn/0', 'successive', 10, [['a', 0.1, 'maybe']])
    expect(() => set([odd], 'all')).toThrow('answer: one of the classes no, yes is required, got maybe')
  })
})
