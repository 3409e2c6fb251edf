import { expect, it } from 'vitest'
import { pick } from './pick.ts'

it('takes what is named, in the order of the names, and leaves out what is undefined', () => {
  const object: { a?: number | undefined; b: null; c: number; d: number } = { a: undefined, d: 0, c: 3, b: null }
  expect(Object.entries(pick(object, 'a', 'b', 'd'))).toEqual([
    ['b', null],
    ['d', 0],
  ])
})
