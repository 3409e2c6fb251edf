import { expect, it } from 'vitest'
import { dense, sparse } from '../core/features.ts'
import { hashIds, uniform, uniformsOf } from '../core/randomness.ts'
import { farthestFirst } from './core-set.ts'

const columns = 4
const none = dense(new Float64Array(0), columns)

/** Rows of small whole numbers: distances are exact, and many of them are equal. */
const whole = (rows: number, seed: number) =>
  Float32Array.from({ length: rows * columns }, (_, k) => Math.floor(5 * uniform(seed, 'whole', `${k}`)))

/** From the definition: every distance computed anew, every time. */
function naive(values: Float32Array, centres: Float32Array, size: number, order: readonly number[]): number[] {
  const rowsOf = (all: Float32Array) =>
    Array.from({ length: all.length / columns }, (_, i) => [...all.subarray(i * columns, (i + 1) * columns)])
  const rows = rowsOf(values)
  const open = rowsOf(centres)
  const chosen: number[] = []
  while (chosen.length < size) {
    const left = order.filter((i) => !chosen.includes(i)) // in order of their uniforms
    const distance = (i: number) =>
      Math.min(...open.map((c) => c.reduce((sum, value, j) => sum + (value - rows[i]![j]!) ** 2, 0)), Number.POSITIVE_INFINITY)
    const next = left.reduce((best, i) => (distance(i) > distance(best) ? i : best))
    chosen.push(next)
    open.push(rows[next]!)
  }
  return chosen
}

it.each([0, 1, 7])('is the greedy of the definition, ties by hash, with %i labelled points', (labelled) => {
  for (let seed = 1; seed <= 20; seed++) {
    const values = whole(60, seed)
    const centres = whole(labelled, seed + 1000)
    const uniforms = uniformsOf({ seed, name: 'x' }, hashIds(Array.from({ length: 60 }, (_, i) => `${i}`)))
    const order = [...Array(60).keys()].sort((a, b) => uniforms(a) - uniforms(b))
    const start = labelled ? dense(centres, columns) : none
    expect(farthestFirst(dense(values, columns), start, 25, uniforms)).toEqual(naive(values, centres, 25, order))
  }
})

it('leaves no point farther away than twice the best radius possible', () => {
  const values = Float32Array.from({ length: 12 * columns }, (_, k) => uniform(3, 'spread', `${k}`))
  const radius = (chosen: readonly number[]) =>
    Math.max(...[...Array(12).keys()].map((i) => Math.min(...chosen.map((c) => distance(values, i, c)))))
  const pairs = [...Array(12).keys()].flatMap((a) =>
    [...Array(a).keys()].flatMap((b) => [...Array(b).keys()].map((c) => [a, b, c])),
  )
  const best = Math.min(...pairs.map(radius))
  const greedy = farthestFirst(dense(values, columns), none, 3, (i) => (i + 1) / 12)
  expect(radius(greedy)).toBeLessThanOrEqual(2 * best)
})

function distance(values: Float32Array, a: number, b: number): number {
  return Math.hypot(...Array.from({ length: columns }, (_, j) => values[a * columns + j]! - values[b * columns + j]!))
}

it('takes every point once when all of them are the same, and no more than there are', () => {
  const uniforms = (i: number) => [0.3, 0.1, 0.9, 0.2][i]!
  expect(farthestFirst(dense(new Float32Array(16).fill(2), 4), none, 9, uniforms)).toEqual([1, 3, 0, 2])
})

it('chooses the same from sparse rows', () => {
  const values = whole(40, 9)
  const entries = [...values].flatMap((value, k) =>
    value === 0 ? [] : [{ row: Math.floor(k / columns), column: k % columns, value }],
  )
  const starts = Uint32Array.from({ length: 41 }, (_, row) => entries.filter((entry) => entry.row < row).length)
  const indices = Uint32Array.from(entries, ({ column }) => column)
  const rows = sparse({ starts, indices, values: Float32Array.from(entries, ({ value }) => value) }, columns)
  const uniforms = (i: number) => uniform(1, 'tie', `${i}`)
  expect(farthestFirst(rows, none, 15, uniforms)).toEqual(farthestFirst(dense(values, columns), none, 15, uniforms))
})
