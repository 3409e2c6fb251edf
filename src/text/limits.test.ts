import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { betweenText, estimateText, fromToText, type Limits, levelText, limitTexts, type Unit, withDecimals } from './limits.ts'

const units: readonly Unit[] = ['share', 'points', 'number']
/** Numbers of all sizes, and round ones. */
const share = fc.oneof(
  fc.double({ min: 0, max: 1, noNaN: true }),
  fc.integer({ min: 0, max: 10_000 }).map((n) => n / 10_000),
  fc.double({ min: -12, max: 0, noNaN: true }).map((power) => 10 ** power),
  fc.double({ min: -12, max: 0, noNaN: true }).map((power) => 1 - 10 ** power),
)
const difference = fc.oneof(
  share,
  share.map((x) => -x),
)
const grade = fc.double({ min: -1000, max: 1000, noNaN: true })
const valuesOf = { share, points: difference, number: fc.oneof(difference, grade) }
const ordered = (value: fc.Arbitrary<number>) =>
  fc.tuple(value, value).map(([a, b]): Limits => ({ low: Math.min(a, b), high: Math.max(a, b) }))

/** What is read, in the unit of the limits. */
function read(text: string, unit: Unit): number {
  const decimal = text.replace('−', '-').replace(' %', '')
  return Number(unit === 'number' ? decimal : `${decimal}e-2`)
}

describe.each(units)('limits as a %s', (unit) => {
  const limits = ordered(valuesOf[unit])
  const decimals = fc.option(fc.integer({ min: 0, max: 4 }), { nil: undefined })
  const writingOf = (digits: number | undefined) => ({ unit, ...(digits !== undefined && { decimals: digits }) })

  it('hold the interval when they are read again', () => {
    fc.assert(
      fc.property(limits, decimals, (interval, digits) => {
        const { low, high } = limitTexts(interval, writingOf(digits))
        expect(read(low, unit)).toBeLessThanOrEqual(interval.low)
        expect(read(high, unit)).toBeGreaterThanOrEqual(interval.high)
        if (interval.low < interval.high) expect(low).not.toBe(high)
      }),
      { numRuns: 2000 },
    )
  })

  it('are no further out than one step of the last digit', () => {
    fc.assert(
      fc.property(limits, fc.integer({ min: 0, max: 4 }), (interval, digits) => {
        const rounding = 1e-12 // of the numbers themselves, below 1,000
        const step = 10 ** -digits / (unit === 'number' ? 1 : 100)
        const { low, high } = limitTexts(interval, writingOf(digits))
        expect(interval.low - read(low, unit)).toBeLessThan(step + rounding)
        expect(read(high, unit) - interval.high).toBeLessThan(step + rounding)
      }),
    )
  })

  it('with an estimate between them, also as it is printed', () => {
    fc.assert(
      fc.property(limits, decimals, fc.double({ min: 0, max: 1, noNaN: true }), (interval, digits, part) => {
        const value = Math.min(interval.high, interval.low + part * (interval.high - interval.low))
        const { low, high } = limitTexts(interval, writingOf(digits))
        const printed = read(estimateText(value, interval, writingOf(digits)).replace(' percentage points', ''), unit)
        expect(printed).toBeGreaterThanOrEqual(read(low, unit))
        expect(printed).toBeLessThanOrEqual(read(high, unit))
      }),
      { numRuns: 1000 },
    )
  })
})

it('0 % and 100 % are printed for limits that are, or are next to it on the inner side', () => {
  fc.assert(
    fc.property(ordered(share), (interval) => {
      const { low, high } = limitTexts(interval)
      expect(high).not.toMatch(interval.high > 0 ? /^0(\.0*)? %$/ : /^[1-9]/)
      expect(low).not.toMatch(interval.low < 1 ? /^100/ : /^[2-9]/)
      if (interval.low > 1e-5) expect(low).not.toMatch(/^0(\.0*)? %$/)
      if (interval.high < 1 - 1e-5) expect(high).not.toMatch(/^100/)
    }),
    { numRuns: 1000 },
  )
})

