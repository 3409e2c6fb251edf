import { describe, expect, it } from 'vitest'
import { type Question, rawSpreadAt, spreadAt } from './question.ts'

describe('how the variance of a draw depends on F', () => {
  const question: Question = { kinds: [], range: [-1, 3], shape: 'product' }

  it('is the product of the ways to either end of the range', () => {
    expect(spreadAt(question, 0)).toBe(3)
    expect(rawSpreadAt({ ...question, shape: 'f1' }, 0)).toBe(6)
  })

  it('never comes nearer to 0 than a ten-thousandth of the square of the range', () => {
    for (const end of [-1, 3]) {
      expect(rawSpreadAt(question, end)).toBe(0)
      expect(spreadAt(question, end)).toBeCloseTo(16e-4, 12)
    }
  })
})
