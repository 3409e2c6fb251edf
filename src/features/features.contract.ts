import { describe, expect, it } from 'vitest'
import type { FeatureRows } from '../core/features.ts'
import { uniform } from '../core/randomness.ts'
import type { Cells, RowBatch, TableColumn } from '../core/rows.ts'
import { applyRecipe } from './apply.ts'
import { type BuiltFeatures, featureBuilder } from './builder.ts'
import type { WantedColumn } from './cells.ts'
import type { Recipe } from './recipe.ts'
import { rolesOf, type Wishes } from './roles.ts'

/** A column as a test writes it: numbers, texts or vectors, null where empty. */
export type MadeColumn = readonly (number | null)[] | readonly (string | null)[] | readonly (readonly number[] | null)[]

export type MadeTable = Readonly<Record<string, MadeColumn>>

/** What every way from columns to features owes, whatever is in the table. */
export function describeFeatures(name: string, table: MadeTable, wishes: Wishes): void {
  describe(name, () => {
    const rows = rowsOf(table)
    const places = shuffledRows(rows, 1)
    const shuffled = shuffledRows(rows, 2)

    it('gives the same recipe and features, to the last bit, for rows in any order', () => {
      const built = build(table, wishes, { places })
      const other = build(reordered(table, shuffled), wishes, { places: shuffled.map((row) => places[row]!), batch: 3 })
      expect(other.recipe).toEqual(built.recipe)
      expect(entriesIn(other.features)).toEqual(entriesIn(built.features))
    })

    it('gives the same features, to the last bit, when the stored recipe is applied later, in batches of any size', () => {
      const { recipe, features } = build(table, wishes)
      const stored: Recipe = JSON.parse(JSON.stringify(recipe))
      for (const batch of [1, 4, rows]) {
        const applied = applyRecipe(stored)
        const again = [...batchesOf(table, applied.wanted, batch)].flatMap((each) => entriesIn(applied.features(each)))
        expect(again).toEqual(entriesIn(features))
      }
    })

    it('names as many features as there are', () => {
      const { features, names, recipe } = build(table, wishes)
      expect([features.columns, names.length, new Set(names).size]).toEqual([recipe.width, recipe.width, recipe.width])
    })
  })
}

function shuffledRows(rows: number, seed: number): Int32Array {
  const lots = Array.from({ length: rows }, (_, row) => uniform(seed, 'shuffle', `${row}`))
  return Int32Array.from(lots.keys()).sort((a, b) => lots[a]! - lots[b]!)
}

export function build(
  table: MadeTable,
  wishes: Wishes = {},
  { places, batch = 5 }: { places?: Int32Array; batch?: number } = {},
): BuiltFeatures {
  const rows = rowsOf(table)
  const builder = featureBuilder(rolesOf({ columns: columnsOf(table), rows }, wishes), rows, places)
  for (const each of batchesOf(table, builder.wanted, batch)) builder.add(each)
  return builder.finish()
}

/** Features applied to a table of its own. */
export function applied(recipe: Recipe, table: MadeTable): number[][] {
  const { wanted, features } = applyRecipe(recipe)
  return [...batchesOf(table, wanted, 100)].flatMap((batch) => rowsIn(features(batch)))
}

export function rowsIn(features: FeatureRows): number[][] {
  return Array.from({ length: features.rows }, (_, row) => {
    const vector = new Float64Array(features.columns)
    features.addInPlace(row, 1, vector)
    return [...vector]
  })
}

/** What is not 0 in each row, as `feature:value`: short, also where features are many. */
function entriesIn(features: FeatureRows): string[] {
  const vector = new Float64Array(features.columns)
  return Array.from({ length: features.rows }, (_, row) => {
    vector.fill(0)
    features.addInPlace(row, 1, vector)
    let entries = ''
    for (let j = 0; j < vector.length; j++) if (vector[j] !== 0) entries += `${j}:${vector[j]} `
    return entries
  })
}

/** What a source would say of the columns. */
export function columnsOf(table: MadeTable): TableColumn[] {
  return Object.entries(table).map(([name, cells]) => {
    const filled = cells.filter((cell) => cell !== null)
    const written = filled.map((cell) => (typeof cell === 'string' ? cell : JSON.stringify(cell)))
    const first = filled[0]
    return {
      name,
      kind: typeof first === 'number' ? 'number' : Array.isArray(first) ? 'vector' : 'text',
      missing: cells.length - filled.length,
      distinct: new Set(written).size,
      meanLength: written.reduce((sum, text) => sum + text.length, 0) / Math.max(1, written.length),
      examples: written.slice(0, 5),
      ...(Array.isArray(first) && { width: first.length }),
    }
  })
}

function* batchesOf(table: MadeTable, wanted: readonly WantedColumn[], size: number): Generator<RowBatch> {
  for (let start = 0; start < rowsOf(table); start += size) {
    const columns = wanted.map(({ name, as }) => cellsOf(table[name]!.slice(start, start + size), as, widthOf(table[name]!)))
    yield { start, rows: Math.min(size, rowsOf(table) - start), columns }
  }
}

function cellsOf(cells: MadeColumn, as: WantedColumn['as'], width: number): Cells {
  if (as === 'text') return { kind: as, values: cells.map((cell) => (cell === null ? null : `${cell}`)) }
  if (as === 'number')
    return {
      kind: as,
      values: Float32Array.from(cells as readonly unknown[], (cell) => (cell === null ? Number.NaN : Number(cell))),
    }
  const missing = new Array<number>(width).fill(Number.NaN)
  return { kind: as, values: Float32Array.from(cells.flatMap((cell) => (cell as readonly number[] | null) ?? missing)), width }
}

function widthOf(cells: MadeColumn): number {
  const first = cells.find((cell) => cell !== null)
  return Array.isArray(first) ? first.length : 0
}

function rowsOf(table: MadeTable): number {
  return Object.values(table)[0]!.length
}

function reordered(table: MadeTable, order: Int32Array): MadeTable {
  return Object.fromEntries(
    Object.entries(table).map(([name, cells]) => [name, [...order].map((row) => cells[row]!) as MadeColumn]),
  )
}
