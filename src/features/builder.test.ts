import fc from 'fast-check'
import { expect, it } from 'vitest'
import { compensatedSum } from '../core/sums.ts'
import { applyRecipe } from './apply.ts'
import { featureBuilder } from './builder.ts'
import { applied, build, columnsOf, describeFeatures, rowsIn } from './features.contract.ts'
import { rolesOf } from './roles.ts'

const numbers = Array.from({ length: 50 }, (_, i) => Math.fround(Math.sin(i * 12.9898) * 1e4))
const holes = numbers.map((x, i) => (i % 7 === 0 ? null : x / 3))
const vectors = numbers.map((x, i) => (i % 9 === 4 ? null : [x, i, 1 / (i + 1)]))

describeFeatures('numbers', { a: numbers, b: numbers.map((x) => x ** 2) }, {})
describeFeatures('numbers with holes', { a: numbers, b: holes }, {})
describeFeatures('vectors', { v: vectors, a: numbers }, {})
describeFeatures('everything dense', { kind: numbers.map((x) => (x > 0 ? 'up' : 'down')), v: vectors, a: holes, b: numbers }, {})

it('standardises numbers, the missing to the mean and an indicator to 1', () => {
  const { recipe, features, names } = build({ a: [1, 3, 5], b: [7, null, 9] })
  const root = Math.sqrt(8 / 3)
  expect(names).toEqual(['a', 'b', 'b missing'])
  expect(rowsIn(features)).toEqual(
    [
      [-2 / root, -1, 0],
      [0, 0, 1],
      [2 / root, 1, 0],
    ].map((row) => row.map(Math.fround)),
  )
  expect(recipe).toEqual({
    version: 1,
    rows: 3,
    width: 3,
    layout: 'dense',
    parts: [
      { kind: 'number', column: 'a', mean: 3, scale: 1 / root, indicator: false },
      { kind: 'number', column: 'b', mean: 8, scale: 1, indicator: true },
    ],
  })
})

it('sums every column in the order of the rows, compensated', () => {
  fc.assert(
    fc.property(fc.array(fc.float({ noNaN: true, min: -1e6, max: 1e6 }), { minLength: 5, maxLength: 60 }), (values) => {
      fc.pre(new Set(values).size > 1)
      const meanOf = (f: (x: number) => number) => {
        const sum = compensatedSum()
        for (const value of values) sum.add(f(value))
        return sum.total() / values.length
      }
      const mean = meanOf((x) => x)
      const variance = meanOf((x) => (x - mean) ** 2)
      const { recipe } = build({ a: values, b: numbers.slice(0, values.length) }, { number: ['a'] })
      const scale = variance <= 1e-14 * mean * mean ? 0 : 1 / Math.sqrt(variance)
      expect(recipe.parts[0]).toEqual({ kind: 'number', column: 'a', mean, scale, indicator: false })
    }),
  )
})

it('makes zeros of a constant column that was asked for', () => {
  const { features } = build({ a: [0.1, 0.1, 0.1], b: [1, 2, 3] }, { features: ['a', 'b'] })
  expect(rowsIn(features).map((row) => row[0])).toEqual([0, 0, 0])
})

it('centres vectors and brings them to one mean length, without touching their proportions', () => {
  const { features, recipe } = build({ v: [[3, 0], [-3, 0], [0, 1], [0, -1], null] })
  const scale = 5 / Math.sqrt((9 + 9 + 1 + 1) / 4)
  expect(recipe.parts).toEqual([{ kind: 'vector', column: 'v', means: [0, 0], scale, indicator: true }])
  const f = Math.fround
  expect(rowsIn(features)).toEqual([
    [f(3 * scale), 0, 0],
    [f(-3 * scale), 0, 0],
    [0, f(scale), 0],
    [0, f(-scale), 0],
    [0, 0, 1],
  ])
})

it('keeps vectors of 5,000 numbers dense', () => {
  const wide = Array.from({ length: 20 }, (_, i) => Array.from({ length: 5000 }, (_, j) => Math.fround(Math.cos(i * j))))
  const { recipe, features } = build({ v: wide })
  expect([recipe.layout, features.columns]).toEqual(['dense', 5000])
  const total = rowsIn(features).reduce((sum, row) => sum + row.reduce((a, x) => a + x * x, 0), 0)
  expect(total / 20).toBeCloseTo(25, 4)
})

