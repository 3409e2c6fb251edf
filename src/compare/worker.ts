// A thread that runs what it is told to, one job at a time. It reads the file once, and the features once a split.
import { parentPort, workerData } from 'node:worker_threads'
import { AlisError } from '../core/errors.ts'
import { type OpenFile, openFile } from '../projects/pools/open-file.ts'
import type { ComparePlan, RunJob } from './plan.ts'
import { runOnce, type Split, splitOf } from './run.ts'
import type { ThreadOrder, ThreadReport } from './threads.ts'

const plan = workerData as ComparePlan
const stopping = new AbortController()
const { signal } = stopping
let file: Promise<OpenFile> | undefined
let latest: { readonly seed: number; readonly split: Split } | undefined
let working: Promise<void> = Promise.resolve()

parentPort!.on('message', (order: ThreadOrder) => {
  if (order === 'stop') void stop()
  else working = work(order)
})

async function work(job: RunJob): Promise<void> {
  try {
    const onRound = (labels: number) => post({ kind: 'progress', share: Math.min(1, labels / plan.budget) })
    post({ kind: 'run', run: await runOnce(await splitFor(job.seed), plan, job, { signal, onRound }) })
  } catch (error) {
    if (!signal.aborted) post(failure(error, job))
  }
}

async function splitFor(seed: number): Promise<Split> {
  const { added, positive: _, classes: __, test, ...wishes } = plan.data
  file ??= openFile(plan.pool, wishes, added, { signal })
  const isFixed = typeof test === 'string' // a test file: the pool is the same whatever the seed
  if (!latest || (latest.seed !== seed && !isFixed)) latest = { seed, split: await splitOf(await file, plan, seed, signal) }
  return latest.split
}

/** A thread that ends while DuckDB is reading takes the process with it: whatever is going on comes to its end first. */
async function stop(): Promise<void> {
  stopping.abort()
  await working
  await file?.then(
    ({ table }) => table.close(),
    () => {},
  )
  parentPort!.close()
}

function failure(error: unknown, { strategy }: RunJob): ThreadReport {
  if (error instanceof AlisError) {
    const { code, message, hint } = error
    return { kind: 'refused', code, message, hint }
  }
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return { kind: 'failed', message: `${strategy}: ${text}` }
}

function post(report: ThreadReport): void {
  parentPort!.postMessage(report)
}
