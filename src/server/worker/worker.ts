// The thread that holds the pool: it fits, scores and draws, and answers questions about points in between.

import { parentPort, workerData } from 'node:worker_threads'
import { requireInput } from '../../core/errors.ts'
import { connect } from '../../core/thread-calls.ts'
import { planForPage } from '../../projects/audit-plan.ts'
import { readingOf, requireAudited } from '../../projects/audit-wishes.ts'
import { exportProject } from '../../projects/export/export-project.ts'
import type { Project } from '../../stores/project.ts'
import { inspect } from './inspect.ts'
import { contentOf } from './point-view.ts'
import { beginPool, loadPool, loadPredictionPool, type WorkerContext, type WorkerPool } from './worker-pool.ts'
import type { Loaded, ParentMethods, WorkerMethods } from './worker-protocol.ts'

let pool: WorkerPool | undefined

const stopping = new AbortController()
const reading = new Set<Promise<unknown>>()

const methods: WorkerMethods = {
  inspect: (path, wishes) => tracked(inspect(path, wishes, stopping.signal)),
  planAudit(path, wishes) {
    requireAudited(wishes)
    const loading = { signal: stopping.signal }
    return tracked(planForPage(path, readingOf(wishes), wishes, { loading, wish: context.wish }))
  },
  begin: (path, beginning) => use(beginPool(projectAt(path), context, beginning)),
  load: (path) => use(loadPool(projectAt(path), context)),
  loadPredictions: (predicted) => use(loadPredictionPool(predicted, context)),
  learn: (plan) => ready().learn(plan),
  audit: (model, options) => ready().audit(model, options),
  forecastInputs: (model) => ready().forecastInputs(model),
  look: (model) => tracked(ready().look(model)),
  findings: (model) => tracked(ready().findings(model)),
  contents: async (ids) => {
    const { display, contents } = ready()
    return (await tracked(contents(ids))).map((content) => contentOf(content, display))
  },
  fields: async (ids) => (await tracked(ready().contents(ids))).map(({ fields }) => fields),
  predictions: (query) => tracked(ready().predictions(query)),
  /** What `alis export` does, in place of what an earlier export left there. */
  async export(project, request) {
    const { out, files, model } = await tracked(exportProject(project, { ...request, force: true, signal: stopping.signal }))
    return {
      ...(model && { model }),
      folder: out,
      files: files.map(({ file, rows }) => ({ file, ...(rows !== undefined && { rows }) })),
    }
  },
  /** Stops what is being read. The thread then ends by itself, when nothing is left to do: ending one while DuckDB reads ends the process. */
  async close() {
    stopping.abort()
    await Promise.allSettled(reading)
    await pool?.close()
    parentPort!.close()
  },
}

function tracked<T>(work: Promise<T>): Promise<T> {
  reading.add(work)
  const done = () => void reading.delete(work)
  work.then(done, done)
  return work
}

const { remote: parent } = connect<ParentMethods>(parentPort!, methods)
const context: WorkerContext = { parent, signal: stopping.signal, wish: workerData ?? {} }

function ready(): WorkerPool {
  requireInput(pool !== undefined, 'pool: must be loaded first, got none')
  return pool
}

async function use(loading: Promise<WorkerPool>): Promise<Loaded> {
  pool = await tracked(loading)
  return pool.loaded
}

/** The project in the main thread, as far as beginning and loading need it. */
function projectAt(path: string): Project {
  return new Proxy(parent, {
    get: (target, key) => (key === 'path' ? path : Reflect.get(target, key)),
  }) as unknown as Project
}
