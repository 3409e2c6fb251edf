import { describe, expect, it } from 'vitest'
import { betsOf, noPlan, type Plan, tuning } from './plan.ts'
import { probit } from './probit.ts'
import { momentsOf, nodes, type Question, totalsOver, type Worth } from './question.ts'
import { QuestionInterval } from './question-interval.ts'
import { type Evidence, QuestionLimit, type QuestionLimitOptions } from './question-limit.ts'

interface Point {
  readonly kind: number
  readonly mass: number
  /** Probabilities of the answers. */
  readonly chances: readonly number[]
}

/** So many that the smallest stakes are below what the reach of a draw allows. */
const size = 1200
const points: readonly Point[] = Array.from({ length: size }, (_, i) => {
  const p = 0.05 + 0.6 * (((7 * i) % size) / size)
  return { kind: i % 2, mass: 0.8 + ((11 * i) % size) / (2 * size), chances: [1 - p, p] }
})

const error: Question = {
  kinds: [0, 1].map(() => [0, 1].map((num) => ({ num, den: 1 }))),
  range: [0, 1],
  shape: 'product',
}
const recall: Question = {
  kinds: [0, 1].map((predicted) => [0, 1].map((y) => ({ num: predicted * y, den: y }))),
  range: [0, 1],
  shape: 'product',
}

const alpha = 0.025
const values = Array.from({ length: 17 }, (_, j) => j / 16)
const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0)
const spread = (f: number) => Math.max(f * (1 - f), 1e-4)

/** What the first draw makes of the wealth against f, by the definitions: sums over all points, and nothing kept. */
function wealthBy({ kinds }: Question, sign: 1 | -1, f: number, drawn: Point, answer: number): number[] {
  const d = ({ num, den }: Worth, at: number) => num - at * den
  const worths = ({ kind }: Point) => kinds[kind]!
  const h = (point: Point, at: number) => sum(worths(point).map((worth, y) => point.chances[y]! * d(worth, at)))
  const variance = (point: Point, at: number) =>
    sum(worths(point).map((worth, y) => point.chances[y]! * d(worth, at) ** 2)) - h(point, at) ** 2
  const all = sum(points.map(({ mass }) => mass))
  const varianceOfX = (at: number) => all * sum(points.map((point) => variance(point, at) / point.mass))
  const base = sum(points.map((point) => h(point, f)))
  const x = base + ((d(worths(drawn)[answer]!, f) - h(drawn, f)) * all) / drawn.mass
  const expected = (part: 'num' | 'den') =>
    sum(points.map((point) => sum(worths(point).map((worth, y) => point.chances[y]! * worth[part]))))
  const believed = expected('num') / expected('den')
  const isRatio = worths(points[0]!).some(({ den }) => den !== worths(points[0]!)[0]!.den)
  const least = isRatio ? tuning.leastDeviation * Math.sqrt(varianceOfX(f)) : 0
  const deviation = Math.max(Math.sqrt((varianceOfX(believed) / spread(believed)) * spread(f)), least)

  // How far X can come below 0, with the bet's sign: the largest at each of nine nodes, and the chord between two.
  const farthest = (at: number) =>
    all *
    Math.max(...points.flatMap((point) => worths(point).map((worth) => (sign * (h(point, at) - d(worth, at))) / point.mass)))
  const node = Math.min(Math.floor(f * 8), 7)
  const t = f * 8 - node
  const reach = (1 - t) * farthest(node / 8) + t * farthest((node + 1) / 8) - sign * base
  const { sizes } = betsOf(noPlan, alpha, points.length)
  return [0.999 / reach, ...[...sizes].map((size) => Math.min(size / deviation, 0.99 / reach))].map(
    (stake) => 1 + stake * sign * x,
  )
}

/** What the interval makes of it. */
function intervalAfter(question: Question, drawn: Point, answer: number): QuestionInterval {
  const counts = question.kinds.map((_, k) => points.filter(({ kind }) => kind === k).length)
  const interval = new QuestionInterval({ question, counts, lower: alpha, upper: alpha, values })
  const totals = totalsOver(question)
  const beliefOf = ({ kind, chances }: Point) => momentsOf(question.kinds[kind]!, chances)
  for (const point of points) totals.add(point.kind, point.mass, beliefOf(point))
  interval.round(totals.totals(), { allMass: sum(points.map(({ mass }) => mass)), drawn: 0, isPlain: false })
  const { kind, mass } = drawn
  interval.draw({ kind, mass, belief: beliefOf(drawn), worth: question.kinds[kind]![answer]! })
  return interval
}

