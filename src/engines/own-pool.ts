import { canonicalOrder } from '../core/canonical-order.ts'
import { chanceModel, chanceSums, identityOfPoints, scoresOfChances } from '../core/chances.ts'
import { requireInput } from '../core/errors.ts'
import { dense } from '../core/features.ts'
import type { ColumnModel } from '../core/model.ts'
import type { PointHashes } from '../core/randomness.ts'
import type { OwnScores, ScoreKeeper } from '../learners/own-learner.ts'
import type { Engine } from './engine.ts'
import { memoryEngine } from './memory.ts'
import { classesFrom } from './row-classes.ts'
import { type ScoredPool, type ScoreSnapshot, scoredPool } from './scored-pool.ts'

/** Chances of points in memory, in the canonical order of their ids. */
interface ChancesInMemory {
  readonly ids: readonly string[]
  readonly hashes: PointHashes
  /** One for two classes: of the second. */
  readonly chances: readonly Float32Array[]
  readonly classes: readonly string[]
  readonly name?: string | undefined
  contents?: Engine['contents'] | undefined
}

export function memorySnapshot({ ids, hashes, chances, classes, name, contents }: ChancesInMemory): ScoreSnapshot {
  const scores = new Float64Array(chances.length * ids.length)
  for (let i = 0; i < ids.length; i++) scores.set(scoresOfChances(chances.map((column) => column[i]!)), i * chances.length)
  const points = { ids, hashes, features: dense(scores, chances.length) }
  const sums = chanceSums(hashes, chances)
  const model = chanceModel(sums, classes, name)
  return {
    model,
    size: ids.length,
    points: identityOfPoints(sums),
    engine: (kept) => ({ ...memoryEngine({ ...points, ...(kept && { classes: kept }) }), ...(contents && { contents }) }), // rows are in canonical order
    classes: () => classesFrom(model, [scores], ids.length),
    async close() {},
  }
}

/** A pool whose models are fitted elsewhere: where their scores are kept, and engines that have them. */
export interface OwnPool<Scores = OwnScores> extends ScoreKeeper<Scores>, Pick<ScoredPool, 'size' | 'engine' | 'close'> {}

interface SnapshotSource<Scores> {
  readonly classes: readonly string[]
  blank(): Promise<ScoreSnapshot>
  /** Of the model that was fitted to these labels. */
  known(labels: string): Promise<ScoreSnapshot | undefined>
  /** Checks scores, and keeps them. */
  take(scores: Scores, labels: string): Promise<ScoreSnapshot>
  /** Of any model that is kept. */
  kept(model: ColumnModel): Promise<ScoreSnapshot | undefined>
}

/** A pool that turns from one model to the next as it is told to. */
export async function poolOfModels<Scores>(source: SnapshotSource<Scores>): Promise<OwnPool<Scores>> {
  let wanted = await source.blank()
  const blankId = wanted.model.id
  const pool = await scoredPool(
    async () => wanted,
    (model) => (model.id === blankId ? source.blank() : source.kept(model)),
  )
  const turnTo = (snapshot: ScoreSnapshot) => {
    wanted = snapshot
    return pool.look()
  }
  return {
    size: pool.size,
    engine: pool.engine,
    close: pool.close,
    classes: source.classes,
    blank: async () => (wanted.model.id === blankId ? wanted.model : turnTo(await source.blank())),
    async known(labels) {
      const snapshot = await source.known(labels)
      return snapshot && turnTo(snapshot)
    },
    keep: async (scores, labels) => turnTo(await source.take(scores, labels)),
  }
}

export interface OwnPoints {
  readonly ids: readonly string[]
  /** Two classes: negative first, positive second. */
  readonly classes: readonly string[]
  /** Columns that annotators are shown. */
  contents?: Engine['contents']
}

/** Points in memory of which a model of your own says everything: nothing else is known of them. */
export function ownPool({ ids: given, classes, contents }: OwnPoints): Promise<OwnPool> {
  const { order, hashes } = canonicalOrder(given)
  const ids = order.map((row) => given[row]!)
  const snapshotOf = (chances: readonly Float32Array[], name?: string) =>
    memorySnapshot({ ids, hashes, chances: classes.length === 2 ? chances.slice(1) : chances, classes, name, contents })
  return poolOfModels({
    classes,
    blank: async () => snapshotOf(classes.map(() => new Float32Array(ids.length).fill(1 / classes.length))),
    known: async () => undefined,
    take: async ({ identity, probabilities }) => snapshotOf(chancesOf(probabilities, ids, classes), identity),
    kept: async () => undefined,
  })
}

/** How far from 1 the probabilities of a point may add up: they may have been rounded. */
export const roundedBy = 0.01

/** The chances of all points, class by class. */
function chancesOf(said: OwnScores['probabilities'], ids: readonly string[], classes: readonly string[]): Float32Array[] {
  const columns = classes.map(() => new Float32Array(ids.length))
  for (const [i, id] of ids.entries()) {
    const own = said.get(id)
    requireInput(own !== undefined, `probabilities: every point is required, got none for ${JSON.stringify(id)}`)
    requireInput(
      own.length === classes.length &&
        own.every((p) => p >= 0 && p <= 1) &&
        Math.abs(own.reduce((a, b) => a + b, 0) - 1) <= roundedBy,
      `probabilities: ${classes.length} from 0 to 1 that add up to 1 are required, got [${own.join(', ')}] for ${JSON.stringify(id)}`,
    )
    for (const [k, column] of columns.entries()) column[i] = own[k]!
  }
  requireInput(said.size === ids.length, `probabilities: ${ids.length} points are required, got ${said.size}`)
  return columns
}
