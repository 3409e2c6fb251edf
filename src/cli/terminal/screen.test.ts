import { expect, it } from 'vitest'
import { wantsColor } from './screen.ts'

it('wants colour at a terminal only, and not against NO_COLOR', () => {
  expect(wantsColor({ isTTY: true }, {})).toBe(true)
  expect(wantsColor({ isTTY: true }, { NO_COLOR: '' })).toBe(true) // the convention: present and not empty
  expect(wantsColor({ isTTY: true }, { NO_COLOR: '1' })).toBe(false)
  expect(wantsColor({ isTTY: true }, { TERM: 'dumb' })).toBe(false)
  expect(wantsColor({ isTTY: false }, {})).toBe(false)
  expect(wantsColor({}, {})).toBe(false)
})
