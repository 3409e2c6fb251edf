import { AlisError, requireInput } from '../core/errors.ts'
import type { ColumnModel, Model } from '../core/model.ts'
import type { StratifiedPool } from '../core/strata.ts'
import type { Engine } from './engine.ts'
import { type KeptClasses, keptClasses } from './kept-classes.ts'
import type { RowClasses } from './row-classes.ts'

/** Columns of scores as they were at one moment: the model that they are, and engines over all points that have these scores. */
export interface ScoreSnapshot {
  readonly model: ColumnModel
  readonly size: number
  /** What identifies the points, whatever is said of them. */
  readonly points: string
  /** `classes`: what engines over earlier snapshots have kept, for those whose rows are in the same order in every snapshot. */
  engine(classes?: KeptClasses<RowClasses>): Engine
  close(): Promise<void>
}

/** A pool whose scores are refreshed from outside. */
export interface ScoredPool {
  readonly size: number
  readonly hash: string
  /** Takes a new snapshot of the columns: what is there now is the model from now on, for every engine. */
  look(): Promise<ColumnModel>
  engine(): Engine
  close(): Promise<void>
}

/** `snapshot`: of the columns as they are; gives the latest one again if nothing has changed since. */
export async function scoredPool(snapshot: (latest?: ScoreSnapshot) => Promise<ScoreSnapshot>): Promise<ScoredPool> {
  let latest = await snapshot()
  let before: ScoreSnapshot | undefined // an engine may still be at work with it
  const { points, size } = latest
  return {
    size,
    hash: points,
    async look() {
      const now = await snapshot(latest)
      if (now === latest) return now.model
      if (now.points !== points) await now.close()
      requireInput(
        now.points === points,
        'scores: the points must be those that were there when the pool was opened, got others',
        'Refresh the scores of all points, and keep their ids. Other points are another project.',
      )
      await before?.close()
      before = latest
      latest = now
      return now.model
    },
    engine: () => engineOver(() => latest),
    async close() {
      await before?.close()
      await latest.close()
    },
  }
}

/** An engine that follows the snapshots: each has an engine of its own, which is told what was taken before. */
function engineOver(latest: () => ScoreSnapshot): Engine {
  const taken = new Set<string>()
  const classes = keptClasses<RowClasses>()
  let snapshot = latest()
  let own = snapshot.engine(classes)
  let ready = Promise.resolve()

  const current = async (): Promise<Engine> => {
    if (snapshot !== latest()) {
      snapshot = latest()
      own = snapshot.engine(classes)
      ready = own.take([...taken])
    }
    await ready
    return own
  }
  const holding = async (model: Model): Promise<Engine> => {
    const engine = await current()
    if (model.id === snapshot.model.id) return engine
    throw new AlisError(
      'bad-input',
      `scores: the columns must hold the model ${model.id.slice(0, 19)}…, got ${snapshot.model.id.slice(0, 19)}…`,
      'They were refreshed since. Numbers about one model cannot be had from the scores of another.',
    )
  }

  const take = async (ids: readonly string[]) => {
    await (await current()).take(ids)
    for (const id of ids) taken.add(id)
  }

  return {
    name: own.name,
    size: own.size,
    columns: own.columns,
    survey: async (request, signal) => (await holding(request.model)).survey(request, signal),
    moment: async (request, weight, signal) => (await holding(request.model)).moment(request, weight, signal),
    compare: async (request, signal) => (await holding(request.model)).compare(request, signal),
    stratified(model, stratify) {
      let kept: { readonly engine: Engine; readonly pool: StratifiedPool } | undefined
      const stratified = async (): Promise<StratifiedPool> => {
        const engine = await holding(model)
        if (kept?.engine !== engine) kept = { engine, pool: engine.stratified(model, stratify) }
        return kept.pool
      }
      return {
        size: own.size,
        counts: async (signal) => (await stratified()).counts(signal),
        draw: async (request, signal) => (await stratified()).draw(request, signal),
        codesOf: async (ids, signal) => (await stratified()).codesOf(ids, signal),
        take,
      }
    },
    draw: async (request, signal) => (await holding(request.model)).draw(request, signal),
    take,
    features: async (ids) => (await current()).features(ids),
    contents: async (ids) => (await current()).contents(ids),
    async *predictions(model, loss) {
      yield* (await holding(model)).predictions(model, loss)
    },
    async close() {}, // the pool closes its snapshots
  }
}
