import { expect, it } from 'vitest'
import { sliceValues } from './slice-values.ts'

it('gives every value a slice, the most frequent first and then by name', () => {
  const { names, values, placeOf } = sliceValues([['de', 2], ['en', 5], ['ar', 2], [null, 3]]) // biome-ignore format: pairs
  expect(names).toEqual(['en', '(empty)', 'ar', 'de'])
  expect(values).toEqual(['en', null, 'ar', 'de'])
  expect(['de', null, 'en'].map(placeOf)).toEqual([3, 1, 0])
  expect(sliceValues([['one', 7]]).names).toEqual(['one'])
})

it('puts all beyond fifty together as the last slice', () => {
  const { names, values, placeOf } = sliceValues(Array.from({ length: 53 }, (_, k) => [`v${k}`, 100 - k]))
  expect(names).toHaveLength(51)
  expect(names.slice(-2)).toEqual(['v49', 'others'])
  expect(values).toHaveLength(50)
  expect(['v49', 'v50', 'v52', 'never seen', null].map(placeOf)).toEqual([49, 50, 50, 50, 50])
  expect(sliceValues(Array.from({ length: 50 }, (_, k) => [`v${k}`, 1])).names).not.toContain('others')
})

it('keeps the rest and empty cells apart from values that are called so', () => {
  const many = Array.from({ length: 51 }, (_, k) => [`v${k}`, 1] as const)
  const { names, placeOf } = sliceValues([['others', 9], [null, 8], ['(empty)', 7], ['(others)', 6], ...many]) // biome-ignore format: pairs
  expect(names.slice(0, 4)).toEqual(['others', '((empty))', '(empty)', '(others)'])
  expect(names.at(-1)).toBe('((others))')
  expect(new Set(names).size).toBe(51)
  expect([null, '(empty)', 'others', 'v50'].map(placeOf)).toEqual([1, 2, 0, 50])
  expect(sliceValues([['(others)', 9], ...many]).names.at(-1)).toBe('others')
})

it('compares names by code points, as databases do', () => {
  const names = ['\u{1d4b3}', '\u{fb00}', 'b', 'ab', 'a', '\u{1d4b3}b', '\u{1d4b4}']
  expect(sliceValues(names.map((name) => [name, 1])).names).toEqual([
    'a',
    'ab',
    'b',
    '\u{fb00}',
    '\u{1d4b3}',
    '\u{1d4b3}b',
    '\u{1d4b4}',
  ])
})
