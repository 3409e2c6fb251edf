import { expect, it } from 'vitest'
import { verdict } from './demo.ts'

it('says how many labels the default needed for what uniform draws reached at the end', () => {
  const uniform: [number, number][] = [
    [10, 0.4],
    [200, 0.125],
    [300, 0.125],
  ]
  const after = (error: number): [number, number][] => [[10, 0.4], ...[150, 200, 300].map((n): [number, number] => [n, error])]
  expect(verdict(after(0.125), uniform)).toBe('Uniform draws reach 12.5 % with 300 labels; alis is there after 150.')
  expect(verdict(after(0.126), uniform)).toBe('Uniform draws reach 12.5 % with 300 labels; alis did not get there this time.')
})
