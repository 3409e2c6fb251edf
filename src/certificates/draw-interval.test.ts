import { describe, expect, it } from 'vitest'
import { DrawInterval, type DrawIntervalOptions, planFor, type RoundTotals } from './draw-interval.ts'
import { momentsOf, type Question, totalsOver } from './question.ts'
import { QuestionInterval } from './question-interval.ts'

const losses = [1, 0, 0.5, 0.2, 1, 0]
const chances = [0.7, 0.1, 0.4, 0.3, 0.2, 0.05]

interface Step {
  readonly totals: RoundTotals
  readonly loss: number
  readonly mass: number
  readonly predictedLoss: number
}

/**
 * Every sequence of `draws` draws from the first n points with its probability, by masses and predictions that change
 * with what has been seen, as an audit's do.
 */
function sequences(n: number, draws: number, visit: (path: readonly Step[], probability: number) => void): void {
  const walk = (path: Step[], left: number[], probability: number) => {
    if (path.length === draws) return visit(path, probability)
    const seen = path.reduce((sum, { loss }) => sum + loss, 0)
    const predicted = (i: number) => Math.min(0.95, chances[i]! * (1 + 0.3 * seen))
    const masses = left.map((i) => 0.4 + 0.6 * Math.sqrt(predicted(i) * (1 - predicted(i))) * (1 + 0.2 * path.length))
    const mass = masses.reduce((a, b) => a + b, 0)
    const totals = {
      mass,
      predictedLoss: left.reduce((sum, i) => sum + predicted(i), 0),
      predictedVariance: left.reduce((sum, i, k) => sum + (predicted(i) * (1 - predicted(i))) / masses[k]!, 0),
      largestDown: Math.max(...left.map((i, k) => predicted(i) / masses[k]!)),
      largestUp: Math.max(...left.map((i, k) => (1 - predicted(i)) / masses[k]!)),
    }
    for (const [k, i] of left.entries()) {
      const step = { totals, loss: losses[i]!, mass: masses[k]!, predictedLoss: predicted(i) }
      walk(
        [...path, step],
        left.filter((other) => other !== i),
        (probability * masses[k]!) / mass,
      )
    }
  }
  walk([], [...Array(n).keys()], 1)
}

/** Chance that a limit leaves out the truth at some draw. */
function missed(n: number, options: Omit<DrawIntervalOptions, 'poolSize'>): { below: number; above: number } {
  const truth = losses.slice(0, n).reduce((a, b) => a + b, 0) / n
  const missed = { below: 0, above: 0 }
  sequences(n, n, (path, probability) => {
    const interval = new DrawInterval({ poolSize: n, ...options })
    const isMissed = { below: false, above: false }
    for (const { totals, ...drawn } of path) {
      interval.round(totals)
      interval.draw(drawn)
      const { low, high } = interval.interval()
      isMissed.below ||= low > truth + 1e-12
      isMissed.above ||= high < truth - 1e-12
    }
    if (isMissed.below) missed.below += probability
    if (isMissed.above) missed.above += probability
  })
  return missed
}

describe('over every sequence of draws', () => {
  const grid = Float64Array.from({ length: 49 }, (_, i) => (i + 1) / 50)

  it.each([{ tolerance: 0.2 }, { budget: 3 }, {}])('misses the truth at any time no more often than it says: %o', (goal) => {
    const { below, above } = missed(5, { level: 0.4, grid, ...goal })
    expect(below).toBeLessThanOrEqual(0.3)
    expect(above).toBeLessThanOrEqual(0.3)
    expect(below + above).toBeGreaterThan(0) // or the test would have no power
  })

  it('has one limit alone where all of the risk is on one side', () => {
    expect(missed(4, { level: 0.6, grid, lowerShare: 0 }).below).toBe(0)
    expect(missed(4, { level: 0.6, grid, lowerShare: 1 }).above).toBe(0)
  })
})

/** Draws losses one by one from points that are all alike. */
function drawn(all: readonly (number | null)[], options: Partial<DrawIntervalOptions> = {}, predictedLoss = 0.1): DrawInterval {
  const interval = new DrawInterval({ poolSize: 200, ...options })
  const n = options.poolSize ?? 200
  interval.round({
    mass: n,
    predictedLoss: n * predictedLoss,
    predictedVariance: n * predictedLoss * (1 - predictedLoss),
    largestDown: predictedLoss,
    largestUp: 1 - predictedLoss,
  })
  for (const loss of all) interval.draw({ loss, mass: 1, predictedLoss })
  return interval
}

