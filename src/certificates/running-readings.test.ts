import { describe, expect, it } from 'vitest'
import { runningBets, Surprises } from './running-bets.ts'
import { type ReadDraw, type RunningRound, readDraws, readIndependent } from './running-readings.ts'

const round = (design: RunningRound['design'], draws: readonly ReadDraw[]): RunningRound => ({
  design,
  isLearned: true,
  points: 50,
  mass: 40,
  predictedLoss: 10,
  predictedVariance: 9,
  largestUp: 1.2,
  largestDown: 0.4,
  draws,
})
const drawn = (loss: 0 | 1 | null, told?: 0 | 1 | null): ReadDraw => ({
  loss,
  mass: 0.8,
  probability: 0.02,
  predictedLoss: 0.3,
  ...(told !== undefined && { told }),
})
const state = (surprises = new Surprises()) => ({ bets: runningBets, surprises, draws: 100 })

describe('answers that say nothing', () => {
  it('count as wrong behind the upper limit and as right behind the lower one, also for the draws after them', () => {
    const { upper, lower } = readDraws(round('successive', [drawn(null), drawn(0)]), state())
    const left = 10 - 0.3
    for (const [side, worst] of [[upper, 1] as const, [lower, 0] as const]) {
      expect(side.values[0]).toBeCloseTo(10 / 50 + (worst - 0.3) / (0.02 * 50), 12)
      expect(side.values[1]).toBeCloseTo((worst + left) / 50 + (0 - 0.3) / (0.02 * 50), 12)
    }
  })

  it.each([
    ['successive', readDraws],
    ['bernoulli', readIndependent],
  ] as const)('are no surprise: %s', (design, read) => {
    const [none, right, unsaid] = [new Surprises(), new Surprises(), new Surprises()]
    read(round(design, [drawn(null)]), state(none))
    read(round(design, [drawn(0)]), state(right))
    read(round(design, [drawn(0, null)]), state(unsaid)) // an answer that came later
    expect(none.correct(1)).toBe(1)
    expect(unsaid.correct(1)).toBe(1)
    expect(right.correct(1)).not.toBe(1)
  })
})

it('draws that are independent have one line for every bet, and no stakes of their own', () => {
  const { upper, lower } = readIndependent(round('bernoulli', [drawn(0), drawn(1)]), state())
  for (const { values, stakes, lines } of [upper, lower]) {
    expect([values.length, stakes.length, lines.length]).toEqual([0, 0, runningBets.length])
  }
})