describe.each([
  ['a mean', error],
  ['a ratio', recall],
])('the first draw of %s', (_, question) => {
  it.each([
    [3, 1],
    [8, 0],
    [17, 1],
  ])('is bet on by the definitions: point %i, answer %i', (i, answer) => {
    const { limits } = intervalAfter(question, points[i]!, answer)
    for (const [place, f] of values.entries())
      for (const sign of [1, -1] as const) {
        const side = sign === 1 ? limits.lower : limits.upper
        const expected = wealthBy(question, sign, f, points[i]!, answer)
        const got = side.wealthAt(place)
        expect(got.length).toBe(expected.length)
        for (const [j, wealth] of expected.entries()) expect(got[j]).toBeCloseTo(wealth, 9)
      }
  })
})

/** Bets against one half alone, by draws whose X at one half is told, between −1 and 1. */
function half(plan: Plan, options: Partial<QuestionLimitOptions> = {}) {
  const limit = new QuestionLimit({
    question: error,
    sign: 1,
    alpha,
    points: 100,
    plan,
    tuning,
    steps: undefined,
    grid: 1,
    values: [0.5],
    finest: Number.POSITIVE_INFINITY,
    ...options,
  })
  const draw = (x: number, told: Partial<Evidence> = {}) =>
    limit.step({
      base: { num: 0.5, den: 1 },
      move: { num: x, den: 0 },
      down: new Array<number>(nodes).fill(1),
      up: new Array<number>(nodes).fill(1),
      variance: 1e-6, // so little that every stake is the largest that is allowed
      relativeVariance: 1,
      information: 0,
      horizon: 1,
      ...told,
    })
  return { limit, draw }
}

const times = (count: number, act: () => void) => {
  for (let k = 0; k < count; k++) act()
}

