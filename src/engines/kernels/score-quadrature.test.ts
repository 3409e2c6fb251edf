import { expect, it } from 'vitest'
import { emptyBelief } from '../../core/belief.ts'
import { dense } from '../../core/features.ts'
import { linearModel } from '../../core/model.ts'
import { hashIds, uniform } from '../../core/randomness.ts'
import { compensatedSum } from '../../core/sums.ts'
import { logistic } from '../../losses/logistic.ts'
import { strategies } from '../../strategies/catalogue.ts'
import { surveyCells } from './cell-survey.ts'
import { kernelBuild } from './kernels.ts'
import { type Cells, cellsFor } from './score-cells.ts'
import { censusOf, numbersPerCell, quadratureOf } from './score-quadrature.ts'
import { SlabPasses } from './slab-passes.ts'
import { byteSlabs, floatSlabs } from './slabs.ts'

const size = 20_000
const columns = 7
const features = dense(
  Float32Array.from({ length: size * columns }, (_, k) => 4 * uniform(5, 'x', `${k}`) - 2),
  columns,
)
const hashes = hashIds(Array.from({ length: size }, (_, row) => `${row}`))
const loaded = {
  floats: { slabs: floatSlabs(features, hashes)! },
  bytes: byteSlabs(features, hashes),
}

it.each([
  ['floats', 1],
  ['floats', 1e-3],
  ['floats', 1e-6], // ranks hang on the digits of scores that nearly vanish
  ['floats', 12],
  ['bytes', 1],
  ['bytes', 1e-3],
] as const)('the total is that of the masses that points are drawn by: %s, scores of about %d', async (form, scale) => {
  const model = linearModel({
    loss: 'logistic',
    classes: ['no', 'yes'],
    weights: [Array.from({ length: columns }, (_, j) => scale * Math.sin(j + 1))],
    intercepts: [0],
  })
  const passes = new SlabPasses(kernelBuild!, loaded[form])
  const cells = cellsFor(logistic)
  const quadrature = quadratureOf(await passes.tally(model, cells), cells)!
  expect(quadrature.points).toBe(size)
  const score = passes.floatScorer(model)
  for (const { mass } of [strategies.alis, strategies['alis-audit'], strategies['paper-all']]) {
    const census = censusOf(quadrature, logistic, mass)!
    const massOf = mass.settle(census)
    const { survey } = surveyCells(quadrature, { census, mass, massOf, loss: logistic, controls: [] })!
    const belief = emptyBelief(2)
    const sum = compensatedSum()
    const inexact = compensatedSum() // as if points were drawn by scores that are a trifle other
    for (let row = 0; row < size; row++) {
      logistic.read([score(row)], belief)
      sum.add(massOf(belief))
      logistic.read([score(row) * (1 + 1e-3)], belief)
      inexact.add(massOf(belief))
    }
    expect(Math.abs(survey.mass / sum.total() - 1)).toBeLessThan(1e-7)
    if (mass === strategies.alis.mass) expect(Math.abs(survey.mass / inexact.total() - 1)).toBeGreaterThan(1e-6)
  }
  passes.close()
})

/** The cell of a score as 32 bits, found by looking at all of them. */
function cellOf(score: number, { count, edges }: Cells): number {
  const size = Math.abs(score)
  let cell = 0
  while (cell + 1 < count && edges[cell + 1]! <= size) cell++
  return (score < 0 || Object.is(score, -0) ? 0 : count) + cell
}

it.each(['floats', 'bytes'] as const)(
  'tallies the very scores that points are drawn by, the odd rows at the end too: %s',
  async (form) => {
    const wide = 4099
    for (const columns of [1, 3, 8, 21]) {
      const values = Float32Array.from({ length: wide * columns }, (_, k) => 4 * uniform(6, 'x', `${k}`) - 2)
      const rows = dense(values, columns)
      const own = hashIds(Array.from({ length: wide }, (_, row) => `${row}`))
      const passes = new SlabPasses(kernelBuild!, form === 'floats' ? { slabs: floatSlabs(rows, own)! } : byteSlabs(rows, own))
      const weights = [Array.from({ length: columns }, (_, j) => Math.sin(j + 1))]
      const model = linearModel({ loss: 'logistic', classes: ['no', 'yes'], weights, intercepts: [0.01] })
      const cells = cellsFor(logistic)
      const [gathered] = await passes.tally(model, cells)
      const score = passes.floatScorer(model)
      const counts = new Map<number, number>()
      const spread = new Map<number, number>() // Σ of places: every bit of a score but the last four
      for (let row = 0; row < wide; row++) {
        const cell = cellOf(score(row), cells)
        counts.set(cell, (counts.get(cell) ?? 0) + 1)
        const place = (new Uint32Array(Float32Array.of(score(row)).buffer)[0]! >>> 4) & 0xffff
        spread.set(cell, (spread.get(cell) ?? 0) + place)
      }
      const found = Array.from({ length: gathered!.length / numbersPerCell }, (_, c) =>
        gathered!.subarray(numbersPerCell * c, numbersPerCell * c + 3),
      )
      expect(found.map(([cell, count, places]) => [cell, count, places])).toEqual(
        [...counts].sort(([a], [b]) => a - b).map(([cell, count]) => [cell, count, spread.get(cell)]),
      )
      passes.close()
    }
  },
)
