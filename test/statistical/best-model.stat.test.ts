import { describe, expect, it } from 'vitest'
import { type RaceRun, runRace } from '../../bench/questions/race.ts'
import type { MadeModels } from '../../bench/questions/simulated-models.ts'
import { judged } from './misses.ts'
import { firstSeed } from './seeds.ts'

const within = 0.01
const classes = 6

/** Points that are alike: what the four models predict, the true class, and what is believed. */
interface Block {
  readonly count: number
  readonly predicted: readonly number[]
  readonly truth: number
  readonly believed: readonly number[]
}

/**
 * 800 points on which the first model beats three equal ones by 2ε, and beliefs that hide it: where it alone is right, they say that all are
 * wrong, so that these points are rarely drawn.
 */
const blocks: readonly Block[] = [
  { count: 526, predicted: [0, 0, 0, 0], truth: 0, believed: [0] },
  { count: 130, predicted: [0, 1, 2, 3], truth: 0, believed: [4, 5] },
  { count: 54, predicted: [1, 0, 0, 0], truth: 0, believed: [0, 1] },
  { count: 30, predicted: [1, 1, 0, 0], truth: 0, believed: [0, 1] },
  { count: 30, predicted: [1, 0, 1, 0], truth: 0, believed: [0, 1] },
  { count: 30, predicted: [1, 0, 0, 1], truth: 0, believed: [0, 1] },
]
const points = blocks.flatMap((block) => new Array<Block>(block.count).fill(block))
const right = [0, 1, 2, 3].map((j) => points.filter(({ predicted, truth }) => predicted[j] === truth).length)
const models: MadeModels = {
  ids: points.map((_, i) => `p${i}`),
  truths: points.map(({ truth }) => truth),
  predicted: points.map(({ predicted }) => predicted),
  probabilities: points.map(({ believed }) =>
    Float64Array.from({ length: classes }, (_, c) =>
      believed.includes(c) ? 0.9 / believed.length : 0.1 / (classes - believed.length),
    ),
  ),
  accuracies: right.map((count) => count / points.length),
}
const run = (k: number, told?: RaceRun['told']) =>
  runRace({ models, seed: firstSeed + k, within, batch: 10, ...(told && { told }) })

describe('a race in which one model is better than equal ones by 2ε', () => {
  it('is such a race', () => {
    expect(points.length).toBe(800)
    expect(right.map((count) => right[0]! - count)).toEqual([0, 16, 16, 16])
  })

  it('eliminates the best as rarely as promised: in half of 5 % of runs', async () => {
    expect(await judged((k) => run(k).isBestOut, { promised: 0.025, caught: 0.1 })).toBe('as promised')
  })

  it('names no worse one more often than promised', async () => {
    expect(await judged((k) => run(k).isWrong, { promised: 0.05, caught: 0.15 })).toBe('as promised')
  })

  it('eliminates the best far too often where the weights are forgotten', async () => {
    expect(await judged((k) => run(k, () => 1).isBestOut, { promised: 0.025, caught: 0.1 })).toBe('misses too often')
  })
})
