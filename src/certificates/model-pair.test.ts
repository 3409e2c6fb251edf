import { describe, expect, it } from 'vitest'
import { type Direction, ModelPair } from './model-pair.ts'

interface Point {
  readonly predicted: readonly number[]
  readonly probabilities: readonly number[]
  readonly mass: number
}

const points: readonly Point[] = Array.from({ length: 24 }, (_, i) => {
  const p = 0.1 + 0.8 * (((7 * i) % 24) / 24)
  return {
    predicted: [i % 3, i % 4 === 0 ? i % 3 : (i + 1) % 3],
    probabilities: [p, 0.7 * (1 - p), 0.3 * (1 - p)],
    mass: 0.5 + ((5 * i) % 24) / 16,
  }
})
const later = points.map((point) => ({ ...point, probabilities: point.probabilities.toReversed(), mass: 2.2 - point.mass }))

const sum = (values: readonly number[]) => values.reduce((a, b) => a + b, 0)
const clip = (value: number, low: number, high: number) => Math.min(Math.max(value, low), high)
const differ = ({ predicted: [one, other] }: Point) => one !== other
const worth = ({ predicted }: Point, answer: number) => Number(predicted[0] === answer) - Number(predicted[1] === answer)
const chances = ({ predicted, probabilities }: Point) => predicted.map((c) => probabilities[c]!) as [number, number]
const mean = (point: Point) => chances(point)[0] - chances(point)[1]
const variance = (point: Point) => sum(chances(point)) - mean(point) ** 2

/** What is known of the difference of two models, by the definitions: sums over all points, made anew for every draw. */
class Definition {
  readonly all = points.filter(differ).length
  told: number[] = []
  unknown = 0
  readings: { readonly x: number; readonly surprise: number }[] = []
  left: readonly Point[] = []
  drawn = new Set<number>()
  round: readonly Point[] = []

  begin(round: readonly Point[]): void {
    this.round = round.filter((point, i) => !this.drawn.has(i) && differ(point))
    this.left = round
  }

  get open(): readonly Point[] {
    return this.left.filter((point, i) => !this.drawn.has(i) && differ(point))
  }

  get expected(): number {
    return sum(this.told) + sum(this.open.map(mean))
  }

  get estimate(): number {
    const most = this.open.length + this.unknown
    if (most === 0) return sum(this.told)
    const all = 10 * this.expected + sum(this.readings.map(({ x }) => x))
    return clip(all / (11 + this.readings.length), sum(this.told) - most, sum(this.told) + most)
  }

  spread(value: number): number {
    return Math.max(this.all ** 2 - value ** 2, 4e-4 * this.all ** 2)
  }

  get predicted(): number {
    const masses = sum(this.open.map(({ mass }) => mass))
    const perPoint = sum(this.open.map(mean)) / (points.length - this.drawn.size)
    const believed = clip(points.length * perPoint, -this.all, this.all)
    const ofX = masses * sum(this.open.map((point) => variance(point) / point.mass))
    return Math.max(ofX, 4e-6 * this.all ** 2) / this.spread(believed)
  }

  /** Standard deviation of X if the difference were this. */
  deviation(value: number): number {
    const seen = (100 + sum(this.readings.map(({ surprise }) => surprise))) / (100 + this.readings.length)
    return Math.sqrt(this.predicted * clip(seen, 0.25, 4) * this.spread(value))
  }

  wager(direction: Direction, margin: number, drawn: Point, answer: number | null) {
    const masses = sum(this.open.map(({ mass }) => mass))
    const base = direction * this.expected - this.unknown + margin
    const told = answer === null ? -1 : direction * worth(drawn, answer)
    const farthest = (way: Direction) => Math.max(...this.round.map((point) => ((1 + way * mean(point)) / point.mass) * masses))
    return {
      x: base + (told - direction * mean(drawn)) * (masses / drawn.mass),
      deviation: this.deviation(margin),
      reach: Math.max(farthest(direction) - base, 1e-6 * (farthest(1) + farthest(-1))),
    }
  }

  draw(i: number, answer: number | null): void {
    const point = this.left[i]!
    if (differ(point)) {
      const masses = sum(this.open.map(({ mass }) => mass))
      const told = answer === null ? mean(point) : worth(point, answer)
      const x = this.expected + (told - mean(point)) * (masses / point.mass)
      const surprise = (x - this.estimate) ** 2 / (this.predicted * this.spread(this.estimate))
      this.readings.push({ x, surprise })
      if (answer === null) this.unknown++
      else this.told.push(told)
    }
    this.drawn.add(i)
  }
}

