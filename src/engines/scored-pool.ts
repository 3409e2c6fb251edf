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
  /** The class that the model gives to each row, for those whose rows are in the same order in every snapshot. */
  classes?(): Promise<RowClasses>
  close(): Promise<void>
}

/** The scores of an earlier model, where they are kept. */
type Kept = (model: ColumnModel) => Promise<ScoreSnapshot | undefined>

/** A pool whose scores are refreshed from outside. */
export interface ScoredPool {
  readonly size: number
  readonly hash: string
  /** Takes a new snapshot of the columns: what is there now is the model from now on, for every engine. */
  look(): Promise<ColumnModel>
  engine(): Engine
  close(): Promise<void>
}

/** `snapshot`: of the columns as they are; gives the latest one again if nothing has changed since. `kept`: of models before. */
export async function scoredPool(snapshot: (latest?: ScoreSnapshot) => Promise<ScoreSnapshot>, kept?: Kept): Promise<ScoredPool> {
  let latest = await snapshot()
  let before: ScoreSnapshot | undefined // an engine may still be at work with it
  const { points, size } = latest
  const reopened = kept && keepTwo(kept)
  const earlier: Kept = async (model) => (before?.model.id === model.id && reopened ? before : reopened?.of(model))
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
    engine: () => engineOver(() => latest, earlier),
    async close() {
      await reopened?.close()
      await before?.close()
      await latest.close()
    },
  }
}

/** Opens the scores of earlier models, and holds the last two: an engine may be at work with one. */
function keepTwo(open: Kept): { readonly of: Kept; close(): Promise<void> } {
  let held: readonly ScoreSnapshot[] = []
  return {
    async of(model) {
      const known = held.find((each) => each.model.id === model.id)
      if (known) return known
      const opened = await open(model)
      if (!opened) return undefined
      await Promise.all(held.slice(1).map((each) => each.close()))
      held = [opened, ...held.slice(0, 1)]
      return opened
    },
    async close() {
      for (const each of held) await each.close()
    },
  }
}

/** An engine that follows the snapshots: each has an engine of its own, which is told what was taken before. */
function engineOver(latest: () => ScoreSnapshot, kept: Kept): Engine {
  const taken = new Set<string>()
  const classes = keptClasses<RowClasses>()
  const engineOf = (snapshot: ScoreSnapshot) => {
    const engine = snapshot.engine(classes)
    return { snapshot, engine, ready: taken.size > 0 ? engine.take([...taken]) : Promise.resolve() }
  }
  let own = engineOf(latest())
  let other: typeof own | undefined // of a model before

  const current = async (): Promise<Engine> => {
    if (own.snapshot !== latest()) own = engineOf(latest())
    const { engine, ready } = own
    await ready
    return engine
  }
  const holding = async (model: Model): Promise<Engine> => {
    const engine = await current()
    if (model.id === own.snapshot.model.id) return engine
    const earlier = model.kind === 'columns' ? await kept(model) : undefined
    if (earlier) {
      if (other?.snapshot !== earlier) other = engineOf(earlier)
      const { engine, ready } = other
      await ready
      return engine
    }
    throw new AlisError(
      'bad-input',
      `scores: the columns must hold the model ${model.id.slice(0, 19)}…, got ${own.snapshot.model.id.slice(0, 19)}…`,
      'They were refreshed since. Numbers about one model cannot be had from the scores of another.',
    )
  }

  const take = async (ids: readonly string[]) => {
    await (await current()).take(ids)
    for (const id of ids) taken.add(id)
    await other?.engine.take(ids)
  }

  /** Classes of models before are kept from one comparison to the next; after a restart they are read again. */
  const compare: Engine['compare'] = async (request, signal) => {
    const engine = await holding(request.model)
    for (const each of request.earlier) {
      if (each.kind !== 'columns' || classes.of(each)) continue
      const found = await (await kept(each))?.classes?.()
      if (found) classes.add(each, found)
    }
    return engine.compare(request, signal)
  }

  return {
    name: own.engine.name,
    size: own.engine.size,
    columns: own.engine.columns,
    survey: async (request, signal) => (await holding(request.model)).survey(request, signal),
    compare,
    stratified: (model, stratify) => ({
      ...stratifiedOver(
        () => holding(model),
        (engine) => engine.stratified(model, stratify),
      ),
      size: own.engine.size,
      take,
    }),
    ...(own.engine.requireDrawable && { requireDrawable: own.engine.requireDrawable }),
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

/** Strata of the engine that holds a model now; as long as that is the same engine, they are found once. */
function stratifiedOver(
  holding: () => Promise<Engine>,
  stratify: (engine: Engine) => StratifiedPool,
): Pick<StratifiedPool, 'counts' | 'draw' | 'codesOf'> {
  let kept: { readonly engine: Engine; readonly pool: StratifiedPool } | undefined
  const pool = async (): Promise<StratifiedPool> => {
    const engine = await holding()
    if (kept?.engine !== engine) kept = { engine, pool: stratify(engine) }
    return kept.pool
  }
  return {
    counts: async (signal) => (await pool()).counts(signal),
    draw: async (request, signal) => (await pool()).draw(request, signal),
    codesOf: async (ids, signal) => (await pool()).codesOf(ids, signal),
  }
}
