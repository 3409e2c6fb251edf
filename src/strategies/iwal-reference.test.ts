import { expect, it } from 'vitest'
import { uniform } from '../core/randomness.ts'
import { VersionSpace } from './iwal-reference.ts'

/** Steps: −1 below, +1 from the threshold on; a prediction is a number in [−1, 1]. */
const thresholds = Array.from({ length: 21 }, (_, k) => k / 20)
const steps = thresholds.map((threshold) => (x: number) => (x < threshold ? -1 : 1))
const zeroOne = (prediction: number, label: number) => (prediction === label ? 0 : 1)
const bounded = (prediction: number, label: number) => (prediction - label) ** 2 / 4
const soft = thresholds.map((threshold) => (x: number) => Math.tanh(30 * (x - threshold)))
const labels = [-1, 1]

/** The definition, from the whole history at every step. */
function bruteForce(history: readonly { x: number; y: number | undefined; p: number }[], delta: number): number[] {
  let alive = [...soft.keys()]
  for (let t = 1; t <= history.length; t++) {
    const loss = (h: number) =>
      history.slice(0, t).reduce((sum, { x, y, p }) => sum + (y === undefined ? 0 : bounded(soft[h]!(x), y) / p), 0) / t
    const least = Math.min(...alive.map(loss))
    const slack = Math.sqrt((8 / t) * Math.log((2 * t * (t + 1) * soft.length ** 2) / delta))
    alive = alive.filter((h) => loss(h) <= least + slack)
  }
  return alive
}

it('keeps the hypotheses, and asks with the probabilities, of the definition', () => {
  const space = new VersionSpace({ hypotheses: soft, loss: bounded, labels, delta: 0.5 })
  const history: { x: number; y: number | undefined; p: number }[] = []
  for (let t = 0; t <= 1000; t++) {
    const x = uniform(1, 'x', `${t}`)
    const alive = t % 250 === 0 ? bruteForce(history, 0.5) : [...space.alive]
    expect([...space.alive]).toEqual(alive)
    const p = Math.max(
      ...labels.flatMap((y) => alive.flatMap((f) => alive.map((g) => bounded(soft[f]!(x), y) - bounded(soft[g]!(x), y)))),
    )
    expect(space.probability(x)).toBeCloseTo(p, 14)
    const y = uniform(1, 'coin', `${t}`) <= p ? (x < 0.5 ? -1 : 1) : undefined
    history.push({ x, y, p: space.probability(x) })
    space.see(x, y)
  }
  expect(space.alive.length).toBeLessThan(soft.length)
  expect(space.alive).toContain(10)
})

it('has unbiased weighted losses, by enumeration of every coin, if probabilities have a floor', () => {
  const points = [0.1, 0.72, 0.33, 0.94, 0.51, 0.62]
  const truth = (x: number) => (x < 0.5 ? -1 : 1)
  const few = [2, 10, 17].map((k) => soft[k]!)
  const expected = [0, 0, 0]
  let total = 0
  for (let coins = 0; coins < 2 ** points.length; coins++) {
    const space = new VersionSpace({ hypotheses: few, loss: bounded, labels, floor: 0.1 })
    let chance = 1
    for (const [t, x] of points.entries()) {
      const p = space.probability(x)
      expect(p >= 0.1 && p <= 1).toBe(true)
      const isAsked = ((coins >> t) & 1) === 1
      chance *= isAsked ? p : 1 - p
      space.see(x, isAsked ? truth(x) : undefined)
    }
    total += chance
    for (const h of few.keys()) expected[h]! += chance * space.weightedLoss(h)
  }
  expect(total).toBeCloseTo(1, 12)
  for (const [h, hypothesis] of few.entries()) {
    const mean = points.reduce((sum, x) => sum + bounded(hypothesis(x), truth(x)), 0) / points.length
    expect(expected[h]).toBeCloseTo(mean, 12)
  }
})

it('never gives up the best hypothesis on separable data, and asks less and less', () => {
  for (let seed = 1; seed <= 20; seed++) {
    const space = new VersionSpace({ hypotheses: steps, loss: zeroOne, labels })
    const asked: number[] = []
    for (let t = 0; t < 2000; t++) {
      const x = uniform(seed, 'x', `${t}`)
      const isAsked = uniform(seed, 'coin', `${t}`) <= space.probability(x)
      if (isAsked) asked.push(t)
      space.see(x, isAsked ? (x < 0.5 ? -1 : 1) : undefined)
      expect(space.alive).toContain(10)
    }
    expect(space.best()).toBe(10)
    const late = asked.filter((t) => t >= 1500).length
    expect(late).toBeLessThan(0.7 * asked.filter((t) => t < 500).length)
  }
})

it('asks nothing where all agree, and refuses what it cannot work with', () => {
  const space = new VersionSpace({ hypotheses: [() => 1, () => 1], loss: zeroOne, labels })
  expect(space.probability(0.3)).toBe(0)
  expect(() => space.see(0.3, 1)).toThrow('version space: a point of probability 0 is never asked about, got a label for one')
  const options = { hypotheses: steps, loss: zeroOne, labels }
  expect(() => new VersionSpace({ ...options, hypotheses: [] })).toThrow('at least one hypothesis is required, got none')
  expect(() => new VersionSpace({ ...options, labels: [1] })).toThrow('at least two labels are required, got 1')
  expect(() => new VersionSpace({ ...options, delta: 0 })).toThrow('delta must be in (0, 1), got 0')
  expect(() => new VersionSpace({ ...options, floor: 2 })).toThrow('floor must be in [0, 1], got 2')
  expect(() => new VersionSpace({ ...options, loss: () => 2 }).probability(0)).toThrow('losses must be in [0, 1], got 2')
})
