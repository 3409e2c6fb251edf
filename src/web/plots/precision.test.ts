import { describe, expect, it } from 'vitest'
import { rangeText, roughly, share, valueText } from './precision.ts'

const plain = (text: string | undefined) => text?.replaceAll('\u00a0', ' ')

describe('a measured share', () => {
  it('is as exact as its interval', () => {
    expect(plain(valueText({ value: 0.1012, low: 0.03, high: 0.27 }))).toBe('10 %')
    expect(plain(valueText({ value: 0.0473, low: 0.0311, high: 0.0702 }))).toBe('4.7 %')
    expect(plain(rangeText({ low: 0.0034, high: 0.27 }))).toBe('0.3 % to 27 %')
    expect(plain(rangeText({ low: 0.0311, high: 0.0702 }))).toBe('3.1 % to 7.0 %')
    expect(plain(rangeText({ low: 0.04128, high: 0.04611 }))).toBe('4.13 % to 4.61 %')
  })

  it('has no range without an interval', () => {
    expect(rangeText({ low: null, high: null })).toBeUndefined()
  })

  it('may be below zero, with a true minus, and never is a negative zero', () => {
    expect(plain(rangeText({ low: -0.0123, high: 0.0041 }))).toBe('−1.2 % to 0.4 %')
    expect(plain(share(-0.0001, 1))).toBe('0.0 %')
    expect(plain(share(-0.0051, 1))).toBe('−0.5 %')
  })
})

it.each([
  [7, '7'],
  [243, '240'],
  [1691, '1,700'],
])('a forecast of %s is about %s', (n, words) => expect(roughly(n)).toBe(words))
