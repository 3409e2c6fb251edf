import { expect, it } from 'vitest'
import { remainingMasses } from './draw.ts'
import { scaleFromLargest } from './inclusion-scale.ts'
import { compensatedSum, sumOf } from './sums.ts'

it('a sum keeps what is small beside what is large, whichever comes first', () => {
  expect(sumOf([1, 1e100, 1, -1e100])).toBe(2)
  expect(sumOf([1e100, 1, -1e100, 1])).toBe(2)
  expect(sumOf([])).toBe(0)
  const sum = compensatedSum()
  for (let k = 0; k < 1_000_000; k++) sum.add(0.1)
  expect(sum.total()).toBe(100_000)
})

it('every draw is taken from its own mass, those of the draws after it, and what none of them has', () => {
  expect([...remainingMasses([3, 2, 0.5], 10)]).toEqual([15.5, 12.5, 10.5])
  expect([...remainingMasses([1e-20, 1e20, 1], 0)]).toEqual([1e20, 1e20, 1])
  expect([...remainingMasses([], 4)]).toEqual([])
})

it('the scale that makes chances add up to what is expected caps the largest masses first', () => {
  expect(scaleFromLargest([1, 1], 8, 5)).toBeCloseTo(0.5, 15)
  // Two are certain at any scale that gives the rest one draw in all.
  const scale = scaleFromLargest([50, 20, 1], 3, 3)
  expect(scale).toBeCloseTo((3 - 2) / 4, 15)
  expect([50, 20, 1].reduce((sum, mass) => sum + Math.min(1, scale * mass), 3 * scale)).toBeCloseTo(3, 12)
  // One that just meets the cap may count either way.
  expect(scaleFromLargest([2, 1], 1, 2)).toBeCloseTo(0.5, 15)
})