describe('two models', () => {
  it('are compared by the definitions, draw after draw and in two rounds', () => {
    const pair = new ModelPair(0, 1, [...points.map((point) => ({ ...point, count: 1 }))])
    const definition = new Definition()
    const steps = [5, 0, 7, 13, 2, 22, 9, 14].map((i, k) => ({ i, answer: k === 3 ? null : (i + k) % 3 }))
    for (const [k, { i, answer }] of steps.entries()) {
      if (k % 4 === 0) {
        const now = k === 0 ? points : later
        definition.begin(now)
        pair.round(now.flatMap((point, at) => (definition.drawn.has(at) ? [] : { ...point, count: 1 })))
      }
      const point = definition.left[i]!
      expect(pair.isCovered).toBe(true)
      expect(pair.estimate).toBeCloseTo(definition.estimate, 9)
      for (const direction of [1, -1] as const) {
        expect(pair.sharpness(direction)).toBeCloseTo((direction * definition.estimate) / definition.deviation(0), 9)
        for (const margin of [0, 3, definition.all, 100]) {
          if (!differ(point)) continue
          const { x, deviation, reach } = pair.wager(direction, margin, { ...point, answer })
          const wanted = definition.wager(direction, margin, point, answer)
          expect(x).toBeCloseTo(wanted.x, 9)
          expect(deviation).toBeCloseTo(wanted.deviation, 9)
          expect(reach).toBeCloseTo(wanted.reach, 9)
        }
      }
      pair.draw({ ...point, answer })
      definition.draw(i, answer)
    }
    const told = sum(definition.told)
    const most = definition.open.length + 1
    expect([pair.least(1), pair.least(-1)]).toEqual([told - most, -told - most])
  })

  it('count answers that are given, and what nobody knows stays open', () => {
    const [one, other] = [
      { predicted: [0, 1], count: 3 },
      { predicted: [1, 0], count: 2 },
    ]
    const pair = new ModelPair(0, 1, [one, other, { predicted: [2, 2], count: 4 }])
    pair.give(one.predicted, 0, 3)
    pair.give([2, 2], 2, 4)
    pair.give(other.predicted, 2, 1)
    expect([pair.least(1), pair.least(-1)]).toEqual([2, -4])
    pair.give(other.predicted, null, 1)
    expect([pair.least(1), pair.least(-1)]).toEqual([2, -4])
    expect(pair.estimate).toBeCloseTo(30 / 11, 12) // 3 of what is known, and one look for "no difference"
  })

  it('are no surer than rounding lets them be, whatever is believed', () => {
    const [ahead, behind] = [
      { predicted: [0, 1], probabilities: [1, 0], count: 1, mass: 1 },
      { predicted: [1, 0], probabilities: [1, 0], count: 1, mass: 1 },
    ]
    const pair = new ModelPair(0, 1, [ahead, behind])
    pair.round([ahead, behind]) // where Σ x is 0 for sure, and differs from it by 4 at most
    expect(pair.wager(1, 0, { ...ahead, answer: 0 }).deviation).toBeCloseTo(Math.sqrt((4e-6 * 4 * 4) / 4), 12)
  })

  it('leave the rest to be expected where answers are given', () => {
    const stratum = { predicted: [0, 1], probabilities: [0.6, 0.2, 0.2], count: 3, mass: 1 }
    const pair = new ModelPair(0, 1, [stratum, { predicted: [2, 2], count: 2 }])
    pair.give([2, 2], 2, 1)
    pair.round([stratum])
    const [expected, variance] = [3 * 0.4, 3 * (0.8 - 0.4 ** 2)]
    const spread = 3 ** 2 - ((5 * expected) / 4) ** 2 // as many a point in all five as in the four that are left
    const deviation = Math.sqrt(((3 * variance) / spread) * 3 ** 2)
    expect(pair.sharpness(1)).toBeCloseTo((10 * expected) / 11 / deviation, 12)
  })

  it('are not compared before a round, nor once answers are given within it', () => {
    const stratum = { predicted: [0, 1], probabilities: [0.6, 0.2, 0.2], count: 3, mass: 1 }
    const pair = new ModelPair(0, 1, [stratum])
    expect(pair.isCovered).toBe(false)
    pair.round([stratum])
    expect(pair.isCovered).toBe(true)
    pair.give([0, 1], 0, 1)
    expect(pair.isCovered).toBe(false)
  })

  it('are as far apart as all answers say', () => {
    const pair = new ModelPair(0, 1, [{ predicted: [0, 1], count: 3 }])
    pair.give([0, 1], 0, 2)
    pair.give([0, 1], 1, 1)
    expect([pair.estimate, pair.least(1), pair.least(-1)]).toEqual([1, 1, -1])
  })

  it('are not compared in a round that leaves out points where they differ, or has none', () => {
    const strata = points.map((point) => ({ ...point, count: 1 }))
    const pair = new ModelPair(0, 1, strata)
    pair.round(strata.map((stratum, i) => (i === 5 ? { ...stratum, mass: 0 } : stratum)))
    expect(pair.isCovered).toBe(false)
    const before = pair.estimate
    pair.draw({ ...points[5]!, answer: points[5]!.predicted[0]! })
    expect(Math.abs(pair.estimate - before)).toBeLessThan(2) // its answer, and no reading
    const none = new ModelPair(0, 1, [{ predicted: [1, 1], count: 5 }])
    none.round([{ predicted: [1, 1], probabilities: [0, 1], count: 5, mass: 1 }])
    expect(none.isCovered).toBe(false)
  })

  it('have no more points where they differ than there are', () => {
    const pair = new ModelPair(0, 1, [{ predicted: [0, 1], count: 1 }])
    const draw = { predicted: [0, 1], probabilities: [0.5, 0.5], mass: 1, answer: 0 }
    pair.round([{ ...draw, count: 1 }])
    pair.draw(draw)
    expect(() => pair.draw(draw)).toThrow('draw: a point that is open is required, got one more than there are')
  })
})
