import fc from 'fast-check'
import { expect, it } from 'vitest'
import { bootstrapPicks, percentileInterval } from './bootstrap.ts'
import { gridOf, meanCurve, onGrid } from './curves.ts'
import { areaUnder, labelFactor, labelsToReach } from './factor.ts'
import { averagePrecision, type Run } from './run.ts'

const grid = [10, 20, 30, 40]

it('finds where a curve comes down to a goal, between two points of it', () => {
  expect(labelsToReach(grid, [8, 6, 4, 2], 5)).toBe(25)
  expect(labelsToReach(grid, [8, 6, 4, 2], 6)).toBe(20)
  expect(labelsToReach(grid, [8, 6, 4, 2], 9)).toBe(10)
  expect(labelsToReach(grid, [8, 6, 4, 2], 1)).toBeUndefined()
  expect(labelsToReach(grid, [8, 4, 6, 2], 4)).toBe(20) // the first time counts
})

it('says how many times fewer labels are needed, or more', () => {
  const uniform = [8, 6, 4, 2]
  expect(labelFactor(grid, uniform, uniform)).toBe(1)
  expect(labelFactor(grid, [8, 2, 1, 1], uniform)).toBe(2)
  expect(labelFactor(grid, [2, 2, 2, 2], uniform)).toBe(4)
  expect(labelFactor(grid, [8, 8, 7, 6], uniform)).toBe(0.5) // what uniform knew after 20 of 40
  expect(labelFactor(grid, [9, 9, 9, 9], uniform)).toBe(0.25) // never better than uniform's start
})

it('is the other way round when the curves are exchanged, as long as both come down', () => {
  const falling = fc.array(fc.double({ min: 0.01, max: 1, noNaN: true }), { minLength: 4, maxLength: 4 })
  const curves = falling.map((steps) => steps.map((_, i) => steps.slice(i).reduce((a, b) => a + b)))
  fc.assert(
    fc.property(curves, curves, (a, b) => {
      const factor = labelFactor(grid, a, b)
      expect(factor).toBeGreaterThanOrEqual(0.25)
      expect(factor).toBeLessThanOrEqual(4)
      // The final error of the worse one is the goal both times, for whichever is the reference: so only "who wins" must agree.
      expect(Math.sign(Math.log(factor))).toBe(0 - Math.sign(Math.log(labelFactor(grid, b, a))))
    }),
  )
})

it('measures areas by trapezoids', () => {
  expect(areaUnder(grid, [1, 1, 1, 1])).toBe(30)
  expect(areaUnder([0, 2], [0, 1])).toBe(1)
})

it('compares at the start, after every batch, and at the budget', () => {
  expect(gridOf({ start: 10, batch: 20, budget: 60 })).toEqual([10, 30, 50, 60])
  expect(gridOf({ start: 10, batch: 10, budget: 30 })).toEqual([10, 20, 30])
})

it('takes the last model before, where batches are of random size', () => {
  const rounds = [10, 13, 13, 27, 42].map((labels, i) => ({ labels, error: i }))
  const run = { strategy: 'paper', split: 0, seed: 0, rounds } as unknown as Run
  expect([...onGrid(run, grid, ({ error }) => error)]).toEqual([0, 2, 3, 4])
})

it('means what was picked', () => {
  const curves = [Float64Array.of(1, 2), Float64Array.of(3, 6)]
  expect([...meanCurve(curves)]).toEqual([2, 4])
  expect([...meanCurve(curves, [1, 1])]).toEqual([3, 6])
})

it('draws splits with replacement: all alike, by hash', () => {
  const picks = bootstrapPicks(5, 7)
  expect(bootstrapPicks(5, 7)).toEqual(picks)
  expect(bootstrapPicks(5, 8)).not.toEqual(picks)
  const counts = [0, 1, 2, 3, 4].map((k) => picks.reduce((sum, pick) => sum + pick.filter((j) => j === k).length, 0))
  const total = picks.length * 5
  expect(counts.reduce((a, b) => a + b)).toBe(total)
  const spread = Math.sqrt(total * 0.2 * 0.8)
  for (const n of counts) expect(Math.abs(n - total / 5)).toBeLessThan(4.9 * spread) // one in a million
})

it('keeps the middle 95 of 100', () => {
  expect(percentileInterval(Array.from({ length: 1000 }, (_, i) => 999 - i))).toEqual({ low: 25, high: 974 })
  expect(percentileInterval([3])).toEqual({ low: 3, high: 3 })
})

it('averages precision as scikit-learn does', () => {
  // from sklearn.metrics import average_precision_score
  // average_precision_score([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])  →  0.8333333333333333
  expect(averagePrecision([0.1, 0.4, 0.35, 0.8], [false, false, true, true])).toBeCloseTo(0.8333333333333333, 15)
  expect(averagePrecision([0.5, 0.5, 0.5, 0.5], [true, false, false, false])).toBe(0.25) // ties stand together
  expect(averagePrecision([0.9, 0.1], [false, false])).toBeNull()
})
