import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Model } from '../core/model.ts'
import type { Label } from '../core/record.ts'
import type { Engine } from '../engines/engine.ts'
import { memoryEngine } from '../engines/memory.ts'
import { importLabels } from '../import-labels.ts'
import { type LearnPlan, learn, type Round } from '../loop.ts'
import type { Oracle } from '../oracles/oracle.ts'
import { memoryStore } from '../stores/memory.ts'
import type { Store } from '../stores/store.ts'
import { evaluate, type TestResult } from './evaluate.ts'
import type { PoolData } from './pools/pool-data.ts'

/** A plan of learning, but for what the pool brings along. */
export interface RunOptions extends Omit<LearnPlan<Model>, 'engine' | 'store' | 'oracle' | 'classes'> {
  /** Labels that are there before the first draw. */
  readonly given?: ReadonlyMap<string, Label> | undefined
}

/** A round and how its model does on the test rows, where there are any. */
export interface TestedRound extends Round<Model> {
  readonly test?: TestResult
}

/** Where answers come from and where they are kept, if not from the label column and in memory. */
export interface RunParts {
  readonly oracle?: (engine: Engine) => Oracle
  readonly store?: Store
  /** Told of the engine before the first round, to look points up in. */
  readonly opened?: (engine: Engine) => void
}

export async function* runLoop(
  { engine: open, answers, test, classes }: PoolData,
  options: RunOptions,
  { store = memoryStore(), oracle: make, opened }: RunParts = {},
): AsyncGenerator<TestedRound, void> {
  const { given, ...plan } = options
  const engine = open()
  opened?.(engine)
  const testEngine = test && memoryEngine(test)
  if (given) await importLabels({ engine, store, classes, ...plan, labels: given, annotator: 'given' })
  const oracle = make?.(engine) ?? answers!() // callers see to it that one of the two is there
  try {
    for await (const round of learn({ engine, store, oracle, classes, ...plan })) {
      await nextTurn() // let Ctrl-C and the progress bar through: arithmetic alone never gives way
      yield testEngine ? { ...round, test: await evaluate(round.model, plan.learner.loss, testEngine, test.labels) } : round
    }
  } finally {
    await oracle.close()
  }
}
