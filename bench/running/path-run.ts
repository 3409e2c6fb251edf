import { type RoundView, RunningLimits } from '../../src/certificates/running.ts'
import type { ReadDraw, RunningRound } from '../../src/certificates/running-readings.ts'
import { expectedLossOf, type Reader } from '../../src/core/belief.ts'
import { type Model, predictedClass } from '../../src/core/model.ts'
import type { RoundFacts } from '../../src/core/record.ts'
import { fastEngine } from '../../src/engines/kernels/engine.ts'
import { type LearnPlan, learn, type RoundNow } from '../../src/loop.ts'
import { errorOf } from '../../src/losses/error.ts'
import { columnOracle } from '../../src/oracles/column.ts'
import { memoryStore } from '../../src/stores/memory.ts'
import { strategies } from '../../src/strategies/catalogue.ts'
import { errorsOf, samplePool } from './known-pool.ts'
import { cases } from './path-cases.ts'

/** A path of learning, by the position of its case. Plain data: it goes to a worker. */
export interface PathRun {
  readonly path: number
  readonly seed: number
}

export interface PathOutcome {
  /** Whether the interval after any round left out the errors of its model. */
  readonly isMissed: boolean
  /** Whether, at the end of any round, an interval for some model could have: the wealth against the truth reached 1/α. */
  readonly isAnyMissed: boolean
  readonly faults: readonly string[]
  /** After the last round. */
  readonly error: number
  readonly low: number
  readonly high: number
}

const { suited: _, ...byScoresAlone } = strategies.alis // in a small pool it would spend its time on matrices

/** Learns to the end of the budget, and compares every interval with the truth. */
export async function runPath({ path, seed }: PathRun): Promise<PathOutcome> {
  const { recipe, learner: make, budget, batch = 10, start = 10, strategy = byScoresAlone } = cases[path]!
  const pool = await samplePool(recipe, seed)
  const { ids, features, classes, truth } = pool
  const store = memoryStore()
  const engine = fastEngine({ ids, features })
  const learner = make(pool, seed)
  const oracle = columnOracle(new Map(ids.map((id, i) => [id, classes[truth[i]!]!])))
  const plan: LearnPlan<Model> = { engine, store, oracle, learner, strategy, classes, seed, start, batch, budget }
  const left = new Set(ids.keys())
  const rowOf = new Map(ids.map((id, i) => [id, i]))
  const errors: number[] = [] // after each round
  const faults: string[] = []
  let isMissed = false
  let last: { error: number; now: RoundNow } | undefined
  for await (const { draws, model, now, labels } of learn(plan)) {
    for (const { id } of draws) left.delete(rowOf.get(id)!)
    errors.push(errorsOf(model, pool, left))
    if (!now) continue
    const error = errors.at(-1)! / left.size
    isMissed ||= error < now.low - 1e-12 || error > now.high + 1e-12
    if (!(0 <= now.low && now.low <= now.value && now.value <= now.high && now.high <= 1))
      faults.push(`seed ${seed}, ${labels} labels: ${JSON.stringify(now)}`)
    last = { error, now }
  }
  await engine.close()
  const { error, now } = last!
  return {
    isMissed,
    isAnyMissed: isOvertaken(await store.rounds(), errors, { classes, loss: learner.loss }),
    faults,
    error,
    low: now.low,
    high: now.high,
  }
}

/** How scores are read. */
interface Reading {
  readonly classes: readonly string[]
  readonly loss: Reader
}

/** Whether the martingale of the proof ever reaches 1/α: `errors[t]` are those of the model of round t + 1 among its points. */
function isOvertaken(rounds: readonly RoundFacts[], errors: readonly number[], reading: Reading): boolean {
  const limits = new RunningLimits()
  const conclusive = -Math.log((1 - limits.level) / 2)
  const views: RoundView[] = []
  for (const [t, round] of rounds.entries()) {
    limits.add(readingOf(round, reading))
    const own = t === 0 ? 0 : errors[t - 1]!
    views.push({ mostErrors: own, leastErrors: own, differing: 0, added: 0, gone: 0 })
    if ((['upper', 'lower'] as const).some((side) => limits.logWealth(side, 0, views) >= conclusive)) return true
  }
  return false
}

function readingOf({ stream, survey, draws, answers, design, size }: RoundFacts, { classes, loss }: Reading): RunningRound {
  const error = errorOf(loss)
  const read = draws.map(({ id, mass, probability, scores }): ReadDraw => {
    const loss = classes[predictedClass(scores)] === answers.get(id) ? 0 : 1
    return { loss, mass, probability, predictedLoss: expectedLossOf(error, scores) }
  })
  const { points, mass, controls } = survey
  const totals = { points, mass, ...controls[0]!, isLearned: stream !== 'learn/0', expected: size }
  return { ...totals, design: design as RunningRound['design'], draws: read }
}
