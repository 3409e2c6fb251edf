// The thread that holds the pool: it fits, scores and draws, and answers questions about points in between.
import { parentPort, workerData } from 'node:worker_threads'
import { requireInput } from '../../core/errors.ts'
import type { Project } from '../../stores/project.ts'
import { exportFrom } from './export.ts'
import { inspect } from './inspect.ts'
import { beginOn, benchOf, benchOfPredictions, contentsOf, type Hands, type WorkerPool } from './worker-pool.ts'
import type { Parent, Worker } from './worker-protocol.ts'
import { connect } from './worker-rpc.ts'

let bench: WorkerPool | undefined

const stopping = new AbortController()
const reading = new Set<Promise<unknown>>()

const work: Worker = {
  inspect: (path, wishes) => watched(inspect(path, wishes, stopping.signal)),
  begin: async (path, beginning) => settled(await watched(beginOn(projectAt(path), hands, beginning))),
  load: async (path) => settled(await watched(benchOf(projectAt(path), hands))),
  loadPredictions: async (predicted) => settled(await watched(benchOfPredictions(predicted, hands))),
  learn: (plan) => ready().learn(plan),
  audit: (model, options) => ready().audit(model, options),
  outlook: (model) => ready().outlook(model),
  contents: (ids) => watched(contentsOf(ready(), ids)),
  fields: async (ids) => (await watched(ready().engine.contents(ids))).map(({ fields }) => fields),
  predictions: (query) => watched(ready().predictions(query)),
  export: (project, format) => watched(exportFrom(project, format, stopping.signal)),
  /** Stops what is being read. The thread then ends by itself, when nothing is left to do: to end one while DuckDB reads ends the process. */
  async close() {
    stopping.abort()
    await Promise.allSettled(reading)
    await bench?.close()
    parentPort!.close()
  },
}

function watched<T>(work: Promise<T>): Promise<T> {
  reading.add(work)
  const done = () => void reading.delete(work)
  work.then(done, done)
  return work
}

const { theirs: parent } = connect<Parent>(parentPort!, work)
const hands: Hands = { parent, signal: stopping.signal, wish: workerData ?? {} }

function ready(): WorkerPool {
  requireInput(bench !== undefined, 'pool: must be loaded first, got none')
  return bench
}

function settled(made: WorkerPool) {
  bench = made
  return made.loaded
}

/** The project in the main thread, as far as beginning and loading need it. */
function projectAt(path: string): Project {
  return new Proxy(parent, {
    get: (target, key) => (key === 'path' ? path : Reflect.get(target, key)),
  }) as unknown as Project
}
