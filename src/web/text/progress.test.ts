import { describe, expect, it } from 'vitest'
import { capWords, healthOf } from './progress.ts'

describe('weights', () => {
  it.each([
    [12, 'Healthy'],
    [11.9, 'Thin'],
    [4, 'Thin'],
    [3.9, 'Poor'],
  ])('an effective size of %s in 40 answers is %s', (effectiveSize, word) => {
    expect(healthOf({ effectiveSize, answers: 40 })).toBe(word)
  })

  it('says what limits them', () => {
    expect(capWords(10)).toBe('At least 10\u00a0% of every draw is uniform, so no answer can count for more than 10.')
    expect(capWords(4.83)).toBe('At least 20\u00a0% of every draw is uniform, so no answer can count for more than 4.8.')
    expect(capWords(2.5)).toBe('At least 40\u00a0% of every draw is uniform, so no answer can count for more than 2.5.')
    expect(capWords(1)).toBe('Every draw is uniform, so every answer counts the same.')
    expect(capWords(undefined)).toBe('This strategy sets no limit to what one answer may count for.')
  })
})