const pattern = Array.from({ length: 100 }, (_, k) => (k % 7 === 3 ? 1 : 0))

it('narrows around the mean, and says how sure it is and from how many answers', () => {
  const { value, low, high, level, answers } = drawn(pattern, { level: 0.9 }).interval()
  const mean = pattern.reduce((a: number, b) => a + b, 0) / 100
  expect(value).toBeCloseTo(mean, 2)
  expect(low).toBeLessThan(mean)
  expect(high).toBeGreaterThan(mean)
  expect(high - low).toBeLessThan(0.2)
  expect([level, answers]).toEqual([0.9, 100])
  expect(drawn([]).interval()).toEqual({ value: 0.5, low: 0, high: 1, level: 0.95, answers: 0 })
})

it('is narrower with a goal than without, where that goal is reached', () => {
  const width = (options: Partial<DrawIntervalOptions>) => {
    const { low, high } = drawn(pattern, options).interval()
    return high - low
  }
  expect(width({ budget: 100 })).toBeLessThan(width({}))
  expect(width({ tolerance: 0.07 })).toBeLessThan(width({}))
  expect(width({ tolerance: 0.07, bets: 'fastest' })).toBe(width({ tolerance: 0.07 })) // the old names of bets say nothing any more
})

it('has the truth, once everything is drawn', () => {
  const all = [0, 1, 0.25, 0, 1]
  const { value, low, high, answers } = drawn(all, { poolSize: 5 }).interval()
  for (const said of [value, low, high]) expect(said).toBeCloseTo(0.45, 12)
  expect(answers).toBe(5)
})

it('covers both ways of reading "cannot tell"', () => {
  const doubtful = drawn(pattern.map((loss, k) => (k % 10 === 0 ? null : loss))).interval()
  for (const reading of [0, 1]) {
    const { low, high } = drawn(pattern.map((loss, k) => (k % 10 === 0 ? reading : loss))).interval()
    expect(doubtful.low).toBeLessThanOrEqual(low)
    expect(doubtful.high).toBeGreaterThanOrEqual(high)
  }
  const { low, high } = drawn([null, 0, 1, null, 0], { poolSize: 5 }).interval()
  expect(low).toBeCloseTo(1 / 5, 12)
  expect(high).toBeCloseTo(3 / 5, 12)
})

it('has limits among the values that were asked for', () => {
  const grid = Float64Array.from({ length: 31 }, (_, k) => (k + 1) / 32)
  const { low, high } = drawn(pattern, { grid, poolSize: 5000 }).interval()
  expect([...grid]).toContain(low)
  expect([...grid]).toContain(high)
  expect([...grid]).not.toContain(drawn(pattern, { poolSize: 5000 }).interval().high)
})

it.each([{ budget: 60 }, { tolerance: 0.1 }, {}])('is the interval of a question about one kind of points: %o', (goal) => {
  const size = 120
  const question: Question = { kinds: [[0, 1].map((num) => ({ num, den: 1 }))], range: [0, 1], shape: 'product' }
  const chance = (i: number) => 0.02 + ((7 * i) % size) / (2 * size)
  const mass = (i: number) => 0.5 + ((11 * i) % size) / size
  const own = new DrawInterval({ poolSize: size, level: 0.9, lowerShare: 0.4, ...goal })
  const plan = planFor(goal)
  const asked = new QuestionInterval({ question, counts: [size], lower: 0.04, upper: 0.06, plan })
  for (let drawn = 0; drawn < 60; drawn += 20) {
    const left = Array.from({ length: size - drawn }, (_, i) => drawn + i)
    const totals = totalsOver(question)
    for (const i of left) totals.add(0, mass(i), momentsOf(question.kinds[0]!, [1 - chance(i), chance(i)]))
    const { down, up, num, numNum, mass: all } = totals.totals()
    asked.round(totals.totals(), { allMass: all, drawn, isPlain: false })
    own.round({ mass: all, predictedLoss: num, predictedVariance: numNum, largestDown: down[0]!, largestUp: up[0]! })
    for (const i of left.slice(0, 20)) {
      const loss = i % 3 === 0 ? 1 : 0 // more often than believed: what was seen puts variances right
      own.draw({ loss, mass: mass(i), predictedLoss: chance(i) })
      const belief = momentsOf(question.kinds[0]!, [1 - chance(i), chance(i)])
      asked.draw({ kind: 0, mass: mass(i), belief, worth: { num: loss, den: 1 } })
      const [said, wanted] = [own.interval(), asked.answer()]
      for (const name of ['value', 'low', 'high'] as const) expect(said[name]).toBeCloseTo(wanted[name]!, 9)
    }
    expect(own.forecast(0.05)!.answers).toBeCloseTo(asked.forecast(0.05)!.answers, 6)
  }
})