describe('what is owned against a value', () => {
  const budget: Plan = { kind: 'budget', answers: 50 }

  it('is nothing once it is as good as lost, and wins nothing back', () => {
    for (const plan of [noPlan, budget, { kind: 'tolerance', tolerance: 0.1 } as const]) {
      const { limit, draw } = half(plan)
      times(8, () => draw(-1))
      const lost = limit.wealthAt(0)
      expect(lost.every((wealth) => wealth > 0 && wealth < 1e-9)).toBe(true)
      times(60, () => draw(1))
      expect(limit.wealthAt(0)).toEqual(lost)
      expect(limit.owned(0)).toBeLessThan(1e-9)
      expect(limit.value).toBe(0)
    }
    const { limit, draw } = half(noPlan)
    times(8, () => draw(-1))
    expect(limit.owned(0)).toBe(0)
  })

  it('stays as it is once the value is rejected, but for a value that is watched', () => {
    const [limited, endless] = [half(noPlan), half(noPlan, { isEndless: true })]
    for (const { draw } of [limited, endless]) times(20, () => draw(0.5))
    expect([limited.limit.value, endless.limit.value]).toEqual([0.5, 0])
    const [rejected, watched] = [limited.limit.owned(0), endless.limit.owned(0)]
    expect(rejected).toBeGreaterThanOrEqual(1 / alpha)
    for (const { draw } of [limited, endless]) draw(0.5)
    expect(limited.limit.owned(0)).toBe(rejected)
    expect(endless.limit.owned(0)).toBeGreaterThan(watched)
  })

  it('goes on from what was owned before the first draw, which counts from there on', () => {
    const start = (f: number) => (f < 0.7 ? 1.1 / alpha : 1)
    const limited = half(noPlan, { values: [0.5, 0.6, 0.8], start })
    expect(limited.limit.value).toBe(0)
    limited.draw(-1)
    expect(limited.limit.value).toBe(0.6)
    const watched = half(noPlan, { start, isEndless: true })
    watched.draw(-1)
    expect(watched.limit.value).toBe(0)
    expect(watched.limit.owned(0)).toBeLessThan(1 / alpha)
  })

  it('stays as it is for a value further in that is rejected already', () => {
    const { limit, draw } = half(noPlan, { values: [0.4, 0.5], start: (f) => (f === 0.5 ? 1.1 / alpha : 1) })
    const before = limit.wealthAt(1)
    draw(0.01)
    expect(limit.wealthAt(1)).toEqual(before)
    expect(limit.value).toBe(0)
  })

  it('is what a deadline is after, once it has come to that, for good', () => {
    const { limit, draw } = half(budget, { isEndless: true })
    const { goal } = betsOf(budget, alpha, 100).deadlines[0]!
    times(20, () => draw(1))
    const [won] = limit.wealthAt(0)
    expect(won).toBeGreaterThanOrEqual(1 / goal)
    expect(won).toBeLessThan(2 / goal)
    draw(-1)
    expect(limit.wealthAt(0)[0]).toBe(won)
    const just = half(budget, { isEndless: true, start: () => 1 / goal })
    expect((1 / goal) * goal).toBe(1)
    just.draw(-1)
    expect(just.limit.wealthAt(0)[0]).toBe(1 / goal)
  })

  it('is staked by less the more draws are ahead, and the more a draw can vary', () => {
    const staked = (told: Partial<Evidence>) => {
      const { limit, draw } = half(budget)
      draw(0.001, { variance: 4, ...told }) // deviation 1 at one half
      return (limit.wealthAt(0)[0]! - 1) / 0.001
    }
    expect(staked({ horizon: 400 }) / staked({ horizon: 1600 })).toBeCloseTo(2, 6)
    expect(staked({ horizon: 400, variance: 16 }) / staked({ horizon: 400 })).toBeCloseTo(0.5, 6)
  })

  it.each([
    [1, 0.5],
    [1, 0.9],
    [-1, 0.5],
    [-1, 0.1],
  ] as const)('is staked for a tolerance on what its deadlines need, %i at %d', (sign, f) => {
    const tolerance = 0.1
    // Both limits of an interval as wide as that: at an end of the range there is nothing to tell from the other.
    const other = f + sign * 2 * tolerance
    const isInside = other > 0 && other < 1
    const root = (Math.sqrt(f * (1 - f)) + (isInside ? Math.sqrt(other * (1 - other)) : 0)) / (isInside ? 2 * tolerance : 0.1)
    const { deadlines } = betsOf({ kind: 'tolerance', tolerance }, alpha, 100)
    const stakes = (information: number) => {
      const { limit, draw } = half({ kind: 'tolerance', tolerance }, { sign, values: [f] })
      draw(0.001 * sign, { base: { num: f, den: 1 }, variance: 100 / (f * (1 - f)), information }) // deviation 10
      return deadlines.map((_, j) => (limit.wealthAt(0)[j]! - 1) / 0.001)
    }
    const expected = (goal: number, draws: number) => {
      const z = probit(goal)
      return Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI) / (goal * 10 * Math.sqrt(draws))
    }
    const [early, late] = [stakes(7), stakes(1e6)]
    for (const [j, { goal, need }] of deadlines.entries()) {
      expect(early[j]).toBeCloseTo(expected(goal, need * root ** 2 - 7), 6)
      expect(late[j]).toBeCloseTo(expected(goal, 0.03 * need * root ** 2), 6) // afterwards, a few draws more
    }
  })
})

it('has no limit where nothing may be risked', () => {
  const { limit, draw } = half(noPlan, { alpha: 0 })
  times(2000, () => draw(1)) // numbers end before that
  expect(limit.value).toBe(0)
})

describe('where fewer values are left', () => {
  const values = Array.from({ length: 20 }, (_, k) => (k + 1) / 21)

  it('those beyond the other limit are given up, and more tested between the others, for what these need', () => {
    const { limit, draw } = half({ kind: 'tolerance', tolerance: 0.1 }, { values, grid: 20, finest: 1e-3 })
    const pair = values.filter((f) => f < 0.4)
    limit.narrow(0.4)
    draw(0.001, { variance: 400 })
    const alone = half({ kind: 'tolerance', tolerance: 0.1 }, { values: pair.flatMap((f) => [f - 1 / 42, f]) })
    alone.draw(0.001, { variance: 400 })
    for (const place of Array.from({ length: 2 * pair.length }).keys())
      for (const [j, wealth] of alone.limit.wealthAt(place).entries()) expect(limit.wealthAt(place)[j]).toBeCloseTo(wealth, 12)
  })
})
