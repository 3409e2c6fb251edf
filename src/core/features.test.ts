import { describe, expect, it } from 'vitest'
import {
  compact,
  dense,
  type FeatureRows,
  gathered,
  leadingColumns,
  type SparseColumns,
  selected,
  sparse,
  squaredNorm,
  squaredNorms,
  usedColumns,
} from './features.ts'

const table = [
  [1, 0, 2],
  [0, -3, 0],
  [0.5, 4, -1],
  [0, 0, 0],
]
const whole = dense(Float64Array.from(table.flat()), 3)
const single = dense(Float32Array.from(table.flat()), 3)
const packed = sparse(
  {
    starts: Uint32Array.of(0, 2, 3, 6, 6),
    indices: Uint32Array.of(0, 2, 1, 0, 1, 2),
    values: Float64Array.of(1, 2, -3, 0.5, 4, -1),
  },
  3,
)
const all: [string, FeatureRows][] = [
  ['dense', whole],
  ['of 32 bits', single],
  ['sparse', packed],
  ['selected', selected(packed, [0, 1, 2, 3])],
  ['gathered', gathered([0, 1, 2, 3].map((row) => ({ block: row % 2 ? packed : whole, row })), 3)],
  ['compacted', compact([0, 1, 2, 3].map((row) => ({ block: single, row })), 3)],
  ['compacted and sparse', compact([0, 1, 2, 3].map((row) => ({ block: packed, row })), 3)],
] // biome-ignore format: one a line

/** The rows, as plain numbers. */
const rowsOf = (features: FeatureRows): number[][] =>
  Array.from({ length: features.rows }, (_, row) => {
    const vector = new Float64Array(features.columns)
    features.addInPlace(row, 1, vector)
    return [...vector]
  })

describe.each(all)('rows of features, %s', (_, features) => {
  it('are projected and added up', () => {
    expect([features.rows, features.columns]).toEqual([4, 3])
    expect(rowsOf(features)).toEqual(table)
    const vector = Float64Array.of(10, 100, 1000)
    expect(table.map((_, row) => features.dot(row, vector))).toEqual([2010, -300, -595, 0])
    features.addInPlace(2, -2, vector)
    expect([...vector]).toEqual([9, 92, 1002])
  })

  it('are chosen in any order', () => {
    const chosen = features.select([2, 0, 2])
    expect(rowsOf(chosen)).toEqual([table[2], table[0], table[2]])
    expect(rowsOf(chosen.select([1]))).toEqual([table[0]])
    expect(rowsOf(selected(features, Uint32Array.of(3, 2)))).toEqual([table[3], table[2]])
  })

  it('have leading columns of their own', () => {
    expect(rowsOf(leadingColumns(features, 2))).toEqual(table.map((row) => row.slice(0, 2)))
    expect(leadingColumns(features, 3)).toBe(features)
  })

  it('have lengths, and leave the room they are measured in as it was', () => {
    const room = new Float64Array(3)
    expect(squaredNorm(features, 2, room)).toBe(0.25 + 16 + 1)
    expect([...room]).toEqual([0, 0, 0])
    expect([...squaredNorms(features)]).toEqual([5, 9, 17.25, 0])
  })
})

it('rows keep the precision they have where they are chosen, and lie in one piece of 32 bits where they are compacted', () => {
  const valuesOf = ({ layout }: FeatureRows) => layout!.values.constructor
  expect([whole, single, packed].map((rows) => valuesOf(rows.select([0])))).toEqual([Float64Array, Float32Array, Float64Array])
  for (const block of [whole, packed]) expect(valuesOf(compact([{ block, row: 0 }], 3))).toBe(Float32Array)
  expect(compact([], 3).rows).toBe(0)
})

it('what is made of rows is as fast as they are, where an engine sees to that', () => {
  const made: FeatureRows[] = []
  const quicken = (rows: FeatureRows) => {
    made.push(rows)
    return rows
  }
  const leading = leadingColumns({ ...whole, quicken }, 1)
  const { features } = usedColumns({ ...packed, quicken }, packed.layout as SparseColumns)
  expect(made).toEqual([leading, features])
})

it('columns that have no entries can be left out', () => {
  const layout = { starts: Uint32Array.of(0, 2, 3), indices: Uint32Array.of(4, 1, 4), values: Float32Array.of(7, 8, 9) }
  const { used, features } = usedColumns(sparse(layout, 6), layout)
  expect([...used]).toEqual([1, 4])
  expect([0, 1].map((row) => features.dot(row, Float64Array.of(100, 1)))).toEqual([807, 9])
})

describe('rows are refused', () => {
  it('where values do not fill them', () => {
    expect(() => dense(new Float64Array(5), 3)).toThrow('dense: values must fill whole rows of 3 columns, got 5')
    expect(() => dense(new Float64Array(0), 0)).toThrow('dense: values must fill whole rows of 0 columns')
  })

  it('where they do not end with their entries', () => {
    const parts = { starts: Uint32Array.of(0, 1), indices: Uint32Array.of(0), values: Float64Array.of(1) }
    for (const wrong of [
      { starts: new Uint32Array(0) },
      { starts: Uint32Array.of(0, 2) },
      { values: Float64Array.of(1, 2) },
      { indices: Uint32Array.of(0, 1), values: Float64Array.of(1, 2) },
    ])
      expect(() => sparse({ ...parts, ...wrong }, 2)).toThrow('sparse: starts must end at the number of entries')
  })
})
