import { dirname, resolve } from 'node:path'
import { AlisError, requireInput } from '../../core/errors.ts'
import type { Model } from '../../core/model.ts'
import { standOf } from '../../core/now.ts'
import { pick } from '../../core/pick.ts'
import type { Remote } from '../../core/thread-calls.ts'
import { isClickHouse } from '../../engines/clickhouse/address.ts'
import type { Content } from '../../engines/engine.ts'
import { auditedOf } from '../../projects/certify.ts'
import { freshSeed } from '../../projects/fresh-seed.ts'
import { learnerOf, learnerSettings } from '../../projects/learner-of.ts'
import { loadPool as loadPoolFile, type SpokenData } from '../../projects/load-pool.ts'
import { loadPredictions } from '../../projects/load-predictions.ts'
import { answersAmong, columnsSay } from '../../projects/pools/column-summary.ts'
import type { Loading } from '../../projects/pools/pool-data.ts'
import { absolute, keepSettings, poolFolder, poolOf, type Settings, scoresFolder, settingsOf } from '../../projects/settings.ts'
import { strategyIn, strategySettings } from '../../projects/strategy-settings.ts'
import type { Audited } from '../../questions/subject.ts'
import { running } from '../../running/running.ts'
import type { Project } from '../../stores/project.ts'
import { forecastInputs } from './audit-forecast.ts'
import { findingsFor } from './findings.ts'
import { auditJob, learnJob } from './jobs.ts'
import { displayOf, type PointDisplay, viewOf } from './point-view.ts'
import { answeredPages, predictionPages, streamedPages } from './prediction-pages.ts'
import type { Beginning, Loaded, ParentMethods, Predicted, WorkerMethods, WorkerWish } from './worker-protocol.ts'

export interface WorkerPool
  extends Pick<WorkerMethods, 'learn' | 'audit' | 'forecastInputs' | 'look' | 'findings' | 'predictions' | 'close'> {
  readonly loaded: Loaded
  readonly display: PointDisplay
  /** What is to be seen of points, in the order of the ids. */
  contents(ids: readonly string[]): Promise<readonly Content[]>
}

export interface WorkerContext {
  readonly parent: Remote<ParentMethods>
  readonly signal: AbortSignal
  readonly wish: WorkerWish
}

/** Begins a project: reads its pool, and puts its settings on record. */
export async function beginPool(project: Project, context: WorkerContext, beginning: Beginning): Promise<WorkerPool> {
  const { path, wishes, classes, plan, start, learner, loss, l2, weighting, know, bits } = beginning
  const seed = beginning.seed ?? freshSeed()
  const loading = { ...loadingOf(context), folder: poolFolder(project), scores: scoresFolder(project) }
  const { strategy } = plan
  const learned = learnerSettings({ learner, strategy, ...pick(wishes, 'scores', 'elsewhere'), ...context.wish })
  const { steps } = learned
  const data = await loadPoolFile(path, { ...wishes, classes, bits, steps }, seed, loading, context.wish)
  const settings: Settings = {
    pool: { path: absolute(path), hash: data.file.table.hash },
    added: [],
    wishes,
    classes,
    seed,
    seedChosen: beginning.seed !== undefined,
    ...strategySettings({ strategy, know }),
    loss,
    l2,
    start,
    batch: plan.batch,
    ...(weighting !== undefined && { weighting }),
    delta: 0.05,
    ...(bits === 8 && { bits }),
    ...learned,
  }
  learnerOf(data, settings, context.wish) // refuses what cannot be learned by, before it is on record
  await keepSettings(project, settings, data)
  return learningPool(settings, data, context)
}

