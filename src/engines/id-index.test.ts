import { expect, it } from 'vitest'
import { hashIds } from '../core/randomness.ts'
import { idIndex } from './id-index.ts'

const indexOf = (ids: readonly string[]) => idIndex(ids, hashIds(ids))

it('finds every id and no other', () => {
  for (const size of [0, 1, 2, 3, 1000, 4097]) {
    const ids = Array.from({ length: size }, (_, row) => `point ${row}`)
    const { rowOf, repeated } = indexOf(ids)
    expect(repeated).toBe(0)
    expect(ids.map(rowOf)).toEqual(ids.map((_, row) => row))
    expect(['', 'point', `point ${size}`].map(rowOf)).toEqual([-1, -1, -1])
  }
})

it('tells ids apart whose hashes are equal', () => {
  const zeros = new Int32Array(3)
  expect(idIndex(['a', 'b', 'c'], { low: zeros, high: zeros }).repeated).toBe(0)
  expect(idIndex(['a', 'b', 'a'], { low: zeros, high: zeros }).repeated).toBe(1)
})

it('counts ids that were there before, and finds the first row of them', () => {
  const { rowOf, repeated } = indexOf(['a', 'b', 'a', 'c', 'b', 'a'])
  expect([repeated, rowOf('a'), rowOf('b'), rowOf('c')]).toEqual([3, 0, 1, 3])
})
