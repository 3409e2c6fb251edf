import { expect, it } from 'vitest'
import { bernoulliVariance, multinomialVariance } from '../bounds/decomposition.ts'
import { hashIds, uniformsOf } from '../core/randomness.ts'
import { bernoulli } from './bernoulli.ts'
import { describeDesign, type Outcome } from './design.contract.ts'
import { checkMasses } from './design.ts'
import { inclusionProbabilities } from './inclusion.ts'
import { multinomial } from './multinomial.ts'
import { successive } from './successive.ts'
import { certainDraws, isRandom, top } from './top.ts'

const sum = (values: ArrayLike<number>) => Array.from(values).reduce((a, b) => a + b, 0)

describeDesign(successive, {
  outcomes(masses, size) {
    const walk = (indices: number[], probabilities: number[], chance: number): Outcome[] => {
      if (indices.length === size) return [{ indices, probabilities, chance }]
      const left = [...masses.keys()].filter((i) => !indices.includes(i))
      const total = sum(left.map((i) => masses[i]!))
      return left.flatMap((i) => {
        const q = masses[i]! / total
        return walk([...indices, i], [...probabilities, q], chance * q)
      })
    }
    return walk([], [], 1)
  },
})

describeDesign(multinomial, {
  outcomes(masses, size) {
    const p = masses.map((mass) => mass / sum(masses))
    const walk = (indices: number[], chance: number): Outcome[] =>
      indices.length === size
        ? [{ indices, probabilities: indices.map((i) => p[i]!), chance }]
        : [...p.keys()].flatMap((i) => walk([...indices, i], chance * p[i]!))
    return walk([], 1)
  },
  variance: (values, masses, size) =>
    multinomialVariance(
      values,
      masses.map((mass) => mass / sum(masses)),
      size,
    ),
})

describeDesign(bernoulli, {
  // Given which points are drawn, uᵢ/πᵢ are independent uniforms: every order is equally likely.
  outcomes(masses, size) {
    const pi = inclusionProbabilities(masses, size)
    return Array.from({ length: 2 ** masses.length }, (_, bits) => {
      const drawn = [...masses.keys()].filter((i) => bits & (1 << i))
      const chance = pi.reduce((product, p, i) => product * (bits & (1 << i) ? p : 1 - p), 1)
      const orders = permutations(drawn)
      return orders.map((indices) => ({ indices, probabilities: indices.map((i) => pi[i]!), chance: chance / orders.length }))
    }).flat()
  },
  variance: (values, masses, size) => bernoulliVariance(values, inclusionProbabilities(masses, size)),
})

function permutations(items: number[]): number[][] {
  if (items.length < 2) return [items]
  return items.flatMap((item) => permutations(items.filter((other) => other !== item)).map((rest) => [item, ...rest]))
}

const ids = hashIds(Array.from({ length: 200 }, (_, i) => `${i}`))
const uniforms = uniformsOf({ seed: 1, name: 'x' }, ids)

it('successive draws of the whole pool end with certainty', () => {
  const masses = Float64Array.from({ length: 200 }, (_, i) => 1e-9 + i ** 4)
  const draws = successive.draw(masses, 500, uniforms)
  expect(draws).toHaveLength(200)
  expect(new Set(draws.map(({ index }) => index)).size).toBe(200)
  expect(draws.at(-1)).toMatchObject({ probability: 1, order: 200 })
})

it('size 1 is the paper to the letter: probabilities p*, and more than a third of the rounds empty', () => {
  const masses = new Float64Array(200).fill(1)
  const empty = Array.from({ length: 2000 }, (_, seed) => bernoulli.draw(masses, 1, uniformsOf({ seed, name: 'literal' }, ids)))
    .map((draws) => draws.length)
    .filter((length) => length === 0).length
  const expected = (1 - 1 / 200) ** 200
  expect(Math.abs(empty / 2000 - expected)).toBeLessThan(4.9 * Math.sqrt((expected * (1 - expected)) / 2000))
})

