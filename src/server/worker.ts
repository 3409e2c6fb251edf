// The thread that holds the pool: it fits, scores and draws, and answers questions about points in between.
import { parentPort } from 'node:worker_threads'
import { requireInput } from '../core/errors.ts'
import type { Project } from '../stores/project.ts'
import { type Bench, beginOn, benchOf, benchOfPredictions, contentsOf } from './bench.ts'
import { connect } from './calls.ts'
import type { Parent, Worker } from './contract.ts'
import { exportFrom } from './exporting.ts'
import { inspect } from './inspecting.ts'

let bench: Bench | undefined

const work: Worker = {
  inspect,
  begin: async (path, beginning) => settled(await beginOn(projectAt(path), parent, beginning)),
  load: async (path) => settled(await benchOf(projectAt(path), parent)),
  loadPredictions: async (predicted) => settled(await benchOfPredictions(predicted, parent)),
  learn: (plan) => ready().learn(plan),
  audit: (model, options) => ready().audit(model, options),
  outlook: (model) => ready().outlook(model),
  contents: (ids) => contentsOf(ready(), ids),
  fields: async (ids) => (await ready().engine.contents(ids)).map(({ fields }) => fields),
  predictions: (query) => ready().predictions(query),
  export: exportFrom,
  async close() {
    await bench?.close()
  },
}

const { theirs: parent } = connect<Parent>(parentPort!, work)

function ready(): Bench {
  requireInput(bench !== undefined, 'pool: must be loaded first, got none')
  return bench
}

function settled(made: Bench) {
  bench = made
  return made.loaded
}

/** The project in the main thread, as far as beginning and loading need it. */
function projectAt(path: string): Project {
  return new Proxy(parent, {
    get: (target, key) => (key === 'path' ? path : Reflect.get(target, key)),
  }) as unknown as Project
}
