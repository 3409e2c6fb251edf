import { describe, expect, it } from 'vitest'
import { uniform } from '../core/randomness.ts'
import type { RatioMetric } from '../metrics/catalogue.ts'
import { momentsOf, type Question, totalsOver, type Worth } from './question.ts'
import { QuestionInterval } from './question-interval.ts'
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
      mass: own.reduce((sum, { mass }) => sum + mass, 0),
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

/** What a point adds to numerator and denominator, by its prediction and its answer. */
const worthOf: Record<RatioMetric, (predicted: number, answer: number) => Worth> = {
  precision: (predicted, answer) => ({ num: predicted * answer, den: predicted }),
  recall: (predicted, answer) => ({ num: predicted * answer, den: answer }),
  f1: (predicted, answer) => ({ num: 2 * predicted * answer, den: predicted + answer }),
}
/** Right less often than it is believed to be. */
const size = 150
const many = Array.from({ length: size }, (_, i) => {
  const chance = 0.1 + (0.8 * ((7 * i) % size)) / size
  return { isPredicted: i % 3 > 0, isTrue: chance > 0.5 === i % 4 > 0, chance, mass: 0.4 + ((11 * i) % size) / size }
})

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
    const grid = Float64Array.from({ length: 49 }, (_, k) => (k + 1) / 50)
    for (const level of [0.4, 0.8]) {
      let misses = 0
      orders((order, probability) => {
        const interval = new RatioInterval({ metric, poolSize: 5, level, tolerance: 0.2, grid })
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

  it('takes "cannot tell" at its worst for either limit, once everything else is told', () => {
    const interval = new RatioInterval({ metric, poolSize: 5, level: 0.95 })
    interval.round(totalsOf(few, masses))
    for (const [i, point] of few.entries()) interval.draw({ ...point, isTrue: i === 1 ? null : point.isTrue, mass: masses[i]! })
    const read = (isTrue: boolean) => ratioOf[metric](few.with(1, { ...few[1]!, isTrue }))
    expect(interval.interval().low).toBeCloseTo(read(false), 9)
    expect(interval.interval().high).toBeCloseTo(read(true), 9)
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
    for (const mean of means) expect(mean).toBeCloseTo(1, 9) // the floor under the reach leaves a few units of rounding
  })

  it('closes in on a large pool, and covers both ways of reading "cannot tell"', () => {
    const size = 1000
    const pool = Array.from({ length: size }, (_, i): Point => {
      const chance = uniform(5, 'chance', `${i}`) ** 3
      return { chance, isPredicted: chance > 0.4, isTrue: uniform(5, 'true', `${i}`) < chance }
    })
    const mass = pool.map(({ chance }) => 0.3 + 0.7 * Math.sqrt(chance))
    const key = pool.map((_, i) => -Math.log(uniform(6, 'draw', `${i}`)) / mass[i]!)
    const order = pool.map((_, i) => i).sort((a, b) => key[a]! - key[b]!)
    const sure = new RatioInterval({ metric, poolSize: size, tolerance: 0.06 })
    const unsure = new RatioInterval({ metric, poolSize: size, tolerance: 0.06 })
    for (const interval of [sure, unsure]) interval.round(totalsOf(pool, mass))
    const before = sure.forecast(0.06)!
    for (const [k, i] of order.slice(0, 500).entries()) {
      sure.draw({ ...pool[i]!, mass: mass[i]! })
      unsure.draw({ ...pool[i]!, mass: mass[i]!, ...(k % 10 === 0 && { isTrue: null }) })
    }
    const { low, high, value, state, answers } = sure.interval()
    const exact = ratioOf[metric](pool)
    expect(low <= exact && exact <= high).toBe(true)
    expect(high - low).toBeLessThan(0.16)
    expect(Math.abs(value - exact)).toBeLessThan(0.05)
    expect([state, answers]).toEqual(['defined', 500])
    expect(unsure.interval().low).toBeLessThanOrEqual(low)
    expect(unsure.interval().high).toBeGreaterThanOrEqual(high)
    expect(sure.forecast(0.06)!.answers).toBeLessThan(before.answers)
  })

  it('is the truth once everything is drawn', () => {
    const interval = new RatioInterval({ metric, poolSize: 5 })
    interval.round(totalsOf(few, masses))
    for (const [i, point] of few.entries()) interval.draw({ ...point, mass: masses[i]! })
    const { value, low, high, state } = interval.interval()
    for (const said of [value, low, high]) expect(said).toBeCloseTo(truth, 12)
    expect(state).toBe('known')
  })

  it('is the interval of the question, from totals that are put together from its parts', () => {
    const question: Question = {
      kinds: [0, 1].map((p) => [0, 1].map((y) => worthOf[metric](p, y))),
      range: [0, 1],
      shape: metric === 'f1' ? 'f1' : 'product',
    }
    const own = new RatioInterval({ metric, poolSize: size, level: 0.9, tolerance: 0.1 })
    const plan = { kind: 'tolerance', tolerance: 0.1 } as const
    const counts = [0, 1].map((kind) => many.filter(({ isPredicted }) => isPredicted === (kind === 1)).length)
    const asked = new QuestionInterval({ question, counts, lower: 0.05, upper: 0.05, plan })
    const beliefOf = ({ isPredicted, chance }: Point) => momentsOf(question.kinds[isPredicted ? 1 : 0]!, [1 - chance, chance])
    for (let drawn = 0; drawn < 60; drawn += 30) {
      const left = many.slice(drawn)
      const totals = totalsOver(question)
      for (const point of left) totals.add(point.isPredicted ? 1 : 0, point.mass, beliefOf(point))
      const allMass = left.reduce((sum, { mass }) => sum + mass, 0)
      asked.round(totals.totals(), { allMass, drawn, isPlain: false })
      own.round(
        totalsOf(
          left,
          left.map(({ mass }) => mass),
        ),
      )
      for (const point of left.slice(0, 30)) {
        const kind = point.isPredicted ? 1 : 0
        own.draw(point)
        asked.draw({ kind, mass: point.mass, belief: beliefOf(point), worth: question.kinds[kind]![point.isTrue ? 1 : 0]! })
        const [said, wanted] = [own.interval(), asked.answer()]
        for (const name of ['value', 'low', 'high'] as const) expect(said[name]).toBeCloseTo(wanted[name]!, 9)
      }
      expect(own.forecast(0.05)!.answers).toBe(asked.forecast(0.05)!.answers)
    }
    const { limits } = asked
    expect(limits.lower.value).toBeGreaterThan(0)
    expect(limits.upper.value).toBeLessThan(1)
  })

  it('needs the same of a round whether points are added up or parts are', () => {
    const direct = new RatioInterval({ metric, poolSize: 5, level: 0.5 })
    direct.round(totalsOf(few, masses))
    const second = new RatioInterval({ metric, poolSize: 5, level: 0.5 })
    second.round(totalsOf(few, masses))
    direct.draw({ ...few[0]!, mass: masses[0]! })
    second.draw({ ...few[0]!, mass: masses[0]! })
    const left = few.slice(1)
    second.round(totalsOf(left, masses.slice(1))) // as it is anyway: the same masses, and what is left of them
    for (const i of [1, 2]) {
      direct.draw({ ...few[i]!, mass: masses[i]! })
      second.draw({ ...few[i]!, mass: masses[i]! })
    }
    expect(second.interval().low).toBeCloseTo(direct.interval().low, 9)
    expect(second.interval().high).toBeCloseTo(direct.interval().high, 9)
  })
})

it('says whether there is anything to divide by', () => {
  const none = few.map((point) => ({ ...point, isTrue: false }))
  const interval = new RatioInterval({ metric: 'recall', poolSize: 5 })
  expect(interval.interval()).toEqual({ value: 0.5, low: 0, high: 1, level: 0.95, answers: 0, state: 'if any' })
  expect(interval.forecast(0.1)).toBeUndefined()
  interval.round(totalsOf(none, masses))
  for (const [i, point] of none.entries()) interval.draw({ ...point, mass: masses[i]! })
  expect(interval.interval()).toEqual({ value: 0.5, low: 0, high: 1, level: 0.95, answers: 5, state: 'undefined' })
})

describe('precision', () => {
  it('skips draws of points that are predicted negative, which say nothing about it', () => {
    const after = (order: readonly number[]) => {
      const interval = new RatioInterval({ metric: 'precision', poolSize: 5, level: 0.5 })
      interval.round(totalsOf(few, masses))
      for (const i of order) interval.draw({ ...few[i]!, mass: masses[i]! })
      const { low, high } = interval.interval()
      return { low, high }
    }
    expect(after([0, 2, 3, 1])).toEqual(after([0, 1]))
  })

  it('takes all of the mass for theirs where only points that are predicted positive are drawn', () => {
    const { positive, negative } = totalsOf(few, masses)
    const { mass, ...part } = positive
    const told = new RatioInterval({ metric: 'precision', poolSize: 5, level: 0.5 })
    const untold = new RatioInterval({ metric: 'precision', poolSize: 5, level: 0.5 })
    told.round({ mass: mass!, positive, negative })
    untold.round({ mass: mass!, positive: part, negative })
    for (const i of [0, 1]) for (const interval of [told, untold]) interval.draw({ ...few[i]!, mass: masses[i]! })
    expect(untold.interval()).toEqual(told.interval())
    expect(() => untold.draw({ ...few[2]!, mass: 1 })).toThrow('draw: masses of both parts are required')
    expect(() => told.draw({ ...few[2]!, mass: 0 })).toThrow('draw: mass must be positive, got 0')
  })

  it('alone needs the masses of both parts', () => {
    const interval = new RatioInterval({ metric: 'recall', poolSize: 5 })
    const { mass, positive, negative } = totalsOf(few, masses)
    const { mass: _, ...part } = positive
    interval.round({ mass, positive: part, negative })
    interval.draw({ ...few[2]!, mass: masses[2]! })
    expect(interval.interval().answers).toBe(1)
  })
})

describe('refuses', () => {
  it.each([
    [{ metric: 'auc' as RatioMetric, poolSize: 5 }, 'metric: precision, recall or f1 is required, got auc'],
    [{ metric: 'toString' as RatioMetric, poolSize: 5 }, 'metric: precision, recall or f1 is required'],
    [{ metric: 'f1' as const, poolSize: 0 }, 'poolSize: must be a whole number above 0, got 0'],
    [{ metric: 'f1' as const, poolSize: 1.5 }, 'poolSize: must be a whole number above 0, got 1.5'],
    [{ metric: 'f1' as const, poolSize: 5, level: 0 }, 'level: must be in (0, 1), got 0'],
    [{ metric: 'f1' as const, poolSize: 5, level: 1 }, 'level: must be in (0, 1), got 1'],
  ])('%o', (options, message) => {
    expect(() => new RatioInterval(options)).toThrow(message)
  })

  it('a draw before its round, without a mass, and totals over other points than those left', () => {
    const interval = new RatioInterval({ metric: 'f1', poolSize: 5 })
    expect(() => interval.draw({ ...few[0]!, mass: 1 })).toThrow('draw: round() must come first')
    const totals = totalsOf(few, masses)
    expect(() => interval.round({ ...totals, positive: { ...totals.positive, points: 4 } })).toThrow(
      'round: totals over the 5 points that are left are required, got 6',
    )
    interval.round(totals)
    expect(() => interval.draw({ ...few[0]!, mass: 0 })).toThrow('draw: mass must be positive, got 0')
  })
})
