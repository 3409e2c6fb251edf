import { predictedClass, scorerOf, scoresPerPoint } from '../../src/core/model.ts'
import type { Engine } from '../../src/engines/engine.ts'
import { fastEngine } from '../../src/engines/kernels/engine.ts'
import { memoryEngine } from '../../src/engines/memory.ts'
import { logisticLearner } from '../../src/learners/margin-learner.ts'
import { multinomialLearner } from '../../src/learners/multinomial.ts'
import { learn } from '../../src/loop.ts'
import { columnOracle } from '../../src/oracles/column.ts'
import { memoryStore } from '../../src/stores/memory.ts'
import { alis } from '../../src/strategies/alis.ts'
import { type BenchPool, medianOf, modelOf, randomPool, type Timing, tenOf, timed } from './pool.ts'

export interface LoopCase {
  readonly points: number
  readonly columns: number
  readonly classes: 2 | 10
}

/** Pools as people have them: in the first three the default strategy looks at the boundary too, in the last it reads scores alone. */
export const loopCases: readonly LoopCase[] = [
  { points: 20_000, columns: 64, classes: 2 },
  { points: 200_000, columns: 20, classes: 2 },
  { points: 100_000, columns: 20, classes: 10 },
  { points: 1_000_000, columns: 20, classes: 2 },
]

/** A whole round of `learn()`, as `alis run` goes through it: draw 40, put them on record, ask, fit, measure. With kernels, and by the reference. */
export async function measureLoop(own: LoopCase): Promise<{ fast: Timing; reference: Timing }> {
  const pool = randomPool(own.points, own.columns)
  return {
    fast: await timeRounds(fastEngine(pool), pool, own, 20),
    reference: await timeRounds(memoryEngine(pool), pool, own, 5),
  }
}

async function timeRounds(engine: Engine, pool: BenchPool, own: LoopCase, count: number): Promise<Timing> {
  const rounds = learn({ ...planFor(engine, pool, own), rounds: count })
  const times: Timing[] = []
  for (let isDone = false; !isDone; ) times.push(await timed(async () => (isDone = (await rounds.next()).done ?? false)))
  await engine.close()
  return medianOf(times.slice(2, -1)) // the first are to warm up, the last says that there are no more
}

/** To learn what a linear model says of the points. */
function planFor(engine: Engine, pool: BenchPool, { columns, classes: number }: LoopCase) {
  const truth = number === 2 ? modelOf(columns, 1) : tenOf(columns, 1)
  const { classes } = truth
  const score = scorerOf(truth)
  const scores = new Float64Array(scoresPerPoint(truth))
  const labels = new Map(
    pool.ids.map((id, row) => {
      score(pool.features, row, scores)
      return [id, classes[predictedClass(scores)]!]
    }),
  )
  const learner = number === 2 ? logisticLearner() : multinomialLearner()
  const parts = { engine, store: memoryStore(), oracle: columnOracle(labels), learner, strategy: alis, classes }
  return { ...parts, seed: 1, start: 40, batch: 40 }
}
