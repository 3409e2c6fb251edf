import { describe, expect, it } from 'vitest'
import { answersToHalfWidth } from './running-forecast.ts'

/** Limits that narrow by a power of the answers, in a pool so large that its end does not matter. */
function narrowing(power: number, until: number, points = 1e9) {
  const worth = (answers: number) => (answers * points) / (points - answers)
  const look = (answers: number) => ({ answers, low: 0, high: 0.8 * (worth(answers) / worth(100)) ** -power })
  return Array.from({ length: (until - 100) / 10 + 1 }, (_, k) => look(100 + 10 * k))
}

/** Answers at which such limits are ± tolerance. */
const reached = (power: number, tolerance: number) => 100 * (0.4 / tolerance) ** (1 / power)

describe('answers to a half-width', () => {
  it.each([0.6, 0.85, 1.05])('lie around the truth where limits narrow by a power of %s, from the first look on', (power) => {
    for (const until of [100, 200, 400])
      for (const tolerance of [0.1, 0.05, 0.03]) {
        const more = answersToHalfWidth(narrowing(power, until), tolerance, 1e9)
        const truth = reached(power, tolerance) - until
        if (truth <= 0) {
          expect(more).toBeUndefined()
          continue
        }
        expect(more!.low).toBeLessThanOrEqual(truth)
        expect(more!.high).toBeGreaterThanOrEqual(truth)
      }
  })

  it('are told closer the longer a run has shown how fast it is', () => {
    const [early, late] = [100, 800].map((until) => {
      const { low, high } = answersToHalfWidth(narrowing(0.6, until), 0.01, 1e9)!
      return (until + high) / (until + low)
    })
    expect(late).toBeLessThan(early! / 2)
  })

  it('never go beyond the pool, whose last points say most', () => {
    const points = 1000
    const more = answersToHalfWidth(narrowing(0.5, 200, points), 0.001, points)!
    expect(200 + more.high).toBeLessThanOrEqual(points)
    expect(more.low).toBeLessThan(more.high)
  })

  it('are none where limits are as narrow already, and not known before the first look', () => {
    expect(answersToHalfWidth([{ answers: 300, low: 0.02, high: 0.12 }], 0.05, 1000)).toBeUndefined()
    expect(answersToHalfWidth([], 0.05, 1000)).toBeUndefined()
  })

  it('are none from the moment on when the goal is met, or the pool is used up', () => {
    expect(answersToHalfWidth([{ answers: 300, low: 0, high: 0.1 }], 0.05, 1000)).toBeUndefined()
    expect(answersToHalfWidth([{ answers: 1000, low: 0, high: 0.5 }], 0.05, 1000)).toBeUndefined()
  })

  it.each([1e9, 2000])('follow from the power of the run, drawn towards what is usual, in a pool of %s', (points) => {
    const worth = (answers: number) => (answers * points) / (points - answers)
    const looks = narrowing(0.6, 400, points)
    const doublings = Math.log2(worth(400) / worth(100))
    const power = (0.85 + doublings * 0.6) / (1 + doublings)
    const spread = 0.25 / Math.sqrt(1 + doublings / 2)
    const half = looks.at(-1)!.high / 2
    const needed = (slope: number, width: number) => {
      const goal = worth(400) * (width / 0.02) ** (1 / slope)
      return Math.ceil((goal * points) / (goal + points)) - 400
    }
    const wanted = { low: needed(power + spread, 0.9 * half), high: needed(power - spread, 1.1 * half) }
    const found = answersToHalfWidth(looks, 0.02, points)!
    expect(Math.abs(found.low - wanted.low)).toBeLessThanOrEqual(1) // rounded up, from numbers with rounding
    expect(Math.abs(found.high - wanted.high)).toBeLessThanOrEqual(1)
  })

  it('take limits that hardly narrow to go on by a power of a quarter at the least, and leave out those of no width', () => {
    const flat = Array.from({ length: 13 }, (_, k) => ({ answers: 100 * 2 ** k, low: 0, high: 0.4 }))
    const more = answersToHalfWidth(flat, 0.1, 1e12)!
    expect(more.high / (100 * 2 ** 12)).toBeCloseTo(2.2 ** 4 - 1, 3)
    expect(answersToHalfWidth([{ answers: 50, low: 0.3, high: 0.3 }, ...flat], 0.1, 1e12)).toEqual(more)
  })

  it('do not rest on limits that are all of it, or on those of one moment', () => {
    const one = answersToHalfWidth([{ answers: 100, low: 0, high: 1 }], 0.1, 1e9)!
    expect(one.low).toBeGreaterThan(100)
    expect(Number.isFinite(one.high)).toBe(true)
    expect(
      answersToHalfWidth(
        [...Array(3)].map(() => ({ answers: 100, low: 0, high: 1 })),
        0.1,
        1e9,
      ),
    ).toEqual(one)
  })

  it('allow for a jump where the goal is near', () => {
    expect(answersToHalfWidth([{ answers: 300, low: 0, high: 0.21 }], 0.1, 1e9)!.low).toBe(0)
  })
})
