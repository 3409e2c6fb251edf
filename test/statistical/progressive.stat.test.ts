import { describe, expect, it } from 'vitest'
import { dense } from '../../src/core/features.ts'
import { scorerOf } from '../../src/core/model.ts'
import { uniform } from '../../src/core/randomness.ts'
import { memoryEngine } from '../../src/engines/memory.ts'
import { logisticLearner } from '../../src/learners/margin-learner.ts'
import { learn, type Round } from '../../src/loop.ts'
import { columnOracle } from '../../src/oracles/column.ts'
import { memoryStore } from '../../src/stores/memory.ts'
import { strategies } from '../../src/strategies/catalogue.ts'
import { poolMean } from '../../src/weights/pool-mean.ts'
import { intervalsOnlyIn, verdict } from './misses.ts'
import { firstSeed, summary, Z } from './seeds.ts'

// A noisy pool that no linear model gets right, so that errors are many and uneven.
const size = 200
const ids = Array.from({ length: size }, (_, i) => `p${i}`)
const values = Float32Array.from({ length: size * 2 }, (_, k) => 2 * uniform(3, 'feature', `${k}`) - 1)
const features = dense(values, 2)
const truth = new Map(
  ids.map((id, i) => {
    const bent = values[2 * i]! + 2 * values[2 * i + 1]! ** 2 - 0.6 + 0.6 * (uniform(3, 'noise', id) - 0.5)
    return [id, bent > 0 ? 'yes' : 'no']
  }),
)
const runs = 1500

/** The last round of many short runs: the estimate, the truth it speaks of, two tempting mistakes, and intervals until there is a verdict on them. */
async function replay(strategy: (typeof strategies)[keyof typeof strategies]) {
  const results = { error: [] as number[], naive: [] as number[], leaked: [] as number[], intervals: 'open' }
  let misses = 0
  for (let k = 0; k < runs; k++) {
    const rounds: Round[] = []
    const isOpen = results.intervals === 'open'
    const engine = intervalsOnlyIn(isOpen ? 'learn/2' : undefined, memoryEngine({ ids, features }))
    const plan = { engine, store: memoryStore(), oracle: columnOracle(truth), learner: logisticLearner(), classes: ['no', 'yes'] }
    for await (const round of learn({ ...plan, strategy, seed: firstSeed + k, start: 10, batch: 15, rounds: 2 }))
      rounds.push(round)
    const [start, first, last] = rounds as [Round, Round, Round]
    const seen = new Set([...start.answers.keys(), ...first.answers.keys()])
    const target = errorOver(first.model, (id) => !seen.has(id)) // A² on U²
    const losses = last.draws.map(({ id }) => (isWrong(first.model, id) ? 1 : 0))
    const afterwards = last.draws.map(({ id }) => (isWrong(last.model, id) ? 1 : 0))
    const { value, low, high } = last.estimate!
    results.error.push(value - target)
    if (low !== null && high !== null && (target < low || target > high)) misses++
    if (isOpen) results.intervals = verdict(k + 1, misses, { caught: 0.1 })
    results.naive.push(losses.reduce((a: number, b) => a + b, 0) / Math.max(1, losses.length) - target)
    const after = poolMean(strategy.design.name, last.draws, afterwards, last.survey.points)
    results.leaked.push(after - errorOver(last.model, (id) => !seen.has(id)))
  }
  return results
}

const rowOf = new Map(ids.map((id, row) => [id, row]))
const into = new Float64Array(1)

function isWrong(model: Round['model'], id: string): boolean {
  scorerOf(model)(features, rowOf.get(id)!, into)
  return (into[0]! >= 0 ? 'yes' : 'no') !== truth.get(id)
}

function errorOver(model: Round['model'], includes: (id: string) => boolean): number {
  const chosen = ids.filter(includes)
  return chosen.filter((id) => isWrong(model, id)).length / chosen.length
}

describe.each(['alis', 'iwal', 'paper', 'paper-replacement', 'uniform'] as const)('the estimate of strategy %s', (name) => {
  it('is unbiased for the model before the round; with the model after it, or without weights, it is not', async () => {
    const { error, naive, leaked, intervals } = await replay(strategies[name])
    expect(intervals).toBe('as promised')
    const fair = summary(error)
    expect(Math.abs(fair.mean)).toBeLessThan(Z * fair.standardError)

    // Broken twins. Under uniform draws forgetting the weights costs nothing, and the paper's own draws are nearly
    // uniform here; a model scored on the answers it has just learned from always looks better than it is.
    if (name === 'alis' || name === 'iwal') {
      const forgotten = summary(naive)
      expect(Math.abs(forgotten.mean)).toBeGreaterThan(Z * forgotten.standardError)
    }
    const leak = summary(leaked)
    expect(leak.mean).toBeLessThan(-Z * leak.standardError)
  })
})
