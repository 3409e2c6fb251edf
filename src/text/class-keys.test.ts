import { expect, it } from 'vitest'
import { keyed, offeredKeys } from './class-keys.ts'

it('gives a digit its own key, and the others what is free', () => {
  const keysOf = (names: readonly string[]) =>
    keyed(names)
      .map(({ key }) => key)
      .join('')
  expect(keysOf(['0', '1', '2'])).toBe('012')
  expect(keysOf(['ham', 'spam'])).toBe('12')
  expect(keysOf(['2', 'two', 'one'])).toBe('213')
})

it('never gives two classes one key, nor one that means something else; none once all are taken', () => {
  const keys = keyed(Array.from({ length: offeredKeys.length + 5 }, (_, k) => `class ${k}`)).map(({ key }) => key)
  const given = keys.slice(0, offeredKeys.length)
  expect(new Set(given).size).toBe(offeredKeys.length)
  for (const key of ['u', 'g', 'h', 'p', ' ', '?']) expect(given).not.toContain(key)
  expect(given.every((key) => key.length === 1)).toBe(true)
  expect(keys.slice(offeredKeys.length)).toEqual(['', '', '', '', ''])
})
