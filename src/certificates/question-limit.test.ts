import { describe, expect, it } from 'vitest'
import { betsOf, noPlan, tuning } from './plan.ts'
import { momentsOf, type Question, totalsOver, type Worth } from './question.ts'
import { QuestionInterval } from './question-interval.ts'

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