export async function loadPool(project: Project, context: WorkerContext): Promise<WorkerPool> {
  const settings = await settingsOf(project)
  const loading = { ...loadingOf(context), folder: poolFolder(project) }
  return learningPool(settings, await poolOf(project, settings, loading, context.wish), context)
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

async function learningPool(settings: Settings, data: SpokenData, { parent, signal, wish }: WorkerContext): Promise<WorkerPool> {
  const { classes, seed, seedChosen, start, weighting, delta } = settings
  const learner = learnerOf(data, settings, { ...wish, seed, signal })
  const display = await displayOf(data.file, settings.wishes.ignore)
  const models = new Map<string, Model>() // a cache of the record

  const modelOf = async (id: string): Promise<Model> => {
    const model = models.get(id) ?? (await parent.model(id))
    requireInput(model !== undefined, `model: one of the project is required, got ${id}`)
    models.set(id, model)
    return model
  }

  const engine = data.engine() // to look points up in: jobs have engines of their own, for each leaves out what has been drawn
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
    contents: (ids) => engine.contents(ids),
    async learn({ strategy, batch, budget }) {
      latest = data.engine()
      const drawn = { engine: latest, strategy: strategyIn(settings, strategy), seed, seedChosen, start, batch, budget, delta }
      const plan = { ...drawn, learner, classes, ...(weighting !== undefined && { weighting }) }
      return learnJob(plan, parent, (model) => models.set(model.id, model))
    },
    audit: async (id, options) => auditJob(auditedOf(settings, data, await modelOf(id)), options, parent),
    async forecastInputs(id) {
      const { file } = data
      return forecastInputs(auditedOf(settings, { file, engine: () => latest }, await modelOf(id)))
    },
    async look(id) {
      const rounds = (await parent.rounds()).map((round) => (round.isClosed ? round : { ...round, answers: new Map() }))
      const record = { rounds: async () => rounds, model: async (known: string) => models.get(known) ?? parent.model(known) }
      const now = await running({ record, engine: data.engine(), loss: learner.loss, classes }).look(await modelOf(id), signal)
      await parent.keepLook({ ...standOf(rounds, { model: id, poolSize: data.size }), now })
    },
    async findings(id) {
      const own = { contents: (ids: readonly string[]) => engine.contents(ids), display }
      return findingsFor(auditedOf(settings, data, await modelOf(id)), parent, own)
    },
    predictions: async (query) => pages(await modelOf(query.model), query),
    async close() {
      await learner.close?.()
      await data.close()
    },
  }
}

/** Where paths of pictures start from: beside the file, or in the working directory if the pool is on a server. */
const directoryOf = (pool: string): string => (isClickHouse(pool) ? process.cwd() : dirname(resolve(pool)))

/** Predictions of a model from elsewhere: they can be audited, and nothing else. */
export async function loadPredictionPool({ path, reading }: Predicted, context: WorkerContext): Promise<WorkerPool> {
  const load = (loading: Loading) => loadPredictions(path, reading, loading, context.wish)
  let predictions = await load(loadingOf(context))
  let isDrawn = false
  const display: PointDisplay = { view: viewOf(predictions.shown), cells: [], full: 1, hidden: new Set() }
  const refuse = async (): Promise<never> => {
    throw new AlisError('bad-input', 'project: one that learns is required, got an audit of predictions')
  }

  /** With no point drawn yet: an audit that begins anew reads them again. */
  async function undrawn(): Promise<Audited> {
    if (isDrawn) {
      const drawn = predictions
      predictions = await load({ signal: context.signal })
      await drawn.close()
    }
    isDrawn = true
    return predictions
  }

  return {
    loaded: {
      points: predictions.pool.size,
      features: 0,
      view: display.view,
      columns: predictions.says,
      directory: directoryOf(path),
      model: predictions.model,
    },
    display,
    contents: (ids) => predictions.contents(ids),
    learn: refuse,
    audit: async (_, options) => auditJob(await undrawn(), options, context.parent),
    forecastInputs: refuse,
    look: refuse,
    findings: async () => findingsFor(predictions, context.parent, { contents: (ids) => predictions.contents(ids), display }),
    predictions: async (query) => answeredPages(predictions, (ids) => predictions.contents(ids), display)(query),
    close: () => predictions.close(),
  }
}
