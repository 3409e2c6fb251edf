import { describe, expect, it } from 'vitest'
import { dense } from '../../src/core/features.ts'
import { scorerOf } from '../../src/core/model.ts'
import { uniform } from '../../src/core/randomness.ts'
import type { Engine } from '../../src/engines/engine.ts'
import { memoryEngine } from '../../src/engines/memory.ts'
import { logisticLearner } from '../../src/learners/margin-learner.ts'
import { learn, type Round } from '../../src/loop.ts'
import { pure } from '../../src/masses/mass.ts'
import { pseudoLossLinear } from '../../src/masses/pseudo-loss-linear.ts'
import { uniformMass } from '../../src/masses/uniform.ts'
import { columnOracle } from '../../src/oracles/column.ts'
import { memoryStore } from '../../src/stores/memory.ts'
import { strategies } from '../../src/strategies/catalogue.ts'
import { judged } from './misses.ts'
import { firstSeed } from './seeds.ts'

// Labels are tossed near the boundary, and the learner is far too sure: errors lie where the pseudo-loss draws least.
const learner = logisticLearner({ l2: 0.001 })
const mass = pure(pseudoLossLinear)

interface Setting {
  readonly size: number
  readonly batch: number
}
const large: Setting = { size: 3000, batch: 900 }
const small: Setting = { size: 40, batch: 20 } // most are drawn: some for certain, or several times

describe.each(['paper', 'paper-replacement'] as const)('the interval of a round of strategy %s', (name) => {
  it.each([large, small])('holds the error of the model before it, as often as it says: %o', async (setting) => {
    expect(await judgedOf(name, setting, (engine) => engine)).toBe('as promised')
  })

  it('does not where the engine forgets the chances it drew with', async () => {
    expect(await judgedOf(name, large, forgetful)).toBe('misses too often')
  })
})

/** Draws as asked, and says that all points had the same chance. */
function forgetful(engine: Engine): Engine {
  return {
    ...engine,
    async draw(request) {
      const { draws } = await engine.draw(request)
      const survey = await engine.survey({ ...request, mass: pure(uniformMass) })
      const chance = (request.design.name === 'multinomial' ? 1 : request.size) / survey.points
      return { survey, draws: draws.map((draw) => ({ ...draw, probability: chance })) }
    },
  }
}

/** Whether the one interval of a run leaves out the error it is about as rarely as it says. */
async function judgedOf(name: 'paper' | 'paper-replacement', { size, batch }: Setting, drawnBy: (engine: Engine) => Engine) {
  const ids = Array.from({ length: size }, (_, i) => `p${i}`)
  const features = dense(
    Float32Array.from(ids, (id) => 2 * uniform(3, 'feature', id) - 1),
    1,
  )
  const truth = new Map(
    ids.map((id) => {
      const x = 2 * uniform(3, 'feature', id) - 1
      const isYes = Math.abs(x) < 0.4 ? uniform(3, 'coin', id) < 0.5 : x > 0
      return [id, isYes ? 'yes' : 'no']
    }),
  )
  const errorOver = (rows: readonly number[], { model }: Round) => {
    const scores = new Float64Array(rows.length)
    const score = scorerOf(model)
    for (const [i, row] of rows.entries()) score(features, row, scores, i)
    return rows.filter((row, i) => (scores[i]! >= 0 ? 'yes' : 'no') !== truth.get(ids[row]!)).length / rows.length
  }

  return judged(async (k) => {
    const engine = drawnBy(memoryEngine({ ids, features }))
    const strategy = { ...strategies[name], mass }
    const plan = { engine, store: memoryStore(), oracle: columnOracle(truth), learner, strategy, classes: ['no', 'yes'] }
    const [start, last] = await Array.fromAsync(learn({ ...plan, seed: firstSeed + k, start: 5, batch, rounds: 1 }))
    const left = [...ids.keys()].filter((row) => !start!.answers.has(ids[row]!))
    const error = errorOver(left, start!)
    const { low, high } = last!.estimate!
    return error < low! - 1e-12 || error > high! + 1e-12 // limits that are certain can be met exactly
  })
}
