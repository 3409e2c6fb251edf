import { expect, it } from 'vitest'
import { earlierWords, isEarlier } from './earlier.ts'

it('a certificate of an earlier release is known by its format', () => {
  expect([isEarlier({ format: 'alis-certificate/1' }), isEarlier({ format: 2 })]).toEqual([true, false])
})

it.each([
  ['error', false],
  ['recall', true],
  ['f1', true],
] as const)('it cannot be verified, and says whether its interval held: %s', (metric, isWrong) => {
  expect(earlierWords(metric)).toMatch(/^From an earlier release; cannot be verified by this one\./)
  expect(earlierWords(metric).includes('did not hold')).toBe(isWrong)
})
