import { setTimeout as pause } from 'node:timers/promises'
import { dense } from '../../src/core/features.ts'
import { uniform } from '../../src/core/randomness.ts'
import { memoryEngine } from '../../src/engines/memory.ts'
import { logisticLearner } from '../../src/learners/margin-learner.ts'
import type { LearnPlan } from '../../src/loop.ts'
import { columnOracle } from '../../src/oracles/column.ts'
import type { Store } from '../../src/stores/store.ts'
import { alis } from '../../src/strategies/alis.ts'

const size = 400
const columns = 3
const ids = Array.from({ length: size }, (_, i) => `p${i}`)
const values = Float32Array.from({ length: size * columns }, (_, k) => 2 * uniform(1, 'feature', `${k}`) - 1)
const labels = ids.map((id, i) => {
  if (uniform(1, 'unclear', id) < 0.05) return null
  return 4 * values[i * columns]! - 3 * values[i * columns + 1]! + 2 * uniform(1, 'noise', id) > 1 ? 'yes' : 'no'
})
const truth = columnOracle(new Map(ids.map((id, i) => [id, labels[i]!])))

/** A run small enough to be done many times over. `thinking`: ms before each answer, so that no disk is too fast to be killed at. */
export function smallRun(store: Store, seed: number, { budget = 300, thinking = 0 } = {}): LearnPlan {
  return {
    engine: memoryEngine({ ids, features: dense(values, columns) }),
    store,
    oracle: {
      name: 'thoughtful',
      async *label(asked, signal) {
        for await (const answer of truth.label(asked, signal)) {
          if (thinking > 0) await pause(thinking)
          yield answer
        }
      },
      close: () => truth.close(),
    },
    learner: logisticLearner(),
    strategy: alis,
    classes: ['no', 'yes'],
    seed,
    budget,
  }
}
