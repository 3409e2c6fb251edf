import { expect, it } from 'vitest'
import { featureBuilder } from './builder.ts'
import { applied, build, describeFeatures, rowsIn } from './features.contract.ts'
import { rolesOf } from './roles.ts'

const colours = ['red', 'blue', null, 'red', 'green', 'blue', 'red', '']
const many = Array.from({ length: 12_000 }, (_, i) => `city ${i < 2000 ? i % 500 : i - 2000}`)

describeFeatures(
  'categories',
  { colour: colours, flag: colours.map((_, i) => `${i % 2 === 0}`) },
  { category: ['colour', 'flag'] },
)
describeFeatures('10,000 categories', { city: many.slice(0, 3000) }, { category: ['city'] })

it('has a feature for each value, one for all others, and one for missing', () => {
  const { recipe, features, names } = build({ colour: colours }, { category: ['colour'] })
  expect(names).toEqual(['colour = blue', 'colour = green', 'colour = red', 'colour other', 'colour missing'])
  expect(recipe.layout).toBe('dense')
  const ones = (rows: number[][]) =>
    rows.map((row) => row.flatMap((x, j) => (x === 1 ? [names[j]!.slice(7)] : x === 0 ? [] : [`${x}`])))
  expect(ones(rowsIn(features)).flat()).toEqual(['= red', '= blue', 'missing', '= red', '= green', '= blue', '= red', 'missing'])
  expect(ones(applied(recipe, { colour: ['pink', 'red', null] })).flat()).toEqual(['other', '= red', 'missing'])
})

it('gives the 1,000 most frequent of 10,000 values a feature each, and hashes the rest', () => {
  const { recipe, features } = build({ city: many }, { category: ['city'] }, { batch: 1000 })
  const part = recipe.parts[0]!
  if (part.kind !== 'category') throw new TypeError('a category was asked for')
  expect([recipe.layout, part.values.length, part.rest, recipe.width]).toEqual(['sparse', 1000, 1024, 2025])
  for (let i = 0; i < 500; i++) expect(part.values).toContain(`city ${i}`) // these came five times, the others once
  expect(part.values).toEqual([...part.values].sort())

  const rows = rowsIn(features.select([0, 1999, 9000, 11_999]))
  for (const row of rows) expect(row.filter((x) => x !== 0)).toEqual([1])
  const used = new Set(rowsIn(features.select(Array.from({ length: 2000 }, (_, i) => 9000 + i))).map((row) => row.indexOf(1)))
  expect(used.size).toBeGreaterThan(800) // 2,000 values spread over 1,024 features: 880 on average
})

it('is right when the source counted fewer values than there are', () => {
  const column = { name: 'c', kind: 'text', missing: 0, distinct: 1, meanLength: 1, examples: ['a'] } as const
  const builder = featureBuilder(rolesOf({ columns: [column], rows: 3 }, { category: ['c'] }), 3)
  builder.add({ start: 0, rows: 3, columns: [{ kind: 'text', values: ['a', 'b', 'c'] }] })
  expect(rowsIn(builder.finish().features)).toEqual([
    [1, 0, 0, 0, 0],
    [0, 1, 0, 0, 0],
    [0, 0, 1, 0, 0],
  ])
})
