// A thread that runs what it is told to, one job at a time. It reads the file once, and the features once a split.
import { parentPort, workerData } from 'node:worker_threads'
import { connect } from '../core/thread-calls.ts'
import { type OpenFile, openFile } from '../projects/pools/open-file.ts'
import type { ComparePlan, RunJob } from './plan.ts'
import { type Run, runOnce, type Split, splitOf } from './run.ts'
import type { RunnerMethods, RunnerParent } from './threads.ts'

const plan = workerData as ComparePlan
const stopping = new AbortController()
const { signal } = stopping
let file: Promise<OpenFile> | undefined
let latest: { readonly seed: number; readonly split: Split } | undefined
let working: Promise<unknown> = Promise.resolve()

const { remote: parent } = connect<RunnerParent>(parentPort!, {
  run(job) {
    const run = runJob(job)
    working = run.catch(() => {})
    return run
  },
  /** A thread that ends while DuckDB is reading takes the process with it: whatever is going on comes to its end first. */
  async stop() {
    stopping.abort()
    await working
    await file?.then(
      ({ table }) => table.close(),
      () => {},
    )
    parentPort!.close()
  },
} satisfies RunnerMethods)

async function runJob(job: RunJob): Promise<Run> {
  const onRound = (labels: number) => void parent.progress(Math.min(1, labels / plan.budget))
  return runOnce(await splitFor(job.seed), plan, job, { signal, onRound })
}

async function splitFor(seed: number): Promise<Split> {
  const { added, positive: _, classes: __, test, ...wishes } = plan.data
  file ??= openFile(plan.pool, wishes, added, { signal })
  const isFixed = typeof test === 'string' // a test file: the pool is the same whatever the seed
  if (!latest || (latest.seed !== seed && !isFixed)) latest = { seed, split: await splitOf(await file, plan, seed, signal) }
  return latest.split
}
