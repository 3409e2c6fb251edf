import { describe, expect, it } from 'vitest'
import { uniform } from './randomness.ts'
import { smallest } from './smallest.ts'

const keys = Array.from({ length: 60 }, (_, k) => Math.floor(20 * uniform(1, 'key', `${k}`))) // with ties
const ranked = [...keys.keys()].sort((a, b) => keys[a]! - keys[b]! || a - b)

describe('the smallest keys', () => {
  it.each([1, 2, 7, 31, 60, 100])('are those of a sort, the first of equal ones first: %i of them', (size) => {
    for (const order of [[...keys.keys()], [...keys.keys()].reverse()]) {
      const kept = smallest(size)
      const out = order.map((index) => kept.offer(keys[index]!, index)).filter((index) => index >= 0)
      expect(kept.sorted()).toEqual(ranked.slice(0, size))
      expect(new Set([...out, ...kept.sorted()]).size).toBe(60) // everything is kept or handed out, and once
      expect(out.length).toBe(Math.max(0, 60 - size))
    }
  })

  it('say what can still get in', () => {
    const kept = smallest(2)
    expect(kept.limit()).toBe(Number.POSITIVE_INFINITY)
    expect(kept.offer(5, 0)).toBe(-1)
    expect(kept.limit()).toBe(Number.POSITIVE_INFINITY)
    expect(kept.offer(3, 1)).toBe(-1)
    expect(kept.limit()).toBe(5)
    expect(kept.offer(5, 2)).toBe(2) // as large, and later
    expect(kept.offer(4, 3)).toBe(0)
    expect([kept.limit(), kept.sorted()]).toEqual([4, [1, 3]])
  })

  it('are none where none are wanted', () => {
    const none = smallest(0)
    expect(none.limit()).toBe(Number.NEGATIVE_INFINITY)
    expect(none.offer(-1, 4)).toBe(4)
    expect(none.sorted()).toEqual([])
  })
})
