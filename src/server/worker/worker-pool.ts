import { dirname, resolve } from 'node:path'
import { AlisError, requireInput } from '../../core/errors.ts'
import type { Model } from '../../core/model.ts'
import { isClickHouse } from '../../engines/clickhouse/address.ts'
import type { Engine } from '../../engines/engine.ts'
import { errorLens } from '../../losses/error-lens.ts'
import { type AuditOptions, auditedOf } from '../../projects/certify.ts'
import { freshSeed } from '../../projects/fresh-seed.ts'
import { learnerOver } from '../../projects/learners.ts'
import { loadPool, type SpokenData } from '../../projects/load-pool.ts'
import { loadPredictions } from '../../projects/load-predictions.ts'
import { answersAmong, columnsSay } from '../../projects/pools/column-summary.ts'
import type { EngineWish } from '../../projects/pools/engine-choice.ts'
import type { Loading } from '../../projects/pools/pool-data.ts'
import { absolute, keepSettings, poolFolder, poolOf, type Settings, settingsOf } from '../../projects/settings.ts'
import type { LabellingPlan } from '../../protocol/project.ts'
import type { Project } from '../../stores/project.ts'
import { strategyBy } from '../strategies.ts'
import { type Outlook, outlookOf } from './audit-forecast.ts'
import { auditJob, learnJob } from './jobs.ts'
import { contentOf, type Shown, viewOf } from './point-view.ts'
import { predictionPages, streamedPages } from './prediction-pages.ts'
import type { AuditOutcome, Beginning, LearnOutcome, Loaded, Parent, Predicted, PredictionQuery } from './worker-protocol.ts'
import type { Remote } from './worker-rpc.ts'

/** A pool that is ready to be worked on. */
export interface WorkerPool {
  readonly loaded: Loaded
  readonly shown: Shown
  /** To look points up in. Jobs have engines of their own, for each leaves points out that have been drawn. */
  readonly engine: Engine
  learn(plan: LabellingPlan): Promise<LearnOutcome>
  audit(model: string, options: AuditOptions): Promise<AuditOutcome | 'left'>
  outlook(model: string): Promise<Outlook>
  predictions(query: PredictionQuery): ReturnType<ReturnType<typeof predictionPages>>
  close(): Promise<void>
}

/** Whom the work is for, and who may stop it. */
export interface Hands {
  readonly parent: Remote<Parent>
  readonly signal: AbortSignal
  /** Where pools are to lie. */
  readonly wish: EngineWish
}

/** Begins a project: reads its pool, and writes down what it is about. */
export async function beginOn(project: Project, hands: Hands, beginning: Beginning): Promise<WorkerPool> {
  const { path, wishes, classes, plan, start, loss, l2, weighting, bits } = beginning
  const seed = beginning.seed ?? freshSeed()
  const data = await loadPool(
    path,
    { ...wishes, classes, bits },
    seed,
    { ...loadingTo(hands), folder: poolFolder(project) },
    hands.wish,
  )
  const settings: Settings = {
    pool: { path: absolute(path), hash: data.file.table.hash },
    added: [],
    wishes,
    classes,
    seed,
    seedChosen: beginning.seed !== undefined,
    strategy: plan.strategy,
    loss,
    l2,
    start,
    batch: plan.batch,
    ...(weighting !== undefined && { weighting }),
    delta: 0.05,
    ...(bits === 8 && { bits }),
  }
  await keepSettings(project, settings, data)
  return benchOver(settings, data, hands.parent)
}

function loadingTo({ parent, signal }: Hands): Loading {
  let told = 0
  return {
    signal,
    progress(share) {
      if (share - told < 0.02) return
      told = share
      void parent.tell({ kind: 'loading', share })
    },
  }
}

/** The pool of a project that has begun. */
export async function benchOf(project: Project, hands: Hands): Promise<WorkerPool> {
  const settings = await settingsOf(project)
  return benchOver(
    settings,
    await poolOf(project, settings, { ...loadingTo(hands), folder: poolFolder(project) }, hands.wish),
    hands.parent,
  )
}

async function benchOver(settings: Settings, data: SpokenData, parent: Remote<Parent>): Promise<WorkerPool> {
  const { classes, seed, seedChosen, start, weighting, delta } = settings
  const learner = learnerOver(data, settings.loss, settings.l2)
  const shown = await viewOf(data.file, settings.wishes.ignore)
  const lens = errorLens(learner.loss, classes.length)
  const seen = new Map<string, Model>() // the record has them all, and takes longer

  const modelBy = async (id: string): Promise<Model> => {
    const model = seen.get(id) ?? (await parent.model(id))
    requireInput(model !== undefined, `model: one of the project is required, got ${id}`)
    seen.set(id, model)
    return model
  }

  const own = data.engine()
  let latest = own // with the points of the rounds so far left out
  const looked = { engine: own, loss: learner.loss, shown }
  const pages = 'pool' in data ? predictionPages({ ...looked, ...data.pool }) : streamedPages(looked)
  return {
    loaded: {
      points: data.size,
      features: data.recipe.width,
      view: shown.view,
      classes,
      columns: [...columnsSay(data.file.roles), ...answersAmong(data.file.roles, classes), ...data.says],
      directory: directoryOf(settings.pool.path),
    },
    shown,
    engine: own,
    async learn({ strategy, batch, budget }) {
      const engine = data.engine()
      latest = engine
      const plan = { engine, learner, strategy: strategyBy(strategy), classes, seed, seedChosen, start, batch, budget, delta }
      return learnJob({ ...plan, ...(weighting !== undefined && { weighting }) }, parent, (model) => seen.set(model.id, model))
    },
    async audit(id, options) {
      return auditJob(auditedOf(settings, data, await modelBy(id)), options, parent)
    },
    outlook: async (id) => outlookOf(latest, await modelBy(id), lens, classes),
    predictions: async (query) => pages(await modelBy(query.model), query),
    close: () => data.close(),
  }
}

/** Where paths of pictures start from: beside the file, or where we were started if the pool is on a server. */
const directoryOf = (pool: string): string => (isClickHouse(pool) ? process.cwd() : dirname(resolve(pool)))

/** Predictions of somebody else's model. */
export async function benchOfPredictions({ path, reading }: Predicted, hands: Hands): Promise<WorkerPool> {
  const { parent, wish } = hands
  const predictions = await loadPredictions(path, reading, loadingTo(hands), wish)
  const { engine, classes, model, hasConfidence } = predictions
  const shown: Shown = { view: { kind: 'row' }, cells: [], full: 1, hidden: new Set() }
  const loaded = {
    points: engine.size,
    features: engine.columns,
    view: shown.view,
    classes,
    columns: predictions.says,
    directory: directoryOf(path),
  }
  const refuse = (): never => {
    throw new AlisError('bad-input', 'project: one that learns is required, got an audit of predictions')
  }
  return {
    loaded: { ...loaded, model: model.id, hasConfidence },
    shown,
    engine,
    async learn() {
      return refuse()
    },
    audit: (_, options) => auditJob(predictions, options, parent),
    async outlook() {
      return refuse()
    },
    async predictions() {
      return refuse()
    },
    close: () => engine.close(),
  }
}

export const contentsOf = async ({ engine, shown }: WorkerPool, ids: readonly string[]) =>
  (await engine.contents(ids)).map((content) => contentOf(content, shown))
