import { describe, expect, it } from 'vitest'
import * as f from '../core/formula.ts'
import { uniform } from '../core/randomness.ts'
import { doubtPlace, sharePlace, stratumCodes } from '../core/strata.ts'
import { codesOfRows, columnsOf, type PredictionColumns, stratifyPredictions, widthOfColumns } from './prediction-strata.ts'

const slices = [5, 51]
const cases: [string, PredictionColumns][] = [
  ['a prediction', { classes: 3, models: 1, hasShare: false, probabilities: [], slices: [] }],
  ['a confidence', { classes: 2, models: 1, hasShare: true, probabilities: [], slices }],
  ['probabilities', { classes: 4, models: 1, hasShare: true, probabilities: [2, 0, 3], slices: [] }],
  ['many classes, two models', { classes: 40, models: 2, hasShare: true, probabilities: [...Array(40).keys()], slices: [7] }],
  ['several models', { classes: 3, models: 5, hasShare: false, probabilities: [], slices }],
  ['grades', { classes: 0, models: 0, hasShare: false, probabilities: [], slices, range: [-0.3, 0.7] }],
]

const unit = (i: number, what: string) => uniform(2, what, `${i}`)
const below = (n: number, i: number, what: string) => Math.floor(n * unit(i, what))
const share = (i: number, what: string) => Math.fround([0, 1, unit(i, what), unit(i, what) ** 20][below(4, i, `${what}?`)]!)

function valuesAt(i: number, { classes, models, hasShare, probabilities, range, slices: sizes }: PredictionColumns): number[] {
  const own = probabilities.length > 0 ? probabilities[below(probabilities.length, i, 'model 0')]! : below(classes, i, 'model 0')
  const others = Array.from({ length: Math.max(0, models - 1) }, (_, k) => below(classes, i, `model ${k + 1}`))
  return [
    ...(models > 0 ? [own, ...others] : []),
    ...(hasShare ? [share(i, 'share')] : []),
    ...probabilities.map((_, k) => share(i, `p${k}`)),
    ...(range ? [Math.fround(range[0] + (range[1] - range[0]) * unit(i, 'grade'))] : []),
    ...sizes.map((size, k) => below(size, i, `slice ${k}`)),
  ]
}

describe.each(cases)('strata of %s', (_, columns) => {
  const { code, express } = stratifyPredictions(columns)
  const names = Array.from({ length: widthOfColumns(columns) }, (_, k) => `c${k}`)
  const formula = express!(names.map(f.column))

  it('are the same by formula, for every point', () => {
    for (let i = 0; i < 500; i++) {
      const values = valuesAt(i, columns)
      expect(values).toHaveLength(names.length)
      const named = Object.fromEntries(values.map((value, k) => [names[k]!, value]))
      expect(f.evaluate(formula, named)).toBe(code(values))
    }
  })

  it('say what was put into them', () => {
    const { stratum } = stratumCodes(columns)
    for (let i = 0; i < 100; i++) {
      const values = valuesAt(i, columns)
      const own = stratum(code(values))
      expect(own.predicted).toEqual(values.slice(0, columns.models))
      expect(own.slices).toEqual(values.slice(values.length - columns.slices.length))
      if (columns.range) expect(Math.abs(own.grade + columns.range[0] - values[0]!)).toBeLessThanOrEqual(1 / 128 + 1e-6)
    }
  })
})

it('have the likeliest class after the predicted one, and its share of what that one leaves', () => {
  const [, columns] = cases[2]!
  const { code } = stratifyPredictions(columns)
  const at = (...values: number[]) => stratumCodes(columns).stratum(code(values))
  expect(at(2, 0.5, 0.5, 0.125, 0.375)).toMatchObject({ runnerUp: 3, runnerUpShare: 0.75, doubt: 0 })
  expect(at(0, 0.125, 0.5, 0.125, 0.375)).toMatchObject({ runnerUp: 2, runnerUpShare: sharePlace(4 / 7) / 8 })
  expect(at(2, 0.5, 0.5, 0.25, 0.25)).toMatchObject({ runnerUp: 0, runnerUpShare: 0.5 }) // the first of those that tie
  expect(at(2, 1, 1, 0, 0)).toMatchObject({ runnerUp: 0, runnerUpShare: 0 })
})

it('tell which class comes second where there are more than two', () => {
  const frame = { classes: ['a', 'b', 'c'], models: ['m'], slices: [{ column: 'x', values: ['1', '2'] }] }
  expect(columnsOf(frame, true, ['b', 'a'])).toEqual({
    classes: 3,
    models: 1,
    slices: [2],
    hasShare: true,
    probabilities: [1, 0],
  })
  expect(columnsOf({ ...frame, classes: ['a', 'b'] }, true, ['b', 'a']).probabilities).toEqual([])
  expect(columnsOf(frame, true, ['b']).probabilities).toEqual([])
})

/** How far the doubt of a confidence is from the next one that is rounded to another place, in logits. */
function distanceOf(confidence: number): number {
  const scaled = 16 * Math.log((1 - confidence) / confidence) + 0.5
  return Math.abs(scaled - Math.round(scaled)) / 16
}

it('no 32-bit confidence is so near to the next place that another logarithm would put it there', () => {
  const bits = new Uint32Array(1)
  const float = new Float32Array(bits.buffer)
  const least: number[] = []
  for (let place = -110; place <= 111; place++) {
    const edge = 1 / (1 + Math.exp((place - 0.5) / 16))
    float[0] = edge
    const near = [-1, 0, 1].map((step) => {
      bits[0]! += step
      const value = float[0]!
      bits[0]! -= step
      return value
    })
    const places = near.map((value) => doubtPlace(1 - value))
    expect(new Set(places).size).toBe(2)
    least.push(...near.map(distanceOf))
  }
  expect(Math.min(...least)).toBeGreaterThan(1e-12) // logarithms are right to 1e-15
})

it('finds the codes of rows in an order', () => {
  const [, columns] = cases[1]!
  const stratify = stratifyPredictions(columns)
  const table = Array.from({ length: 20 }, (_, i) => valuesAt(i, columns))
  const byColumn = table[0]!.map((_, k) => Float64Array.from(table, (row) => row[k]!))
  expect([...codesOfRows(stratify, byColumn, [7, 3, 3])]).toEqual([7, 3, 3].map((row) => stratify.code(table[row]!)))
})
