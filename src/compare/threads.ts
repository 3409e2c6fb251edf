import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { AlisError, type ErrorCode } from '../core/errors.ts'
import type { ComparePlan, Job } from './plan.ts'
import type { Run } from './run.ts'

export type ThreadOrder = Job | 'stop'

export type ThreadReport =
  | { readonly kind: 'progress'; readonly share: number }
  | { readonly kind: 'run'; readonly run: Run }
  | { readonly kind: 'refused'; readonly code: ErrorCode; readonly message: string; readonly hint: string | undefined }
  | { readonly kind: 'failed'; readonly message: string }

export interface Running {
  readonly threads: number
  readonly signal?: AbortSignal | undefined
  /** Told of every run that is finished, one after the other; the next waits for it. */
  onRun(run: Run): Promise<void> | void
  /** How many runs are done, with the parts of those under way. */
  onProgress?(done: number, job: Job): void
}

const workerFile = new URL(import.meta.url.endsWith('.ts') ? './worker.ts' : './worker.js', import.meta.url)

/** Does all jobs on several threads. Which thread does which, and when, changes nothing in the runs. */
export async function runAll(
  plan: ComparePlan,
  jobs: readonly Job[],
  { threads, signal, onRun, onProgress }: Running,
): Promise<void> {
  const queue = jobs.values()
  const shares = new Map<Worker, number>() // of the runs under way
  let done = 0
  let keeping: Promise<void> = Promise.resolve()

  const keep = (run: Run) => {
    keeping = keeping.then(() => onRun(run))
    return keeping
  }

  async function work(worker: Worker): Promise<void> {
    for (let next = queue.next(); !next.done; next = queue.next()) {
      const job = next.value
      const progress = (share: number) => {
        shares.set(worker, share)
        onProgress?.(done + [...shares.values()].reduce((sum, own) => sum + own, 0), job)
      }
      await keep(await ask(worker, job, progress, signal))
      done++
      progress(0)
    }
  }

  signal?.throwIfAborted()
  const env = { ...process.env, ALIS_THREADS: '1' } // for pools: runs are what goes side by side here
  const workers = Array.from({ length: Math.min(threads, jobs.length) }, () => new Worker(workerFile, { workerData: plan, env }))
  try {
    await Promise.all(workers.map(work))
  } finally {
    await Promise.all(workers.map(dismiss))
    await keeping.catch(() => {})
  }
}

/** Hands one job to a thread and waits for its run. */
function ask(worker: Worker, job: Job, onProgress: (share: number) => void, signal: AbortSignal | undefined): Promise<Run> {
  return new Promise((resolve, reject) => {
    const settle = (act: () => void) => {
      worker.off('message', hear).off('error', fail).off('exit', gone)
      signal?.removeEventListener('abort', stop)
      act()
    }
    const fail = (error: unknown) => settle(() => reject(error))
    const gone = () => fail(new Error('a thread ended before its run did'))
    const stop = () => fail(signal!.reason)
    const hear = (report: ThreadReport) => {
      if (report.kind === 'progress') onProgress(report.share)
      else if (report.kind === 'run') settle(() => resolve(report.run))
      else if (report.kind === 'refused') fail(new AlisError(report.code, report.message, report.hint))
      else fail(new Error(report.message))
    }
    worker.on('message', hear).on('error', fail).on('exit', gone)
    signal?.addEventListener('abort', stop)
    if (signal?.aborted) stop()
    else worker.postMessage(job satisfies ThreadOrder)
  })
}

async function dismiss(worker: Worker): Promise<void> {
  if (worker.threadId === -1) return // it is gone already
  const gone = once(worker, 'exit').catch(() => {})
  worker.postMessage('stop' satisfies ThreadOrder)
  await gone
}