it('needs no second array for dense features', () => {
  const rows = 200_000
  const a = { kind: 'number', values: Float32Array.from({ length: rows }, (_, i) => i % 17) } as const
  const b = { kind: 'number', values: Float32Array.from({ length: rows }, (_, i) => (i % 5 === 0 ? Number.NaN : i)) } as const
  const place = Int32Array.from({ length: rows }, (_, row) => rows - 1 - row)
  const columns = columnsOf({ a: [1, 2.5, 3], b: [1, null, 3] })
  const before = process.memoryUsage().arrayBuffers
  const builder = featureBuilder(rolesOf({ columns, rows }, { number: ['a', 'b'] }), rows, place)
  builder.add({ start: 0, rows, columns: [a, b] })
  const { features } = builder.finish()
  const made = process.memoryUsage().arrayBuffers - before
  expect(features.columns).toBe(3)
  expect(made / (4 * rows * 3)).toBeLessThan(1.2)
})

it('leaves out rows without a place, and learns nothing from them', () => {
  const places = Int32Array.of(1, -1, 0, 2)
  const { features, recipe } = build({ a: [3, 1000, 1, 5], c: ['x', 'y', 'z', 'x'] }, { category: ['c'] }, { places })
  const without = build({ a: [1, 3, 5], c: ['z', 'x', 'x'] }, { category: ['c'] })
  expect(recipe).toEqual(without.recipe)
  expect(rowsIn(features)).toEqual(rowsIn(without.features))
})

it('takes a value missing for the first time as the mean, or as an unknown category', () => {
  const { recipe } = build({ a: [1, 3], c: ['x', 'y'] }, { category: ['c'] })
  expect(applied(recipe, { a: [null, 3], c: [null, 'q'] })).toEqual([
    [0, 0, 0, 0, 1],
    [1, 0, 0, 1, 0],
  ])
})

it.each([
  [
    'an infinite number',
    { kind: 'number', values: Float32Array.of(1, Number.POSITIVE_INFINITY) },
    'a: a number must be finite, got Infinity in row 2',
  ],
  ['cells of another kind', { kind: 'text', values: ['1', '2'] }, 'a: cells of kind number were asked for, got text'],
] as const)('refuses %s, when learning and later', (_, cells, message) => {
  const roles = rolesOf({ columns: columnsOf({ a: [1, 2] }), rows: 2 })
  const batch = { start: 0, rows: 2, columns: [cells] }
  expect(() => featureBuilder(roles, 2).add(batch)).toThrow(message)
  expect(() => applyRecipe(build({ a: [1, 2] }).recipe).features(batch)).toThrow(message)
})

it('refuses vectors of another width or with a hole', () => {
  const { recipe } = build({
    v: [
      [1, 2],
      [3, 4],
    ],
  })
  const { features } = applyRecipe(recipe)
  const vectors = (values: Float32Array, width: number) => ({
    start: 9,
    rows: 1,
    columns: [{ kind: 'vector', values, width }] as const,
  })
  expect(() => features(vectors(Float32Array.of(1, 2, 3), 3))).toThrow('v: every value must be a list of 2 numbers, got 3')
  expect(() => features(vectors(Float32Array.of(1, Number.NaN), 2))).toThrow(
    'v: every number of a list must be there and finite, got NaN in row 10',
  )
  expect(() => features(vectors(Float32Array.of(Number.NaN, 1), 2))).toThrow('got NaN in row 10')
})

it('refuses places that are not a permutation, rows left over, an empty table, and a recipe from the future', () => {
  const roles = rolesOf({ columns: columnsOf({ a: [1, 2] }), rows: 2 })
  expect(() => featureBuilder(roles, 2, Int32Array.of(0, 0))).toThrow('place: every number below 2 is required once')
  expect(() => featureBuilder(roles, 2, Int32Array.of(0, 2))).toThrow('place: every number below 2 is required once')
  expect(() => featureBuilder(roles, 3, Int32Array.of(0, 1))).toThrow('place: one for each of 3 rows is required, got 2')
  expect(() => featureBuilder(roles, 2).finish()).toThrow('features: 2 rows of the source are required, got 0')
  expect(() => featureBuilder(roles, 0)).toThrow('features: at least one row to learn from is required, got none')
  const { recipe } = build({ a: [1, 2] })
  expect(() => applyRecipe({ ...recipe, version: 3 as 1 })).toThrow('recipe: version must be 1 or 2, got 3')
})

it('says so when nothing comes of the texts', () => {
  const message = 'features: at least one must come of the columns, got none of body'
  expect(() => build({ body: ['abc', 'xyz'] }, { text: ['body'] })).toThrow(message)
  expect(() => build({ body: ['!', '?'] }, { text: ['body'] })).toThrow(message)
})
