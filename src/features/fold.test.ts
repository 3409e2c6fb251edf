import fc from 'fast-check'
import { expect, it } from 'vitest'
import { folder } from './fold.ts'

/** Folded characters as a text again: a space between words, brackets around words of one character. */
function folded(text: string, reused = folder()): string {
  const length = reused.fold(text)
  const shown = (code: number) => (code === 0 ? ' ' : code < 0 ? `[${String.fromCodePoint(-code)}]` : String.fromCodePoint(code))
  return Array.from(reused.codes.subarray(0, length), shown).join('')
}

/** Any characters at all, halves of pairs too. */
const anyText = fc
  .array(fc.oneof(fc.integer({ min: 0, max: 0x10ffff }), fc.integer({ min: 0, max: 0x250 })))
  .map((codes) => String.fromCodePoint(...codes))

it.each([
  ['lower case, and one boundary between words', 'Win  NOW!!', ' win now '],
  ['symbols by themselves', 'Win £5 + $7', ' win [£] 5 [+] [$] 7 '],
  ['punctuation at both ends', '...ok?', ' ok '],
  ['an apostrophe is a boundary', "don't", ' don t '],
  ['wide and joined forms', 'Ｆｒｅｅ ﬃ ①', ' free ffi 1 '],
  ['Greek, its last sigma too', 'ΟΔΟΣ', ' οδος '],
  ['Devanagari keeps its vowel signs', 'हिन्दी में', ' हिन्दी में '],
  ['right to left', 'שלום, عالم', ' שלום عالم '],
  ['Chinese and Japanese, character by character', '免費の iPhone', ' [免] [費] [の] iphone '],
  ['Thai in runs', 'สวัสดี', ' สวัสดี '],
  ['emoji, with or without variant, joiner and colour of skin', '❤️👍🏽ok', ' [❤] [👍] ok '],
  ['letters beyond 16 bits', '𐐀𐐨', ' 𐐨𐐨 '],
  ['half of a pair', 'a\ud800b', ' a b '],
  ['nothing', '', ' '],
  ['nothing but boundaries', ' \n\t!', ' '],
])('folds %s', (_, text, expected) => {
  expect(folded(text)).toBe(expected)
})

it('takes composed and decomposed accents for the same', () => {
  expect(folded('caf\u00e9')).toBe(folded('CAFE\u0301'))
  expect(folded('café')).not.toBe(folded('cafe'))
})

it('takes the Turkish İ for an i', () => {
  expect(folded('İSTANBUL')).toBe(' istanbul ')
})

it('folds a text to the same after any other', () => {
  const reused = folder()
  fc.assert(
    fc.property(anyText, (text) => {
      expect(folded(text, reused)).toBe(folded(text))
    }),
  )
})

it('begins and ends with a boundary, with never two in a row', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const one = folder()
      const length = one.fold(text)
      const codes = [...one.codes.subarray(0, length)]
      expect([codes[0], codes.at(-1)]).toEqual([0, 0])
      expect(codes.every((code, i) => code !== 0 || codes[i + 1] !== 0)).toBe(true)
    }),
  )
})
