import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { AlisError, type ErrorCode } from '../core/errors.ts'
import type { ComparePlan, RunJob } from './plan.ts'
import type { Run } from './run.ts'

export type ThreadOrder = RunJob | 'stop'

export type ThreadReport =
  | { readonly kind: 'progress'; readonly share: number }
  | { readonly kind: 'run'; readonly run: Run }
  | { readonly kind: 'refused'; readonly code: ErrorCode; readonly message: string; readonly hint: string | undefined }
  | { readonly kind: 'failed'; readonly message: string }

export interface RunAllOptions {
  readonly threads: number
  readonly signal?: AbortSignal | undefined
  /** Told of every run that is finished, one after the other; the next waits for it. */
  onRun(run: Run): Promise<void> | void
  /** How many runs are done, with the parts of those under way. */
  onProgress?(done: number, job: RunJob): void
}

const workerFile = new URL(import.meta.url.endsWith('.ts') ? './worker.ts' : './worker.js', import.meta.url)

/** Does all jobs on several threads. Which thread does which, and when, changes nothing in the runs. */
export async function runAll(
  plan: ComparePlan,
  jobs: readonly RunJob[],
  { threads, signal, onRun, onProgress }: RunAllOptions,
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
      await keep(await runJob(worker, job, progress, signal))
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
    await Promise.all(workers.map(stopThread))
    await keeping.catch(() => {})
  }
}

function runJob(worker: Worker, job: RunJob, onProgress: (share: number) => void, signal: AbortSignal | undefined): Promise<Run> {
  return new Promise((resolve, reject) => {
    const settle = (act: () => void) => {
      worker.off('message', onMessage).off('error', onError).off('exit', onExit)
      signal?.removeEventListener('abort', onAbort)
      act()
    }
    const onError = (error: unknown) => settle(() => reject(error))
    const onExit = () => onError(new Error('a thread ended before its run did'))
    const onAbort = () => onError(signal!.reason)
    const onMessage = (report: ThreadReport) => {
      if (report.kind === 'progress') onProgress(report.share)
      else if (report.kind === 'run') settle(() => resolve(report.run))
      else if (report.kind === 'refused') onError(new AlisError(report.code, report.message, report.hint))
      else onError(new Error(report.message))
    }
    worker.on('message', onMessage).on('error', onError).on('exit', onExit)
    signal?.addEventListener('abort', onAbort)
    if (signal?.aborted) onAbort()
    else worker.postMessage(job satisfies ThreadOrder)
  })
}

async function stopThread(worker: Worker): Promise<void> {
  if (worker.threadId === -1) return // it has ended already
  const ended = once(worker, 'exit').catch(() => {})
  worker.postMessage('stop' satisfies ThreadOrder)
  await ended
}
