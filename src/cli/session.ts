import { randomBytes } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { AlisError } from '../core/errors.ts'
import { didYouMean } from '../core/nearest-name.ts'
import type { Label } from '../core/record.ts'
import type { Engine } from '../engines/engine.ts'
import { memoryEngine } from '../engines/memory.ts'
import type { Recipe } from '../features/recipe.ts'
import type { Wishes } from '../features/roles.ts'
import { give } from '../given.ts'
import type { Learner } from '../learners/learner.ts'
import { learn, type Round } from '../loop.ts'
import { columnOracle } from '../oracles/column.ts'
import type { Oracle } from '../oracles/oracle.ts'
import { openTable } from '../sources/duckdb-file.ts'
import { memoryStore } from '../stores/memory.ts'
import type { Store } from '../stores/store.ts'
import type { Strategy } from '../strategies/strategy.ts'
import { type Classes, classesOf } from './classes.ts'
import { evaluate, type TestResult } from './evaluate.ts'
import { applyFeatures, drawLots, engineOver, learnFeatures, type OpenFile, openFile, type Points } from './pool.ts'

export interface DataOptions extends Wishes {
  readonly positive?: string | undefined
  /** Needed where no column has labels. */
  readonly classes?: readonly string[] | undefined
  /** A share of the rows, or the path of another file. */
  readonly test?: number | string | undefined
  /** Files whose points joined the pool later. */
  readonly added?: readonly string[] | undefined
}

/** A pool with its classes, and the rows set aside to test on. */
export interface LoadedData {
  readonly file: OpenFile
  readonly pool: Points
  readonly test: (Points & { readonly labels: ReadonlyMap<string, Label> }) | undefined
  readonly classes: Classes
  readonly recipe: Recipe
}

/** Reads a file and sets the test rows aside: by lot of `seed`, or from a file of their own. */
export async function loadData(
  path: string,
  { test: wanted, positive, classes: given, added, ...wishes }: DataOptions,
  seed: number,
  progress?: (rows: number, total: number) => void,
): Promise<LoadedData> {
  const file = await openFile(path, wishes, added)
  const isAside = typeof wanted === 'number' ? drawLots(file, wanted, seed) : () => false
  const { recipe, points: pool } = await learnFeatures(file, isAside, (rows) => progress?.(rows, file.ids.length))
  const data = { file, pool, recipe }
  if (wishes.label === undefined) return { ...data, test: undefined, classes: { names: given ?? [], labels: new Map() } }
  if (typeof wanted !== 'string') {
    const classes = classesOf(wishes.label, file.labels, positive)
    const rows = file.order.filter(isAside)
    const test = rows.length > 0 ? { ...(await applyFeatures(file, recipe, rows)), labels: classes.labels } : undefined
    return { ...data, test, classes }
  }
  await requireColumns(wanted, [wishes.label, ...recipe.parts.map(({ column }) => column)])
  const other = await openFile(wanted, { ...wishes, features: recipe.parts.map(({ column }) => column) })
  const points = await applyFeatures(other, recipe, other.order)
  await other.table.close()
  const classes = classesOf(
    wishes.label,
    new Map([...prefixed('pool', file.labels), ...prefixed('test', other.labels)]),
    positive,
  )
  const own = (kind: string) =>
    new Map([...classes.labels].flatMap(([id, label]) => (id.startsWith(`${kind}:`) ? [[id.slice(5), label]] : [])))
  return { ...data, test: { ...points, labels: own('test') }, classes: { ...classes, labels: own('pool') } }
}

/** A file to test on must have what the pool was learned from, and the labels. */
async function requireColumns(path: string, needed: readonly string[]): Promise<void> {
  const { columns, close } = await openTable(path)
  await close()
  const names = columns.map(({ name }) => name)
  const missing = needed.find((name) => !names.includes(name))
  if (missing === undefined) return
  const message = `${path}: must have the columns of the pool, got no ${JSON.stringify(missing)}`
  throw new AlisError('bad-input', message, didYouMean(missing, names) ?? `The columns are ${names.slice(0, 12).join(', ')}.`)
}

const prefixed = (kind: string, labels: ReadonlyMap<string, Label>) =>
  [...labels].map(([id, label]): [string, Label] => [`${kind}:${id}`, label])

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
  /** Labels that are there before the first draw. */
  readonly given?: ReadonlyMap<string, Label> | undefined
}

/** A round and how its model does on the test rows, where there are any. */
export interface TestedRound extends Round {
  readonly test?: TestResult
}

/** Where answers come from and where they are kept, if not from the label column and in memory. */
export interface Parts {
  readonly oracle?: (engine: Engine) => Oracle
  readonly store?: Store
}

/** Runs the loop. */
export async function* simulate(
  { file, pool, test, classes }: LoadedData,
  options: RunOptions,
  { store = memoryStore(), oracle: make = () => columnOracle(labelsOf(pool, classes)) }: Parts = {},
): AsyncGenerator<TestedRound, void> {
  const { rounds, budget, weighting, signal, learner, given, ...plan } = options
  const engine = engineOver(file, pool)
  const testEngine = test && memoryEngine(test)
  const limits = {
    ...(rounds && { rounds }),
    ...(budget && { budget }),
    ...(weighting !== undefined && { weighting }),
    ...(signal && { signal }),
  }
  if (given) await give({ engine, store, classes: classes.names, ...plan, labels: given, annotator: 'given' })
  const oracle = make(engine)
  try {
    for await (const round of learn({ engine, store, oracle, learner, classes: classes.names, ...plan, ...limits })) {
      await nextTurn() // let Ctrl-C and the progress bar through: arithmetic alone never gives way
      yield testEngine ? { ...round, test: await evaluate(round.model, learner.loss, testEngine, test.labels) } : round
    }
  } finally {
    await oracle.close()
  }
}

export function labelsOf({ ids }: Points, { labels }: Classes): Map<string, Label> {
  return new Map(ids.map((id) => [id, labels.get(id) ?? null]))
}

/** A seed nobody chose: 53 bits from the operating system. */
export function freshSeed(): number {
  return Number(randomBytes(8).readBigUInt64LE() >> 11n)
}
