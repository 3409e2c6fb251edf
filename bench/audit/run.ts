import { audit } from '../../src/audit.ts'
import { memoryEngine } from '../../src/engines/memory.ts'
import { columnOracle } from '../../src/oracles/column.ts'
import { memoryStore } from '../../src/stores/memory.ts'
import { auditColumns, classes, makePool, type PoolRecipe } from './pools.ts'

/** One whole audit of one made pool. Plain data: it goes to a worker. */
export interface Run extends PoolRecipe {
  readonly strategy?: 'alis-audit' | 'uniform'
  /** `steady`: bets tuned to the tolerance; `open`: the audit is not told of it, and is looked at after every round of 50. */
  readonly bets: 'steady' | 'open'
  readonly tolerance: number
}

export interface Outcome {
  /** Answers until the interval was as narrow as ± tolerance. */
  readonly answers: number
  /** Whether the interval ever left out the true error on the way there. */
  readonly isMissed: boolean
}

export async function runAudit({ strategy = 'alis-audit', bets, tolerance, ...recipe }: Run): Promise<Outcome> {
  const pool = makePool(recipe)
  const { features, truth } = auditColumns(pool)
  const rounds = audit({
    engine: memoryEngine({ ids: pool.ids, features }),
    store: memoryStore(),
    oracle: columnOracle(truth),
    model: { kind: 'columns', id: 'predictions', classes: ['right', 'wrong'], columns: 2 },
    classes,
    strategy,
    seed: recipe.seed,
    ...(bets === 'steady' ? { tolerance } : { budget: recipe.size }),
  })
  let outcome: Outcome = { answers: 0, isMissed: false }
  for await (const { interval } of rounds) {
    const { low, high, answers } = interval
    // Limits only ever tighten, so what was left out at some answer within a round is still out at its end.
    outcome = { answers, isMissed: outcome.isMissed || pool.error < low || pool.error > high }
    if ((high - low) / 2 <= tolerance) break
  }
  return outcome
}