it.each<[Limits, string]>([
  [{ low: 0.0311, high: 0.0702 }, '3.1 % to 7.1 %'],
  [{ low: 0.04128, high: 0.04611 }, '4.12 % to 4.62 %'],
  [{ low: 0.07, high: 0.29 }, '7 % to 29 %'], // 100 × 0.07 is more than 7, 100 × 0.29 less than 29
  [{ low: 0.0034, high: 0.27 }, '0.3 % to 27 %'],
  [{ low: 0.0148, high: 0.27 }, '1.4 % to 27 %'],
  [{ low: 0.9512, high: 1 }, '95.1 % to 100 %'],
  [{ low: 0, high: 0.0004 }, '0 % to 0.04 %'],
  [{ low: 0.0004, high: 0.05 }, '0.04 % to 5.0 %'],
  [{ low: 1e-9, high: 0.05 }, '0 % to 5.0 %'],
  [{ low: 0.8, high: 0.9996 }, '80 % to 99.96 %'],
  [{ low: 0.8, high: 1 }, '80 % to 100 %'],
  [{ low: 1 / 3, high: 1 / 3 }, '33.33 % to 33.34 %'],
  [{ low: 0.25, high: 0.25 }, '25.00 % to 25.00 %'],
])('%o is printed as %s', (limits, text) => {
  expect(fromToText(limits)).toBe(text)
})

it('differences have a sign and are in percentage points', () => {
  expect(betweenText({ low: -0.0123, high: 0.0041 }, { unit: 'points' })).toBe('between −1.3 and +0.5 percentage points')
  expect(fromToText({ low: 0.0002, high: 0.04 }, { unit: 'points' })).toBe('+0.02 to +4.0 percentage points')
  expect(fromToText({ low: -0.25, high: -0.00003 }, { unit: 'points' })).toBe('−25 to −0.003 percentage points')
  expect(fromToText({ low: -0.051, high: 0 }, { unit: 'points' })).toBe('−5.1 to 0 percentage points')
  expect(fromToText({ low: -1, high: 1 }, { unit: 'points' })).toBe('−100 to +100 percentage points')
  expect(estimateText(-0.004, { low: -0.0123, high: 0.0041 }, { unit: 'points' })).toBe('−0.4 percentage points')
})

it('kappas and grades are plain numbers', () => {
  expect(fromToText({ low: 0.6149, high: 0.7401 }, { unit: 'number' })).toBe('0.61 to 0.75')
  expect(fromToText({ low: -0.031, high: 0.2 }, { unit: 'number' })).toBe('−0.04 to 0.20')
  expect(betweenText({ low: 3.417, high: 3.5021 }, { unit: 'number' })).toBe('between 3.417 and 3.503')
  expect(fromToText({ low: 0.61234, high: 0.61345 }, { unit: 'number' })).toBe('0.6123 to 0.6135')
  expect(fromToText({ low: 41.23, high: 58.9 }, { unit: 'number' })).toBe('41.2 to 58.9')
  expect(fromToText({ low: 95.5, high: 100 }, { unit: 'number' })).toBe('95.50 to 100.00')
  expect(fromToText({ low: -3, high: 212.5 }, { unit: 'number' })).toBe('−3 to 213')
  expect(estimateText(0.6789, { low: 0.6149, high: 0.7401 }, { unit: 'number' })).toBe('0.68')
})

it('certificates have a decimal at least', () => {
  expect(fromToText({ low: 0.1, high: 0.4321 }, withDecimals({ low: 0.1, high: 0.4321 }, 'share'))).toBe('10.0 % to 43.3 %')
  expect(fromToText({ low: 0.1, high: 0.1054 }, withDecimals({ low: 0.1, high: 0.1054 }, 'share'))).toBe('10.00 % to 10.54 %')
  expect(fromToText({ low: 0.1, high: 0.4321 }, withDecimals({ low: 0.1, high: 0.4321 }, 'number'))).toBe('0.10 to 0.44')
})

it('an estimate is rounded to the nearest', () => {
  expect(estimateText(0.0473, { low: 0.0311, high: 0.0702 })).toBe('4.7 %')
  expect(estimateText(0.0004, { low: 0, high: 0.05 })).toBe('0.04 %')
  expect(estimateText(0, { low: 0, high: 0.05 }, { decimals: 2 })).toBe('0 %')
})

it('a level is rounded down, and is never 100 %', () => {
  expect([0.95, 0.9, 0.999, 0.9995, 0.99999, 1 - 1e-9, 1 - 0.05 / 3].map(levelText)).toEqual([
    '95 %',
    '90 %',
    '99.9 %',
    '99.95 %',
    '99.999 %',
    '99.999 %',
    '98.333 %',
  ])
})
