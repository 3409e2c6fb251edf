import { describe, expect, it } from 'vitest'
import { levelPercentage, pageTexts, percentage, plusMinus, rangeText, valueText } from './shares.ts'

const plain = (text: string | undefined) => text?.replaceAll('\u00a0', ' ')

describe('a percentage', () => {
  it('has a no-break space before its sign', () => {
    expect(percentage(0.08)).toBe('8\u00a0%')
  })

  it('keeps a decimal where whole percents would say nothing', () => {
    expect([0.004, 0.014, 0.01, 0, 0.104].map((share) => plain(percentage(share)))).toEqual([
      '0.4 %',
      '1.4 %',
      '1 %',
      '0 %',
      '10 %',
    ])
  })

  it('may be below zero, with a true minus, and never is a negative zero', () => {
    expect(plain(rangeText({ low: -0.0123, high: 0.0041 }))).toBe('−1.3 % to 0.5 %')
    expect(plain(percentage(-0.0001, 1))).toBe('0.0 %')
    expect(plain(percentage(-0.0051, 1))).toBe('−0.5 %')
  })

  it('is written as people ask for it where it is a tolerance', () => {
    expect(plain(plusMinus(0.02))).toBe('±2 %')
    expect(plain(plusMinus(0.015))).toBe('±1.5 %')
    expect(plusMinus(0.25, 'number')).toBe('±0.25')
  })
})

describe('a measured share', () => {
  it('is as exact as its interval', () => {
    expect(plain(valueText({ value: 0.1012, low: 0.03, high: 0.27 }))).toBe('10 %')
    expect(plain(valueText({ value: 0.0473, low: 0.0311, high: 0.0702 }))).toBe('4.7 %')
    expect(plain(rangeText({ low: 0.0034, high: 0.27 }))).toBe('0.3 % to 27 %')
    expect(plain(rangeText({ low: 0.0114, high: 0.2361 }))).toBe('1 % to 24 %')
    expect(plain(rangeText({ low: 0.0311, high: 0.0702 }))).toBe('3.1 % to 7.1 %')
    expect(plain(rangeText({ low: 0.04128, high: 0.04611 }))).toBe('4.12 % to 4.62 %')
  })

  it('keeps numbers and their signs together, in its unit', () => {
    const measured = { value: -0.0044, low: -0.0123, high: 0.0041 }
    expect(pageTexts(measured)).toEqual({ value: '−0.4\u00a0%', low: '−1.3\u00a0%', high: '0.5\u00a0%', after: '' })
    expect(rangeText(measured, 'points')).toBe('−1.3 to +0.5 percentage points')
    expect(valueText(measured, 'points')).toBe('−0.4 percentage points')
    expect(levelPercentage(0.9999)).toBe('99.99\u00a0%')
  })

  it('has no range without an interval', () => {
    expect(rangeText({ low: null, high: null })).toBeUndefined()
  })
})
