import { expect, it } from 'vitest'
import { ticksAround, ticksWithin } from './ticks.ts'

it('ticks within a range are round numbers inside it', () => {
  expect(ticksWithin(10, 300, 6)).toEqual([50, 100, 150, 200, 250, 300])
  expect(ticksWithin(0, 1, 5)).toEqual([0, 0.2, 0.4, 0.6, 0.8, 1])
  expect(ticksWithin(3, 4000, 4)).toEqual([1000, 2000, 3000, 4000])
})

it('ticks around a range take in both ends', () => {
  expect(ticksAround(0.03, 0.41, 5)).toEqual([0, 0.1, 0.2, 0.3, 0.4, 0.5])
  expect(ticksAround(-7, 12, 4)).toEqual([-10, -5, 0, 5, 10, 15])
  expect(ticksAround(0, 0.3, 3)).toEqual([0, 0.1, 0.2, 0.3]) // and not 0.30000000000000004
})
