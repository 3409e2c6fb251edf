import { describe, expect, it } from 'vitest'
import type { ClosedRound } from '../../protocol/rounds.ts'
import { capWords, healthOf, progressOf } from './words.ts'

const strategy = { name: 'alis', title: 'Learn fast', summary: '', isRandom: true }
const first: ClosedRound = { round: 0, number: 1, strategy: 'alis', answers: 40, learnedFrom: 0 }
const estimate = { value: 0.1, low: 0.03, high: 0.27, level: 0.95, answers: 40, isRevised: false }
const second: ClosedRound = { round: 1, number: 2, strategy: 'alis', answers: 40, learnedFrom: 40, estimate }

describe('where a project stands', () => {
  it('has nothing to measure before the first model was asked about', () => {
    expect(progressOf({ rounds: [], strategy })).toEqual({ kind: 'empty', next: 1 })
    expect(progressOf({ rounds: [first], strategy })).toEqual({ kind: 'empty', next: 2 })
  })

  it('speaks of the newest round that has an estimate', () => {
    const third: ClosedRound = { ...second, round: 2, number: 3, strategy: 'uncertainty', estimate: undefined }
    expect(progressOf({ rounds: [first, second, third], strategy })).toEqual({ kind: 'measured', round: second })
  })

  it('promises no estimate to a strategy that cannot have one', () => {
    expect(progressOf({ rounds: [first], strategy: { ...strategy, name: 'uncertainty', isRandom: false } })).toEqual({
      kind: 'silent',
    })
  })
})

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
