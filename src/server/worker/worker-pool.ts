import { dirname, resolve } from 'node:path'
import { AlisError, requireInput } from '../../core/errors.ts'
import type { Model } from '../../core/model.ts'
import { isClickHouse } from '../../engines/clickhouse/address.ts'
import type { Engine } from '../../engines/engine.ts'
import { learnerOver } from '../../learners/catalogue.ts'
import { errorLens } from '../../losses/error-lens.ts'
import { auditedOf } from '../../projects/certify.ts'
import { freshSeed } from '../../projects/fresh-seed.ts'
import { loadPool as loadPoolFile, type SpokenData } from '../../projects/load-pool.ts'
import { loadPredictions } from '../../projects/load-predictions.ts'
import { answersAmong, columnsSay } from '../../projects/pools/column-summary.ts'
import type { EngineWish } from '../../projects/pools/engine-choice.ts'
import type { Loading } from '../../projects/pools/pool-data.ts'
import { absolute, keepSettings, poolFolder, poolOf, type Settings, settingsOf } from '../../projects/settings.ts'
import type { Project } from '../../stores/project.ts'
import { strategyNamed } from '../strategies.ts'
import { forecastInputs } from './audit-forecast.ts'
import { auditJob, learnJob } from './jobs.ts'
import { displayOf, type PointDisplay } from './point-view.ts'
import { predictionPages, streamedPages } from './prediction-pages.ts'
import type { Beginning, Loaded, ParentMethods, Predicted, WorkerMethods } from './worker-protocol.ts'
import type { Remote } from './worker-rpc.ts'

/** A pool in the worker, ready to be worked on. */
export interface WorkerPool extends Pick<WorkerMethods, 'learn' | 'audit' | 'forecastInputs' | 'predictions' | 'close'> {
  readonly loaded: Loaded
  readonly display: PointDisplay
  /** To look points up in. Jobs have engines of their own, for each leaves points out that have been drawn. */
  readonly engine: Engine
}

export interface WorkerContext {
  readonly parent: Remote<ParentMethods>
  readonly signal: AbortSignal
  /** Where pools are to lie. */
  readonly wish: EngineWish
}

/** Begins a project: reads its pool, and puts its settings on record. */
export async function beginPool(project: Project, context: WorkerContext, beginning: Beginning): Promise<WorkerPool> {
  const { path, wishes, classes, plan, start, loss, l2, weighting, bits } = beginning
  const seed = beginning.seed ?? freshSeed()
  const loading = { ...loadingOf(context), folder: poolFolder(project) }
  const data = await loadPoolFile(path, { ...wishes, classes, bits }, seed, loading, context.wish)
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
  return learningPool(settings, data, context.parent)
}

/** The pool of a project that has begun. */
export async function loadPool(project: Project, context: WorkerContext): Promise<WorkerPool> {
  const settings = await settingsOf(project)
  const loading = { ...loadingOf(context), folder: poolFolder(project) }
  return learningPool(settings, await poolOf(project, settings, loading, context.wish), context.parent)
}

/** Reports every fiftieth of the reading. */
function loadingOf({ parent, signal }: WorkerContext): Loading {
  let reported = 0
  return {
    signal,
    progress(share) {
      if (share - reported < 0.02) return
      reported = share
      void parent.report({ kind: 'loading', share })
    },
  }
}

async function learningPool(settings: Settings, data: SpokenData, parent: Remote<ParentMethods>): Promise<WorkerPool> {
  const { classes, seed, seedChosen, start, weighting, delta } = settings
  const learner = learnerOver(data, settings.loss, settings.l2)
  const display = await displayOf(data.file, settings.wishes.ignore)
  const lens = errorLens(learner.loss, classes.length)
  const models = new Map<string, Model>() // a cache of the record

  const modelOf = async (id: string): Promise<Model> => {
    const model = models.get(id) ?? (await parent.model(id))
    requireInput(model !== undefined, `model: one of the project is required, got ${id}`)
    models.set(id, model)
    return model
  }

  const engine = data.engine()
  let latest = engine // with the points of the rounds so far left out
  const predictor = { engine, loss: learner.loss, display }
  const pages = 'pool' in data ? predictionPages(predictor, data.pool) : streamedPages(predictor)
  return {
    loaded: {
      points: data.size,
      features: data.recipe.width,
      view: display.view,
      columns: [...columnsSay(data.file.roles), ...answersAmong(data.file.roles, classes), ...data.says],
      directory: directoryOf(settings.pool.path),
    },
    display,
    engine,
    async learn({ strategy, batch, budget }) {
      latest = data.engine()
      const drawn = { engine: latest, strategy: strategyNamed(strategy), seed, seedChosen, start, batch, budget, delta }
      const plan = { ...drawn, learner, classes, ...(weighting !== undefined && { weighting }) }
      return learnJob(plan, parent, (model) => models.set(model.id, model))
    },
    audit: async (id, options) => auditJob(auditedOf(settings, data, await modelOf(id)), options, parent),
    forecastInputs: async (id) => forecastInputs(latest, await modelOf(id), lens, classes),
    predictions: async (query) => pages(await modelOf(query.model), query),
    close: () => data.close(),
  }
}

/** Where paths of pictures start from: beside the file, or in the working directory if the pool is on a server. */
const directoryOf = (pool: string): string => (isClickHouse(pool) ? process.cwd() : dirname(resolve(pool)))

/** Predictions of a model from elsewhere: they can be audited, and nothing else. */
export async function loadPredictionPool({ path, reading }: Predicted, context: WorkerContext): Promise<WorkerPool> {
  const predictions = await loadPredictions(path, reading, loadingOf(context), context.wish)
  const { engine, model } = predictions
  const display: PointDisplay = { view: { kind: 'row' }, cells: [], full: 1, hidden: new Set() }
  const refuse = async (): Promise<never> => {
    throw new AlisError('bad-input', 'project: one that learns is required, got an audit of predictions')
  }
  return {
    loaded: {
      points: engine.size,
      features: engine.columns,
      view: display.view,
      columns: predictions.says,
      directory: directoryOf(path),
      model: model.id,
    },
    display,
    engine,
    learn: refuse,
    audit: (_, options) => auditJob(predictions, options, context.parent),
    forecastInputs: refuse,
    predictions: refuse,
    close: () => engine.close(),
  }
}
