import { describe, expect, test } from 'vitest'
import { frameAt, startWithin } from './paging.ts'

describe('pages', () => {
  test('the first, one in between, and the last', () => {
    expect(frameAt(0, 120, 50)).toEqual({ first: 1, last: 50, next: 50 })
    expect(frameAt(50, 120, 50)).toEqual({ first: 51, last: 100, previous: 0, next: 100 })
    expect(frameAt(100, 120, 50)).toEqual({ first: 101, last: 120, previous: 50 })
  })

  test('a full last page has no next one', () => {
    expect(frameAt(50, 100, 50)).toEqual({ first: 51, last: 100, previous: 0 })
  })

  test('nothing found is no page', () => {
    expect(frameAt(0, 0, 50)).toEqual({ first: 0, last: 0 })
  })

  test('one is never left beyond the end of a list that became shorter', () => {
    expect(startWithin(150, 60, 50)).toBe(50)
    expect(startWithin(150, 100, 50)).toBe(50)
    expect(startWithin(150, 0, 50)).toBe(0)
    expect(startWithin(50, 60, 50)).toBe(50)
  })

  test('every row is on exactly one page', () => {
    const seen: number[] = []
    let offset: number | undefined = 0
    while (offset !== undefined) {
      const { first, last, next } = frameAt(offset, 203, 50)
      for (let row = first; row <= last; row++) seen.push(row)
      offset = next
    }
    expect(seen).toEqual(Array.from({ length: 203 }, (_, i) => i + 1))
  })
})
