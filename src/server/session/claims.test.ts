import { expect, it } from 'vitest'
import { pointClaims } from './claims.ts'

it('grants a point to one page only, until it claims others or leaves', () => {
  const claims = pointClaims({ isListening: () => true })
  expect(claims.claim('one', ['a', 'b'])).toEqual(['a', 'b'])
  expect(claims.claim('two', ['b', 'c'])).toEqual(['c'])
  expect(claims.isHeldElsewhere('a', 'two')).toBe(true)
  expect(claims.isHeldElsewhere('a', 'one')).toBe(false)
  expect(claims.claim('one', ['d'])).toEqual(['d'])
  expect(claims.claim('two', ['a', 'b', 'd'])).toEqual(['a', 'b'])
  expect(claims.release('one')).toBe(true)
  expect(claims.release('one')).toBe(false)
  expect(claims.claim('two', ['d'])).toEqual(['d'])
})

it('forgets a page that does not listen after a while', () => {
  let now = 0
  const listening = new Set(['here'])
  const claims = pointClaims({ isListening: (page) => listening.has(page), now: () => now })
  claims.claim('here', ['a'])
  claims.claim('gone', ['b'])
  now = 59_000
  expect(claims.claim('other', ['a', 'b'])).toEqual([])
  now = 61_000
  expect(claims.claim('other', ['a', 'b'])).toEqual(['b'])
})
