import { expect, it } from 'vitest'
import { emptyBelief } from '../core/belief.ts'
import { dense, type FeatureRows } from '../core/features.ts'
import { uniform } from '../core/randomness.ts'
import { crossEntropy } from '../losses/cross-entropy.ts'
import { logistic } from '../losses/logistic.ts'
import { batchProblem, bmdrStrategy } from './bmdr.ts'
import type { PoolView } from './selector.ts'

const made = (rows: number, seed: number) =>
  dense(
    Float64Array.from({ length: 2 * rows }, (_, k) => uniform(seed, 'x', `${k}`)),
    2,
  )

/** A pool whose scores follow a formula: one a point for two classes, or one a class. */
function viewOf(features: FeatureRows, classes = 2): PoolView {
  const belief = emptyBelief(classes)
  return {
    features,
    masses: new Float64Array(features.rows).fill(1),
    beliefAt(i) {
      const scores = Array.from({ length: classes === 2 ? 1 : classes }, (_, k) => 3 * Math.sin(7 * i + 2 * k))
      ;(classes === 2 ? logistic : crossEntropy).read(scores, belief)
      return belief
    },
  }
}

const rowOf = (features: FeatureRows, i: number) => {
  const row = new Float64Array(2)
  features.addInPlace(i, 1, row)
  return row
}

/** The objective from its definition, for a whole batch, up to the constant. */
function naive(view: PoolView, labelled: FeatureRows, batch: readonly number[], likeness: number): number {
  const all = [...Array(view.features.rows).keys()].map((i) => rowOf(view.features, i))
  const known = [...Array(labelled.rows).keys()].map((i) => rowOf(labelled, i))
  const squared = (a: Float64Array, b: Float64Array) => (a[0]! - b[0]!) ** 2 + (a[1]! - b[1]!) ** 2
  const pairs = all.flatMap((a, i) => all.slice(0, i).map((b) => squared(a, b))).sort((a, b) => a - b)
  const median = pairs[pairs.length >> 1]!
  const mean = (left: Float64Array[], right: Float64Array[]) =>
    left.reduce((sum, a) => sum + right.reduce((inner, b) => inner + Math.exp(-squared(a, b) / (2 * median)), 0), 0) /
    (left.length * right.length)
  const chosen = [...known, ...batch.map((i) => all[i]!)]
  const pool = [...all, ...known]
  const discrepancy = mean(chosen, chosen) - 2 * mean(chosen, pool) + mean(pool, pool)
  const worst = batch.reduce((sum, i) => sum + Math.max(...view.beliefAt(i).losses), 0) / batch.length
  return worst + likeness * discrepancy
}

it.each([2, 4])('its quadratic program is worst-case loss plus discrepancy, up to a constant, with %i classes', (classes) => {
  const [features, labelled] = [made(9, 1), made(4, 2)]
  const view = viewOf(features, classes)
  const { quadratic, linear } = batchProblem(view, [...Array(9).keys()], labelled, 3, 50)
  const value = (batch: readonly number[]) =>
    batch.reduce((sum, i) => sum + linear[i]! + batch.reduce((inner, j) => inner + quadratic(i)[j]! / 2, 0), 0)
  const constant = naive(view, labelled, [0, 1, 2], 50) - value([0, 1, 2])
  for (const batch of [
    [3, 4, 5],
    [0, 4, 8],
    [2, 6, 7],
  ])
    expect(value(batch) + constant).toBeCloseTo(naive(view, labelled, batch, 50), 10)
})

const draw = (options: Parameters<typeof bmdrStrategy>[0], view: PoolView, labelled: FeatureRows, size: number) =>
  bmdrStrategy(options).selector!({ features: labelled, labels: [], weights: [] }).select(view, size, (i) =>
    uniform(1, 'tie', `${i}`),
  )

it('chooses by doubt alone if likeness counts for nothing, and nearly the best batch there is otherwise', () => {
  const [features, labelled] = [made(14, 3), made(3, 4)]
  const view = viewOf(features)
  const worst = Array.from({ length: 14 }, (_, i) => Math.max(...view.beliefAt(i).losses))
  const doubtful = [...worst.keys()].sort((a, b) => worst[a]! - worst[b]!).slice(0, 3)
  expect(
    draw({ likeness: 0 }, view, labelled, 3)
      .map(({ index }) => index)
      .sort(),
  ).toEqual(doubtful.sort())

  const batches = [...Array(14).keys()].flatMap((a) =>
    [...Array(a).keys()].flatMap((b) => [...Array(b).keys()].map((c) => [a, b, c])),
  )
  const values = batches.map((batch) => naive(view, labelled, batch, 30)).sort((a, b) => a - b)
  const own = naive(
    view,
    labelled,
    draw({ likeness: 30 }, view, labelled, 3).map(({ index }) => index),
    30,
  )
  expect(values.filter((value) => value < own - 1e-12).length / values.length).toBeLessThan(0.05)
})

it('looks at no more points than it was told to, and takes them all when they are asked for', () => {
  const features = made(100, 5)
  const view = viewOf(features)
  const order = [...Array(100).keys()].sort((a, b) => uniform(1, 'tie', `${a}`) - uniform(1, 'tie', `${b}`))
  const chosen = draw({ most: 20 }, view, made(2, 6), 5).map(({ index }) => index)
  for (const index of chosen) expect(order.slice(0, 20)).toContain(index)
  expect(draw({}, view, made(2, 6), 200)).toHaveLength(100)
})
