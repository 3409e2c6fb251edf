import { expect, it } from 'vitest'
import { standardise, standardiser } from './standardise.ts'

const unit = (j: number, width: number) => Float64Array.from({ length: width }, (_, i) => (i === j ? 1 : 0))

it('brings columns to mean 0 and variance 1, missing to the mean, constants to 0', () => {
  const values = Float32Array.of(1, 5, 7, 3, 5, Number.NaN, 5, 5, 9)
  const recipe = standardiser(['a', 'b', 'c'], values)
  const features = standardise(recipe, values)
  const column = (j: number) => [0, 1, 2].map((row) => features.dot(row, unit(j, 3)))
  const sd = Math.sqrt(8 / 3)
  expect(column(0)).toEqual([-2 / sd, 0, 2 / sd].map((x) => Math.fround(x)))
  expect(column(1)).toEqual([0, 0, 0])
  expect(column(2)).toEqual([-1, 0, 1])
})

it('a column with no value at all is 0 everywhere', () => {
  const values = Float32Array.of(Number.NaN, Number.NaN)
  expect(standardise(standardiser(['a'], values), values).dot(0, unit(0, 1))).toBe(0)
})

it('refuses a table without numbers', () => {
  expect(() => standardiser([], new Float32Array(0))).toThrow('features: at least one numeric column is required, got none')
})
