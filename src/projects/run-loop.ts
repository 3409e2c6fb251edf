import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Model } from '../core/model.ts'
import type { Label } from '../core/record.ts'
import type { Engine } from '../engines/engine.ts'
import { memoryEngine } from '../engines/memory.ts'
import { importLabels } from '../import-labels.ts'
import type { Learner } from '../learners/learner.ts'
import { learn, type Round } from '../loop.ts'
import type { Oracle } from '../oracles/oracle.ts'
import { memoryStore } from '../stores/memory.ts'
import type { Store } from '../stores/store.ts'
import type { Strategy } from '../strategies/strategy.ts'
import { evaluate, type TestResult } from './evaluate.ts'
import type { PoolData } from './pools/pool-data.ts'

export interface RunOptions {
  readonly strategy: Strategy
  readonly learner: Learner<Model>
  readonly start: number
  readonly batch: number
  readonly rounds?: number | undefined
  readonly budget?: number | undefined
  readonly weighting?: number | undefined
  readonly delta: number
  readonly seed: number
  readonly seedChosen: boolean
  readonly signal?: AbortSignal
  /** Labels that are there before the first draw. */
  readonly given?: ReadonlyMap<string, Label> | undefined
}

/** A round and how its model does on the test rows, where there are any. */
export interface TestedRound extends Round<Model> {
  readonly test?: TestResult
}

/** Where answers come from and where they are kept, if not from the label column and in memory. */
export interface Parts {
  readonly oracle?: (engine: Engine) => Oracle
  readonly store?: Store
}

/** Runs the loop. */
export async function* runLoop(
  { engine: open, answers, test, classes }: PoolData,
  options: RunOptions,
  { store = memoryStore(), oracle: make }: Parts = {},
): AsyncGenerator<TestedRound, void> {
  const { rounds, budget, weighting, signal, learner, given, ...plan } = options
  const engine = open()
  const testEngine = test && memoryEngine(test)
  const limits = {
    ...(rounds && { rounds }),
    ...(budget && { budget }),
    ...(weighting !== undefined && { weighting }),
    ...(signal && { signal }),
  }
  if (given) await importLabels({ engine, store, classes, ...plan, labels: given, annotator: 'given' })
  const oracle = make?.(engine) ?? answers!() // callers see to it that one of the two is there
  try {
    for await (const round of learn({ engine, store, oracle, learner, classes, ...plan, ...limits })) {
      await nextTurn() // let Ctrl-C and the progress bar through: arithmetic alone never gives way
      yield testEngine ? { ...round, test: await evaluate(round.model, learner.loss, testEngine, test.labels) } : round
    }
  } finally {
    await oracle.close()
  }
}
