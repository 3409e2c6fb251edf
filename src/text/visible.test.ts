import fc from 'fast-check'
import { expect, it } from 'vitest'
import { visible, visibleJson, visibleLines } from './visible.ts'

it('shows what a terminal would obey', () => {
  expect(visible('a\u001b[2Jb')).toBe('a\\x1b[2Jb')
  expect(visible('\u009b31m\u007f\u0000')).toBe('\\x9b31m\\x7f\\x00')
  expect(visible('spam\nVerified\r\t')).toBe('spam\\nVerified\\r\\t')
  expect(visible('\u202egpj.exe\u2066\u2028')).toBe('\\u202egpj.exe\\u2066\\u2028')
  expect(visible('naïve 日本 👩‍👩‍👧 שלום 3 %')).toBe('naïve 日本 👩‍👩‍👧 שלום 3 %')
  expect(visibleLines('a\nb\u0007')).toBe('a\nb\\x07')
})

it('leaves JSON to mean what it means', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const json = visibleJson(JSON.stringify({ text }))
      expect(JSON.parse(json)).toEqual({ text })
      expect(visible(json)).toBe(json)
    }),
  )
})
