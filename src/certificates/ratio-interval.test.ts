import { describe, expect, it } from 'vitest'
import { uniform } from '../core/randomness.ts'
import type { RatioMetric } from '../metrics/catalogue.ts'
import { RatioInterval, type RatioTotals } from './ratio-interval.ts'

interface Point {
  readonly isPredicted: boolean
  readonly isTrue: boolean
  readonly chance: number
}

const ratioOf: Record<RatioMetric, (points: readonly Point[]) => number> = {
  precision: (points) =>
    share(
      points,
      (p) => p.isPredicted && p.isTrue,
      (p) => (p.isPredicted ? 1 : 0),
    ),
  recall: (points) =>
    share(
      points,
      (p) => p.isPredicted && p.isTrue,
      (p) => (p.isTrue ? 1 : 0),
    ),
  f1: (points) =>
    share(
      points,
      (p) => p.isPredicted && p.isTrue,
      (p) => ((p.isPredicted ? 1 : 0) + (p.isTrue ? 1 : 0)) / 2,
    ),
}

function share(points: readonly Point[], counts: (p: Point) => boolean, weight: (p: Point) => number): number {
  return points.filter(counts).length / points.reduce((sum, p) => sum + weight(p), 0)
}

function totalsOf(points: readonly Point[], masses: readonly number[]): RatioTotals {
  const part = (isPredicted: boolean) => {
    const own = points.map((point, k) => ({ ...point, mass: masses[k]! })).filter((point) => point.isPredicted === isPredicted)
    return {
      points: own.length,
      predictedLoss: own.reduce((sum, { chance }) => sum + chance, 0),
      predictedVariance: own.reduce((sum, { chance, mass }) => sum + (chance * (1 - chance)) / mass, 0),
      largestDown: Math.max(0, ...own.map(({ chance, mass }) => chance / mass)),
      largestUp: Math.max(0, ...own.map(({ chance, mass }) => (1 - chance) / mass)),
    }
  }
  return { mass: masses.reduce((a, b) => a + b, 0), positive: part(true), negative: part(false) }
}

const few: Point[] = [
  { isPredicted: true, isTrue: true, chance: 0.8 },
  { isPredicted: true, isTrue: false, chance: 0.6 },
  { isPredicted: false, isTrue: true, chance: 0.3 },
  { isPredicted: false, isTrue: false, chance: 0.1 },
  { isPredicted: true, isTrue: true, chance: 0.5 },
]
const masses = [1, 1.4, 0.9, 0.5, 1.2]

describe.each(['precision', 'recall', 'f1'] as const)('%s', (metric) => {
  const truth = ratioOf[metric](few)

  /** Every order of drawing all five points, with its probability. */
  function orders(visit: (order: number[], probability: number) => void): void {
    const walk = (order: number[], probability: number) => {
      if (order.length === few.length) return visit(order, probability)
      const left = few.map((_, i) => i).filter((i) => !order.includes(i))
      const mass = left.reduce((sum, i) => sum + masses[i]!, 0)
      for (const i of left) walk([...order, i], (probability * masses[i]!) / mass)
    }
    walk([], 1)
  }

  it('misses the truth, at any time, no more often than its level allows: over every order of the draws', () => {
    for (const level of [0.5, 0.8]) {
      let misses = 0
      orders((order, probability) => {
        const interval = new RatioInterval({ metric, poolSize: 5, level, tolerance: 0.2 })
        interval.round(totalsOf(few, masses))
        let isMissed = false
        for (const i of order) {
          interval.draw({ ...few[i]!, mass: masses[i]! })
          const { low, high } = interval.interval()
          if (low > truth + 1e-12 || high < truth - 1e-12) isMissed = true
        }
        if (isMissed) misses += probability
      })
      expect(misses).toBeLessThanOrEqual(1 - level)
    }
  })

  it('every wealth has mean 1 at the truth: over every order of the draws', () => {
    // A level so high that nothing is rejected; what the gamblers own shows in how often they would have won.
    const grid = Float64Array.of(truth)
    const means = [0, 0]
    orders((order, probability) => {
      const interval = new RatioInterval({ metric, poolSize: 5, level: 1 - 1e-12, tolerance: 0.2, grid })
      interval.round(totalsOf(few, masses))
      for (const i of order.slice(0, 4)) interval.draw({ ...few[i]!, mass: masses[i]! })
      const [lower, upper] = interval.wealthAt(truth)
      means[0]! += probability * lower
      means[1]! += probability * upper
    })
    for (const mean of means) expect(Math.abs(mean - 1)).toBeLessThan(1e-12)
  })

  it('closes in on a large pool, and covers both ways of reading "cannot tell"', () => {
    const pool = Array.from({ length: 4000 }, (_, i): Point => {
      const chance = uniform(5, 'chance', `${i}`) ** 4
      return { chance, isPredicted: chance > 0.4, isTrue: uniform(5, 'true', `${i}`) < chance }
    })
    const mass = pool.map(({ chance }) => 0.3 + 0.7 * Math.sqrt(chance))
    const order = pool.map((_, i) => i).sort((a, b) => key(a) - key(b))
    function key(i: number): number {
      return -Math.log(uniform(6, 'draw', `${i}`)) / mass[i]!
    }
    const sure = new RatioInterval({ metric, poolSize: 4000, tolerance: 0.05 })
    const unsure = new RatioInterval({ metric, poolSize: 4000, tolerance: 0.05 })
    for (const interval of [sure, unsure]) interval.round(totalsOf(pool, mass))
    for (const i of order.slice(0, 1500)) {
      sure.draw({ ...pool[i]!, mass: mass[i]! })
      unsure.draw({ ...pool[i]!, mass: mass[i]!, ...(uniform(7, 'unsure', `${i}`) < 0.1 && { isTrue: null }) })
    }
    const { low, high, value } = sure.interval()
    const exact = ratioOf[metric](pool)
    expect(low <= exact && exact <= high).toBe(true)
    expect(high - low).toBeLessThan(0.12)
    expect(Math.abs(value - exact)).toBeLessThan(0.05)
    expect(unsure.interval().low).toBeLessThanOrEqual(low)
    expect(unsure.interval().high).toBeGreaterThanOrEqual(high)
  })
})

it('refuses a metric it does not know and a draw before its round', () => {
  expect(() => new RatioInterval({ metric: 'auc' as RatioMetric, poolSize: 5 })).toThrow(
    'metric: precision, recall or f1 is required',
  )
  const interval = new RatioInterval({ metric: 'f1', poolSize: 5 })
  expect(() => interval.draw({ ...few[0]!, mass: 1 })).toThrow('draw: round() must come first')
})