it('takes totals of 0, where no loss is expected at all', () => {
  const { low, high } = drawn([0, 0, 0], {}, 0).interval()
  expect(low).toBe(0)
  expect(high).toBeLessThanOrEqual(1)
})

it('forecasts fewer answers the nearer the goal is', () => {
  const early = drawn(pattern.slice(0, 30), { tolerance: 0.05 }).forecast(0.05)!
  const late = drawn(pattern, { tolerance: 0.05 }).forecast(0.05)!
  expect(late.answers).toBeLessThan(early.answers)
  expect(early.low).toBeLessThan(early.answers)
  expect(early.high).toBeGreaterThan(early.answers)
  expect(new DrawInterval({ poolSize: 10 }).forecast(0.1)).toBeUndefined()
})

describe('refuses', () => {
  it.each([
    [{ poolSize: 0 }, 'poolSize: must be a whole number above 0, got 0'],
    [{ poolSize: 2.5 }, 'poolSize: must be a whole number above 0, got 2.5'],
    [{ poolSize: 5, level: 0 }, 'level: must be in (0, 1), got 0'],
    [{ poolSize: 5, level: 1 }, 'level: must be in (0, 1), got 1'],
    [{ poolSize: 5, tolerance: 0 }, 'tolerance: must be in (0, 0.5), got 0'],
    [{ poolSize: 5, tolerance: 0.5 }, 'tolerance: must be in (0, 0.5), got 0.5'],
    [{ poolSize: 5, budget: 2.5 }, 'budget: must be a whole number above 0, got 2.5'],
    [{ poolSize: 5, budget: 0 }, 'budget: must be a whole number above 0, got 0'],
    [{ poolSize: 5, lowerShare: -0.1 }, 'lowerShare: must be in [0, 1], got -0.1'],
    [{ poolSize: 5, lowerShare: 1.1 }, 'lowerShare: must be in [0, 1], got 1.1'],
  ])('%o', (options, message) => {
    expect(() => new DrawInterval(options)).toThrow(message)
  })

  it('totals that no points can have', () => {
    const totals = { mass: 1, predictedLoss: 0.5, predictedVariance: 0.2, largestDown: 1, largestUp: 1 }
    for (const name of Object.keys(totals))
      for (const wrong of [-1, Number.POSITIVE_INFINITY, Number.NaN])
        expect(() => new DrawInterval({ poolSize: 1 }).round({ ...totals, [name]: wrong })).toThrow(
          `round: ${name} must be finite and not negative, got ${wrong}`,
        )
  })

  it('draws before a round, without a mass, and losses out of range', () => {
    expect(() => new DrawInterval({ poolSize: 1 }).draw({ loss: 0, mass: 1, predictedLoss: 0 })).toThrow(
      'draw: round() must come first',
    )
    for (const loss of [-0.1, 1.1, Number.NaN]) expect(() => drawn([loss])).toThrow('draw: loss must be in [0, 1] or null')
    const interval = drawn([])
    expect(() => interval.draw({ loss: 0, mass: 0, predictedLoss: 0 })).toThrow('draw: mass must be positive, got 0')
  })

  it('more draws than there are points', () => {
    expect(() => drawn([0, 1, 0], { poolSize: 2 })).toThrow(
      'draw: at most as many as the 2 points of the pool are required, got one more',
    )
  })
})
