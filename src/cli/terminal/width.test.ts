import { expect, it } from 'vitest'
import { clipText, displayWidth, pad, wantsColor } from './width.ts'

it.each([
  ['plain', 5],
  ['née', 3],
  ['ne\u0301e', 3], // the accent as a character of its own
  ['漢字', 4],
  ['カナ', 4],
  ['ｶﾅ', 2], // the half-width forms
  ['Ａ！', 4], // the full-width forms
  ['한글', 4],
  ['🦆', 2],
  ['👩‍🔬', 2], // three characters, one picture
  ['● ○', 3],
  ['\x1b[31mred\x1b[39m', 3],
  ['', 0],
])('%s takes %d cells', (text, width) => {
  expect(displayWidth(text)).toBe(width)
})

it('pads by what is seen', () => {
  expect(pad('漢', 4)).toBe('漢  ')
  expect(pad('7', 3, 'right')).toBe('  7')
  expect(pad('long', 2)).toBe('long')
})

it('clips by what is seen', () => {
  expect(clipText('learning', 8)).toBe('learning')
  expect(clipText('learning', 5)).toBe('lear…')
  expect(clipText('漢字漢字', 4)).toBe('漢…')
  expect(clipText('abc', 0)).toBe('')
})

it('wants colour at a terminal only, and not against NO_COLOR', () => {
  expect(wantsColor({ isTTY: true }, {})).toBe(true)
  expect(wantsColor({ isTTY: true }, { NO_COLOR: '' })).toBe(true) // the convention: present and not empty
  expect(wantsColor({ isTTY: true }, { NO_COLOR: '1' })).toBe(false)
  expect(wantsColor({ isTTY: true }, { TERM: 'dumb' })).toBe(false)
  expect(wantsColor({ isTTY: false }, {})).toBe(false)
  expect(wantsColor({}, {})).toBe(false)
})
