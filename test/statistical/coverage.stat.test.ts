import { describe, expect, it } from 'vitest'
import { type Kind, makePool, type PoolRecipe } from '../../bench/audit/pools.ts'
import { runAudit } from '../../bench/audit/run.ts'
import { DrawInterval } from '../../src/certificates/draw-interval.ts'
import { sigmoid } from '../../src/core/numbers.ts'
import { hashIds, uniformsOf } from '../../src/core/randomness.ts'
import { successive } from '../../src/designs/successive.ts'
import { judged } from './misses.ts'
import { firstSeed } from './seeds.ts'

// Errors are frequent, so that both limits are at work and an audit goes on well after its uniform warm-up.
const size = 600
const rate = 0.35
const recipeOf = (k: number, kind: Kind) => ({ seed: firstSeed + k, size, kind, shape: 1, rate })

describe('an audit', () => {
  it.each(['calibrated', 'shuffled'] as const)('is right at all times, with chances that are %s', async (kind) => {
    const answers: number[] = []
    const found = await judged(async (k) => {
      const outcome = await runAudit({ ...recipeOf(k, kind), bets: 'single', tolerance: 0.07 })
      answers.push(outcome.answers)
      return outcome.isMissed
    })
    expect(found).toBe('as promised')
    expect(answers.reduce((a, b) => a + b) / answers.length).toBeGreaterThan(125) // beyond the warm-up
  })
})

describe('an interval', () => {
  it('is right at all times where masses are told as they were', async () => {
    expect(await judged((k) => isMissed(recipeOf(k, 'calibrated'), fair))).toBe('as promised')
  })

  it('is wrong far too often where the weights are forgotten', async () => {
    expect(await judged((k) => isMissed(recipeOf(k, 'calibrated'), forgetful))).toBe('misses too often')
  })

  it('is wrong far too often where the model has learned half of the answers it is audited with', async () => {
    expect(await judged((k) => isMissed(recipeOf(k, 'calibrated'), leaking))).toBe('misses too often')
  })
})

const grid = Float64Array.from({ length: 99 }, (_, i) => (i + 1) / 100) // coarse, to be quick; a limit is right on any grid

/** What an interval is told, rightly or wrongly. */
interface Practice {
  /** The mass reported for a point that was drawn with this one. */
  told(mass: number): number
  /** Whether the model has got to know the answer since the draw. */
  hasLearned(k: number): boolean
}

const fair: Practice = { told: (mass) => mass, hasLearned: () => false }
const forgetful: Practice = { ...fair, told: () => 1 }
const leaking: Practice = { ...fair, hasLearned: (k) => k % 2 === 0 }

/** Whether an interval from 200 draws, aimed at where errors are expected, ever leaves out the error of its model. */
function isMissed(recipe: PoolRecipe, { told, hasLearned }: Practice): boolean {
  const { ids, scores, losses, error } = makePool(recipe)
  const masses = scores.map((z) => 0.05 + sigmoid(z))
  const draws = successive(masses, 200, uniformsOf({ seed: recipe.seed, name: 'coverage' }, hashIds(ids)))
  // One prediction for all points: good ones would explain the losses so well that forgotten weights hardly matter.
  const predictedLoss = rate
  const reported = masses.map(told)
  const smallest = Math.min(...reported)

  const interval = new DrawInterval({ poolSize: size, tolerance: 0.08, grid })
  interval.round({
    mass: sum(reported),
    predictedLoss: size * predictedLoss,
    predictedVariance: sum(reported.map((mass) => (predictedLoss * (1 - predictedLoss)) / mass)),
    largestDown: predictedLoss / smallest,
    largestUp: (1 - predictedLoss) / smallest,
  })
  let corrected = 0
  for (const [k, { index, mass }] of draws.entries()) {
    const isCorrected = hasLearned(k) && losses[index] === 1
    if (isCorrected) corrected++
    interval.draw({ loss: isCorrected ? 0 : losses[index]!, mass: told(mass), predictedLoss })
  }
  const { low, high } = interval.interval() // limits only tighten: what was left out once is out now
  const truth = error - corrected / size // the error of the model as it has become
  return truth < low || truth > high
}

function sum(values: Float64Array): number {
  return values.reduce((a, b) => a + b, 0)
}
