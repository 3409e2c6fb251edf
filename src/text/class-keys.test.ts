import { expect, it } from 'vitest'
import { keyed, mostClasses } from './class-keys.ts'

it('gives a digit its own key, and the others what is free', () => {
  const keysOf = (names: readonly string[]) =>
    keyed(names)
      .map(({ key }) => key)
      .join('')
  expect(keysOf(['0', '1', '2'])).toBe('012')
  expect(keysOf(['ham', 'spam'])).toBe('12')
  expect(keysOf(['2', 'two', 'one'])).toBe('213')
})

it('never gives two classes one key, nor one that means something else', () => {
  const keys = keyed(Array.from({ length: mostClasses }, (_, k) => `class ${k}`)).map(({ key }) => key)
  expect(new Set(keys).size).toBe(mostClasses)
  for (const key of ['u', 'g', 'h', 'p', ' ', '?']) expect(keys).not.toContain(key)
  expect(keys.every((key) => key.length === 1)).toBe(true)
})
