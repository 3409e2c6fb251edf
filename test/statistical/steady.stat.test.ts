import { expect, it } from 'vitest'
import { dense } from '../../src/core/features.ts'
import { scorerOf } from '../../src/core/model.ts'
import { uniform } from '../../src/core/randomness.ts'
import { memoryEngine } from '../../src/engines/memory.ts'
import { logisticLearner } from '../../src/learners/margin-learner.ts'
import { learn } from '../../src/loop.ts'
import { columnOracle } from '../../src/oracles/column.ts'
import { memoryStore } from '../../src/stores/memory.ts'
import { alis } from '../../src/strategies/alis.ts'
import { type Estimate, estimateOf } from '../../src/strategies/round-estimate.ts'
import { intervalsOnlyIn, verdict } from './misses.ts'
import { firstSeed, summary, Z } from './seeds.ts'

// Every round is drawn with the model of the start, which knows next to nothing: masses as far from the newest model as can be.
const { suited: _, ...byScoresAlone } = alis
const strategy = { ...byScoresAlone, steady: Number.POSITIVE_INFINITY }
const learner = logisticLearner()
const classes = ['no', 'yes']
const runs = 400

const columns = 4
const ids = Array.from({ length: 300 }, (_, i) => `p${i}`)
const features = dense(
  Float32Array.from({ length: ids.length * columns }, (_, k) => 2 * uniform(5, 'feature', `${k}`) - 1),
  columns,
)
const truth = new Map(
  ids.map((id, row) => [id, features.dot(row, Float64Array.of(3, -2, 1, 0)) > uniform(5, 'noise', id) - 0.5 ? 'yes' : 'no']),
)

interface Told {
  readonly error: number
  readonly estimate: Estimate
  /** By the scores that gave the masses. */
  readonly mistaken: Estimate
}

it('what a round says of the newest model is right on average, and as often as it says, with the masses of an earlier one', async () => {
  const told: Told[] = []
  let intervals = 'open'
  let misses = 0
  for (let k = 0; k < runs; k++) {
    const isOpen = intervals === 'open'
    const { estimate, error, mistaken } = await lastRound(firstSeed + k, isOpen ? 'learn/3' : undefined)
    told.push({ estimate, error, mistaken })
    if (!isOpen) continue
    if (error < estimate.low! || error > estimate.high!) misses++
    intervals = verdict(k + 1, misses, { caught: 0.15 })
  }
  expect(intervals).toBe('as promised')

  const off = summary(told.map(({ estimate, error }) => estimate.value - error))
  expect(Math.abs(off.mean)).toBeLessThan(Z * off.standardError)
  const mistaken = summary(told.map(({ mistaken, error }) => mistaken.value - error))
  expect(mistaken.mean).toBeGreaterThan(Z * mistaken.standardError) // it is about the model of the start
})

/** `measured`: the round that has an interval. */
async function lastRound(seed: number, measured: string | undefined): Promise<Told> {
  const store = memoryStore()
  const engine = intervalsOnlyIn(measured, memoryEngine({ ids, features }))
  const plan = { engine, store, oracle: columnOracle(truth), learner, strategy, classes }
  const rounds = await Array.fromAsync(learn({ ...plan, seed, start: 5, batch: 30, rounds: 3 }))
  const [before, last] = rounds.slice(-2)
  const known = new Set(rounds.slice(0, -1).flatMap(({ draws }) => draws.map(({ id }) => id)))
  const left = [...ids.keys()].filter((row) => !known.has(ids[row]!))
  const score = scorerOf(before!.model)
  const own = new Float64Array(1)
  const isWrong = (row: number) => {
    score(features, row, own)
    return (own[0]! >= 0 ? 'yes' : 'no') !== truth.get(ids[row]!)
  }
  const opening = (await store.rounds()).at(-1)!
  const draws = opening.draws.map(({ latest, ...draw }) => draw)
  return {
    error: left.filter(isWrong).length / left.length,
    estimate: last!.estimate!,
    mistaken: estimateOf({ learner, classes }, { ...opening, draws }, last!.answers)!,
  }
}
