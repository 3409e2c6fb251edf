import { randomBytes } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { requireInput } from '../core/errors.ts'
import type { Learner } from '../learners/learner.ts'
import { learn, type Round } from '../loop.ts'
import { columnOracle } from '../oracles/column.ts'
import { memoryStore } from '../stores/memory.ts'
import type { Strategy } from '../strategies/strategy.ts'
import { type Classes, classesOf } from './classes.ts'
import { evaluate, type TestResult } from './evaluate.ts'

import { buildEngines, type Columns, type LoadedRows, loadRows, splitRows } from './pool.ts'

export interface DataOptions extends Columns {
  readonly positive?: string | undefined
  /** A share of the rows, or the path of another file. */
  readonly test?: number | string | undefined
}

/** A pool with its classes, and the rows set aside to test on. */
export interface LoadedData {
  readonly pool: LoadedRows
  readonly test: LoadedRows | undefined
  readonly classes: Classes
}

/** Reads a file and sets the test rows aside: by lot of `seed`, or from a file of their own. */
export async function loadData(
  path: string,
  options: DataOptions,
  seed: number,
  progress?: (rows: number) => void,
): Promise<LoadedData> {
  const rows = await loadRows(path, options, progress)
  if (typeof options.test !== 'string') {
    const classes = classesOf(options.label, rows.labels, options.positive)
    if (options.test === undefined) return { pool: rows, test: undefined, classes }
    const { pool, test } = splitRows(rows, options.test, seed)
    requireInput(
      pool.ids.length > 0 && test.ids.length > 0,
      `test: both pool and test need points, got a share of ${options.test} of ${rows.ids.length}`,
    )
    return { pool, test, classes }
  }
  const other = await loadRows(options.test, { ...options, features: rows.names })
  const test = {
    ...other,
    ids: other.ids.map((id) => `test:${id}`),
    labels: new Map([...other.labels].map(([id, label]) => [`test:${id}`, label])),
  }
  const labels = new Map([...rows.labels, ...test.labels])
  return { pool: rows, test, classes: classesOf(options.label, labels, options.positive) }
}

export interface RunOptions {
  readonly strategy: Strategy
  readonly learner: Learner
  readonly start: number
  readonly batch: number
  readonly rounds?: number | undefined
  readonly budget?: number | undefined
  readonly weighting?: number | undefined
  readonly delta: number
  readonly seed: number
  readonly seedChosen: boolean
  readonly signal?: AbortSignal
}

/** A round and how its model does on the test rows, where there are any. */
export interface TestedRound extends Round {
  readonly test?: TestResult
}

/** Runs the loop with answers from the label column. */
export async function* simulate(
  { pool, test: testRows, classes }: LoadedData,
  options: RunOptions,
): AsyncGenerator<TestedRound, void> {
  const { rounds, budget, weighting, signal, learner, ...plan } = options
  const { engine, test } = buildEngines(pool, testRows)
  const oracle = columnOracle(new Map(pool.ids.map((id) => [id, classes.labels.get(id) ?? null])))
  const limits = {
    ...(rounds && { rounds }),
    ...(budget && { budget }),
    ...(weighting !== undefined && { weighting }),
    ...(signal && { signal }),
  }
  for await (const round of learn({
    engine,
    store: memoryStore(),
    oracle,
    learner,
    classes: classes.names,
    ...plan,
    ...limits,
  })) {
    await nextTurn() // let Ctrl-C and the progress bar through: arithmetic alone never gives way
    yield test ? { ...round, test: await evaluate(round.model, learner.loss, test, classes.labels) } : round
  }
}

/** A seed nobody chose: 53 bits from the operating system. */
export function freshSeed(): number {
  return Number(randomBytes(8).readBigUInt64LE() >> 11n)
}
