import { expect, it } from 'vitest'
import { count, percent, rounded, seconds } from './wording.ts'

it('writes shares as percentages', () => {
  expect([0.031, 1, 0, 0.00049].map((x) => percent(x))).toEqual(['3.1 %', '100.0 %', '0.0 %', '0.0 %'])
  expect([percent(0.1234, 0), percent(0.1234, 2)]).toEqual(['12 %', '12.34 %'])
})

it('groups the digits of counts', () => {
  expect([0, 999, 1797, 1e6].map(count)).toEqual(['0', '999', '1,797', '1,000,000'])
})

it.each([
  [5.1e5, '510,000'],
  [1.2e3, '1,200'],
  [1797, '1,800'],
  [4.6444, '4.64'],
  [-0.012345, '-0.0123'],
  [0, '0'],
  [5.1234e13, '5.12e13'],
  [-1e-7, '-1e-7'],
  [0.86, '0.86'],
])('rounds %d to %s', (x, text) => {
  expect(rounded(x)).toBe(text)
})

it.each([
  [0, '0 ms'],
  [0.0341, '34 ms'],
  [0.9996, '1.0 s'],
  [1.94, '1.9 s'],
  [9.96, '10 s'],
  [59.4, '59 s'],
  [59.6, '1 min'],
  [75, '1 min 15 s'],
  [3599.6, '1 h'],
  [7500, '2 h 5 min'],
])('writes %d seconds as %s', (s, text) => {
  expect(seconds(s)).toBe(text)
})
