import { expect, it } from 'vitest'
import { claimBook } from './claims.ts'

it('grants a point to one page only, until it claims others or leaves', () => {
  const book = claimBook({ isListening: () => true })
  expect(book.claim('one', ['a', 'b'])).toEqual(['a', 'b'])
  expect(book.claim('two', ['b', 'c'])).toEqual(['c'])
  expect(book.isHeldElsewhere('a', 'two')).toBe(true)
  expect(book.isHeldElsewhere('a', 'one')).toBe(false)
  expect(book.claim('one', ['d'])).toEqual(['d'])
  expect(book.claim('two', ['a', 'b', 'd'])).toEqual(['a', 'b'])
  expect(book.release('one')).toBe(true)
  expect(book.release('one')).toBe(false)
  expect(book.claim('two', ['d'])).toEqual(['d'])
})

it('forgets a page that does not listen after a while', () => {
  let now = 0
  const listening = new Set(['here'])
  const book = claimBook({ isListening: (page) => listening.has(page), now: () => now })
  book.claim('here', ['a'])
  book.claim('gone', ['b'])
  now = 59_000
  expect(book.claim('other', ['a', 'b'])).toEqual([])
  now = 61_000
  expect(book.claim('other', ['a', 'b'])).toEqual(['b'])
})
