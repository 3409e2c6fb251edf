import { sigmoid } from '../../src/core/numbers.ts'
import { hashIds, uniformsOf } from '../../src/core/randomness.ts'
import { successive } from '../../src/designs/successive.ts'
import { makePool, type PoolRecipe } from './pools.ts'
import type { Outcome } from './run.ts'

/** A yardstick: the textbook interval, looked at once, by somebody who knew beforehand when. */
export interface OneLook extends PoolRecipe {
  readonly bets: 'none'
  /**
   * `uniform`: a test set of fixed size, drawn without replacement, and nothing predicted. `alis-audit`: the best design there is,
   * mass √(p(1 − p)), by somebody who is told the true chances p; like an audit, none below a thousandth.
   */
  readonly strategy: 'uniform' | 'alis-audit'
  readonly tolerance: number
}

/**
 * The first answer at which  1.96/√I ≤ tolerance,  I = Σ 1/variance, a draw's variance being  A Σ p(1 − p)/a / N²  over what is
 * left to draw. For uniform draws this is  1.96 √(p(1 − p)/n · (1 − n/N)):  the finite pool is taken into account.
 */
export function lookOnce({ strategy, tolerance, ...recipe }: OneLook): Outcome {
  const { ids, scores, losses, error } = makePool(recipe)
  const chances = scores.map(sigmoid)
  const isUniform = strategy === 'uniform'
  const predicted = isUniform ? chances.map(() => error) : chances
  const masses = isUniform ? chances.map(() => 1) : chances.map((p) => Math.sqrt(p * (1 - p)))
  const perMass = predicted.map((p, i) => (p * (1 - p)) / masses[i]!)
  const uniforms = uniformsOf({ seed: recipe.seed, name: 'one look' }, hashIds(ids))
  const n = ids.length

  let variance = perMass.reduce((a, b) => a + b, 0)
  let expected = predicted.reduce((a, b) => a + b, 0) // losses seen, and predicted of the rest
  let information = 0
  let sum = 0
  for (const { index, mass, remaining, order } of successive(masses, n, uniforms)) {
    const precision = n ** 2 / (remaining * variance)
    const surprise = losses[index]! - predicted[index]!
    information += precision
    sum += (precision * (expected + (surprise * remaining) / mass)) / n
    if (1.96 / Math.sqrt(information) <= tolerance) {
      return { answers: order, isMissed: Math.abs(sum / information - error) > tolerance, value: error }
    }
    expected += surprise
    variance -= perMass[index]!
  }
  return { answers: n, isMissed: false, value: error }
}