it('bernoulli takes every point when asked for more than there are', () => {
  expect(bernoulli.draw(Float64Array.of(1, 2, 3), 10, uniforms).map(({ probability }) => probability)).toEqual([1, 1, 1])
})

it('top takes the largest, and settles ties by hash and not by position', () => {
  const masses = Float64Array.of(1, 5, 1, 1, 3)
  expect(
    top
      .draw(masses, 2, uniforms)
      .map(({ index }) => index)
      .sort(),
  ).toEqual([1, 4])
  const third = new Set(
    Array.from({ length: 60 }, (_, seed) => top.draw(masses, 3, uniformsOf({ seed, name: 'x' }, ids))[2]!.index),
  )
  expect([...third].sort()).toEqual([0, 2, 3])
  expect(top.draw(masses, 0, uniforms)).toEqual([])
})

it('bernoulli draws a point whose uniform is its probability, and settles equal places by position', () => {
  expect(bernoulli.draw(Float64Array.of(1, 1, 1, 1), 2, () => 0.5).map(({ index }) => index)).toEqual([0, 1, 2, 3])
})

it('bernoulli takes the points of positive mass when asked for more than these', () => {
  expect(bernoulli.draw(Float64Array.of(0, 2, 0, 1), 3, () => 1).map(({ index, probability }) => [index, probability])).toEqual([
    [1, 1],
    [3, 1],
  ])
})

it('only draws without dice have no probabilities that an estimate can rest on', () => {
  expect([successive, multinomial, bernoulli, top].map(({ name }) => isRandom(name))).toEqual([true, true, true, false])
})

it('draws that were certain are numbered from 1, with all there was left', () => {
  const draws = certainDraws([2, 0], Float64Array.of(1, 2, 4))
  expect(draws).toEqual([
    { index: 2, probability: 1, order: 1, mass: 4, remaining: 7 },
    { index: 0, probability: 1, order: 2, mass: 1, remaining: 7 },
  ])
})

it.each([
  [[1, -1], 'got -1 at 1'],
  [[Number.NaN, 1], 'got NaN at 0'],
  [[1, 2, Number.POSITIVE_INFINITY], 'got Infinity at 2'],
])('masses %j are refused', (masses, message) => {
  expect(() => checkMasses('here', Float64Array.from(masses), 1)).toThrow(
    `here: masses must be finite and not negative, ${message}`,
  )
})

it.each([1.5, -1, Number.NaN])('%d is no size', (size) => {
  expect(() => checkMasses('here', Float64Array.of(1), size)).toThrow(`here: size must be a whole number, got ${size}`)
})

it('what is fine is let through', () => {
  checkMasses('here', Float64Array.of(0, 1), 0)
  checkMasses('here', new Float64Array(0), 3)
})

it('nothing can be drawn where every mass is 0', () => {
  for (const design of [successive, multinomial, bernoulli]) expect(design.draw(new Float64Array(3), 2, () => 0.5)).toEqual([])
})

it('top takes what is larger for certain, and as many of the tied as there is room for', () => {
  const taken = (masses: readonly number[], size: number) =>
    top.draw(Float64Array.from(masses), size, (i) => 1 - i / 10).map(({ index }) => index)
  expect(taken([5, 1, 3, 3, 2], 2)).toEqual([0, 3])
  expect(taken([5, 1, 3, 3, 2], 3)).toEqual([0, 3, 2])
  expect(taken([1, 3, 3, 3], 2)).toEqual([3, 2])
  expect(taken([4, 4, 1, 5], 3)).toEqual([3, 1, 0]) // those above all others too
  expect(taken([2, 1], 0)).toEqual([])
  expect(taken([3, 5, 3, 4, 1], 4)).toEqual([1, 3, 2, 0]) // in the order of the masses, and of equal ones by their uniforms
  expect(taken([3, 3, 1, 5], 3)).toEqual([3, 1, 0])
  expect(taken([3, 3, 1], 3)).toEqual([1, 0, 2])
  expect(() => taken([1, Number.NaN], 1)).toThrow('top: masses must be finite and not negative, got NaN at 1')
})
