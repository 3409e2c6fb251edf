import { describe, expect, it } from 'vitest'
import { dense, type FeatureRows } from '../core/features.ts'
import { uniform } from '../core/randomness.ts'
import { applied, build, rowsIn } from './features.contract.ts'
import { type Recipe, requireRecipe } from './recipe.ts'
import { blocksOf, learnSteps, rowWriter, withStepFeatures } from './steps.ts'

const rows = 300
const number = (row: number, column: string) => uniform(1, column, `${row}`)
const table = {
  a: Array.from({ length: rows }, (_, row) => number(row, 'a')),
  b: Array.from({ length: rows }, (_, row) => Math.exp(3 * number(row, 'b'))),
  c: Array.from({ length: rows }, (_, row) => (number(row, 'c') > 0.5 ? 'up' : 'down')),
}
const wish = { landmarks: 32, cuts: 8, bytes: 2 ** 30 }

function made(own = wish): { base: FeatureRows; recipe: Recipe; features: FeatureRows } {
  const { recipe: plain, features: base } = build(table)
  const recipe = learnSteps(plain, base, own)
  return { base, recipe, features: withStepFeatures(recipe, base) }
}

it('follows the features of the columns with those of landmarks and of cuts', () => {
  const { base, recipe, features } = made()
  expect(blocksOf(recipe)).toEqual({ base: base.columns, landmarks: 32, cuts: 16, isSparse: false })
  expect(features.columns).toBe(base.columns + 48)
  expect(rowsIn(features).map((row) => row.slice(0, base.columns))).toEqual(rowsIn(base))
})

it('has products of landmark features that are the similarities of landmarks themselves', () => {
  const { base, recipe, features } = made()
  const step = recipe.steps!.find(({ kind }) => kind === 'landmarks')
  if (step?.kind !== 'landmarks') throw new Error('landmarks are missing')
  const all = rowsIn(base)
  const at = step.rows.map((landmark) => all.findIndex((row) => row.every((value, j) => value === landmark[j])))
  const z = rowsIn(features).map((row) => row.slice(base.columns, base.columns + 32))
  for (const [i, a] of at.slice(0, 8).entries())
    for (const [j, b] of at.slice(0, 8).entries()) {
      const distance = step.rows[i]!.reduce((sum, value, k) => sum + (value - step.rows[j]![k]!) ** 2, 0)
      const product = z[a]!.reduce((sum, value, k) => sum + value * z[b]![k]!, 0) / step.length ** 2
      // Similarities K of landmarks come back as K (K + jitter)⁻¹ K, which is less by at most the jitter in every eigenvalue.
      expect(Math.abs(product - Math.exp(-step.gamma * distance))).toBeLessThan(2e-4)
    }
})

it('has γ = 1 / the median of squared distances, and landmarks that are different rows', () => {
  const { recipe } = made()
  const [step] = recipe.steps!
  if (step?.kind !== 'landmarks') throw new Error('landmarks are missing')
  const distances = step.rows.flatMap((a, i) =>
    step.rows.slice(0, i).map((b) => a.reduce((sum, x, k) => sum + (x - b[k]!) ** 2, 0)),
  )
  const below = distances.filter((distance) => distance < 1 / step.gamma).length
  expect(below).toBe(Math.floor(distances.length / 2))
  expect(new Set(step.rows.map(String)).size).toBe(32)
})

it('lights as many cuts as a value is above', () => {
  const { base, recipe, features } = made()
  const step = recipe.steps!.at(-1)
  if (step?.kind !== 'thermometer') throw new Error('cuts are missing')
  expect(step.cuts.map((cuts) => cuts.length)).toEqual([8, 8]) // and none for a category, which has two values
  const first = base.columns + 32
  for (const [i, row] of rowsIn(features).entries())
    for (const [f, feature] of step.features.entries()) {
      const lit = row.slice(first + 8 * f, first + 8 * (f + 1)).filter((value) => value === step.height).length
      expect(lit).toBe(step.cuts[f]!.filter((cut) => rowsIn(base)[i]![feature]! > cut).length)
    }
  const lit = rowsIn(features).map((row) => row.slice(first, first + 8).filter((value) => value > 0).length)
  for (let cut = 0; cut < 8; cut++) expect(lit.filter((count) => count > cut).length / rows).toBeCloseTo(1 - (cut + 0.5) / 8, 1)
}, 30_000)

it('is applied later to the last bit, from what is written down', () => {
  const { recipe, features } = made()
  const stored: Recipe = requireRecipe(JSON.parse(JSON.stringify(recipe)))
  expect(stored.version).toBe(2)
  const some = { a: table.a.slice(40, 47), b: table.b.slice(40, 47), c: table.c.slice(40, 47) }
  expect(applied(stored, some)).toEqual(rowsIn(features).slice(40, 47))
  const written = new Float32Array(3 * features.columns)
  rowWriter(stored, build(table).features)(written, 5)
  expect(rowsIn(dense(written, features.columns))).toEqual(rowsIn(features).slice(5, 8))
})

describe('takes no more than there is room and time for', () => {
  it.each([
    [
      { ...wish, landmarks: 256 },
      { landmarks: 128, cuts: 16 },
    ], // half of the rows at most
    [
      { ...wish, bytes: 4 * rows * 30 },
      { landmarks: 16, cuts: 0 },
    ],
    [
      { ...wish, bytes: 4 * rows * 20 },
      { landmarks: 0, cuts: 4 },
    ],
    [
      { landmarks: 0, cuts: 0, bytes: 2 ** 30 },
      { landmarks: 0, cuts: 0 },
    ],
  ])('%j', (own, expected) => {
    expect(blocksOf(made(own).recipe)).toMatchObject(expected)
  })

  it('halves landmarks where making them of all rows would take long', () => {
    const base = dense(
      new Float32Array(400_000).map((_, k) => Math.sin(k)),
      1,
    )
    const recipe: Recipe = {
      version: 1,
      rows: 400_000,
      width: 1,
      layout: 'dense',
      parts: [{ kind: 'number', column: 'a', mean: 0, scale: 1, indicator: false }],
    }
    expect(blocksOf(learnSteps(recipe, base, { landmarks: 256, cuts: 0, bytes: 2 ** 31 })).landmarks).toBe(64)
  })
})

it('leaves out what says nothing: cuts of constants, landmarks where all rows are alike', () => {
  const base = dense(new Float32Array(100).fill(2), 1)
  const recipe: Recipe = {
    version: 1,
    rows: 100,
    width: 1,
    layout: 'dense',
    parts: [{ kind: 'number', column: 'a', mean: 0, scale: 1, indicator: false }],
  }
  expect(learnSteps(recipe, base, wish)).toBe(recipe)
})

it('leaves sparse features as they are, and refuses recipes whose steps do not fit', () => {
  const { recipe } = made()
  const sparse: Recipe = { ...build(table).recipe, layout: 'sparse' }
  expect(learnSteps(sparse, build(table).features, wish)).toBe(sparse)
  expect(() => requireRecipe({ ...recipe, width: 7 })).toThrow('recipe: parts and steps must make 7 features, got 54')
  expect(() => requireRecipe({ ...recipe, version: 3 as 2 })).toThrow('recipe: version must be 1 or 2, got 3')
})
