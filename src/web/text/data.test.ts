import { describe, expect, test } from 'vitest'
import { aboutPredictions, consequence, probabilityText, roundName, weightText, whenOf } from './data.ts'

describe('words of the data view', () => {
  test('a change says what becomes of it', () => {
    expect(consequence({ number: 6, purpose: 'learn', isOpen: true })).toBe(
      'Round 6 is still open, so this simply replaces your answer.',
    )
    expect(consequence({ number: 4, purpose: 'learn', isOpen: false })).toBe(
      'Round 4 is closed. The new answer becomes a new fact: the estimate is recomputed and marked “revised”.',
    )
    expect(consequence({ number: 2, purpose: 'audit', isOpen: true })).toMatch(/^Audit round 2 is still open/)
    expect(consequence({ number: 2, purpose: 'audit', isOpen: false })).toMatch(
      /certificates that rest on the old answer are void/,
    )
  })

  test('predictions say whose they are and what is hidden', () => {
    const asking = { kind: 'asking', purpose: 'learn', round: 5, number: 6, size: 40 } as const
    const learning = { purpose: 'learn', pool: 'digits.csv' } as const
    expect(aboutPredictions({ after: 5, hidden: 28 }, { ...learning, phase: asking })).toBe(
      'By the model after round 5, not certified. The 28 rows still to be answered in round 6 are hidden, so that no answer leans on a prediction.',
    )
    expect(aboutPredictions({ after: 5, hidden: 1 }, { ...learning, phase: asking })).toMatch(/The 1 row still .* is hidden/)
    expect(aboutPredictions({ after: 10, hidden: 0 }, { ...learning, phase: { kind: 'done' } })).toBe(
      'By the model after round 10, not certified.',
    )
    const audit = { purpose: 'audit', pool: 'guesses.csv', phase: { ...asking, purpose: 'audit', number: 2 } } as const
    expect(aboutPredictions({ after: 0, hidden: 3 }, audit)).toMatch(
      /^As they are in guesses.csv. The 3 rows without an answer are hidden/,
    )
  })

  test('rounds of learning and of auditing are told apart', () => {
    expect(roundName({ number: 6, purpose: 'learn' })).toBe('6')
    expect(roundName({ number: 2, purpose: 'audit' })).toBe('audit 2')
  })

  test('a time today is a time, an earlier one a date', () => {
    const now = new Date(2026, 7, 2, 12, 0, 0)
    expect(whenOf(new Date(2026, 7, 2, 10, 41, 8).toISOString(), now)).toBe('10:41:08')
    expect(whenOf(new Date(2026, 6, 30, 10, 41, 8).toISOString(), now)).toBe('30 Jul')
    expect(whenOf(new Date(2025, 6, 30, 10, 41, 8).toISOString(), now)).toBe('30 Jul 2025')
  })

  test('a weight is known at close, and some answers have none', () => {
    expect(weightText({ isOpen: true })).toBe('at close')
    expect(weightText({ isOpen: false })).toBe('none')
    expect(weightText({ isOpen: false, weight: 1.237 })).toBe('1.24')
  })

  test('a probability is never shown as 0 unless it is', () => {
    expect([0.00413, 0.0001, 0.00002, 1, 0.5].map(probabilityText)).toEqual(['0.0041', '0.0001', '2.0e-5', '1', '0.5000'])
  })
})
