import { expect, it } from 'vitest'
import { fastestBets, openBets, singleBets, toleranceBets } from './bets.ts'
import { DrawInterval } from './draw-interval.ts'
import { Limit } from './limit.ts'

const losses = [1, 0, 0.5, 0.2, 1, 0]
const chances = [0.7, 0.1, 0.4, 0.3, 0.2, 0.05]

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

interface Step {
  readonly totals: Parameters<DrawInterval['round']>[0]
  readonly loss: number
  readonly mass: number
  readonly predictedLoss: number
}

/** X and its bounds along a path, written down apart from the code under test. */
function evidence(path: readonly Step[], n: number) {
  let seen = 0
  return path.map(({ totals, loss, mass, predictedLoss }, k) => {
    const base = (seen + totals.predictedLoss) / n
    const x = base + ((loss - predictedLoss) * totals.mass) / (mass * n)
    seen += loss
    const low = base - (totals.mass * totals.largestDown) / n
    const high = base + (totals.mass * totals.largestUp) / n
    return { x, low, high, ratio: 0.3 + 0.1 * k, centre: 0.2 + 0.05 * k }
  })
}

it.each([5, 6])(
  'over all sequences of four draws from %i points, X is unbiased and every wealth has mean 1 at the truth',
  (n) => {
    const truth = losses.slice(0, n).reduce((a, b) => a + b, 0) / n
    const grid = { values: Float64Array.of(truth) }
    const spread = (m: number) => m * (1 - m)
    const sets = [toleranceBets(0.1, 0.025), singleBets(0.1, 0.025), fastestBets(0.1, 0.025), openBets(0.025)]
    const means = sets.flatMap((bets) => [bets.map(() => 0), bets.map(() => 0)])
    let meanX = 0
    sequences(n, 4, (path, probability) => {
      const steps = evidence(path, n)
      meanX += probability * steps.at(-1)!.x
      for (const [s, bets] of sets.entries()) {
        for (const [t, side] of (['lower', 'upper'] as const).entries()) {
          const limit = new Limit({ side, alpha: 1e-30, bets, grid, spread })
          for (const step of steps) limit.step(step)
          for (const [j, wealth] of limit.wealthAt(truth).entries()) means[2 * s + t]![j]! += probability * wealth
        }
      }
    })
    expect(Math.abs(meanX - truth)).toBeLessThan(1e-12)
    for (const mean of means.flat()) expect(Math.abs(mean - 1)).toBeLessThan(1e-12)
  },
)

it.each(['steady', 'single'] as const)(
  'over all sequences, %s bets at level 0.6 miss the truth at any time at most 4 times in 10',
  (bets) => {
    const n = 6
    const truth = losses.reduce((a, b) => a + b, 0) / n
    let misses = 0
    sequences(n, 5, (path, probability) => {
      const interval = new DrawInterval({ poolSize: n, level: 0.6, tolerance: 0.2, bets })
      let isMissed = false
      for (const { totals, ...drawn } of path) {
        interval.round(totals)
        interval.draw(drawn)
        const { low, high } = interval.interval()
        if (low > truth + 1e-12 || high < truth - 1e-12) isMissed = true
      }
      if (isMissed) misses += probability
    })
    expect(misses).toBeLessThanOrEqual(0.4)
  },
)
