import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { connect } from '../core/thread-calls.ts'
import type { ComparePlan, RunJob } from './plan.ts'
import type { Run } from './run.ts'

/** What a thread does, and what it may call: how much of its run is done, from 0 to 1. */
export interface RunnerMethods {
  run(job: RunJob): Promise<Run>
  stop(): Promise<void>
}
export interface RunnerParent {
  progress(share: number): void
}

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
  signal?.throwIfAborted()
  const queue = jobs.values()
  const shares = Array.from({ length: Math.min(threads, jobs.length) }, () => 0) // of the runs under way
  const aborted = new Promise<never>((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))
  aborted.catch(() => {}) // also where nothing is left to run
  let done = 0
  let keeping: Promise<void> = Promise.resolve()

  const runners = shares.map((_, k) => {
    let current: RunJob
    const progress = (share: number) => {
      shares[k] = share
      onProgress?.(done + shares.reduce((sum, own) => sum + own, 0), current)
    }
    const { remote, stop } = startRunner(plan, { progress })
    async function work(): Promise<void> {
      for (const job of queue) {
        current = job
        const run = await Promise.race([remote.run(job), aborted])
        keeping = keeping.then(() => onRun(run))
        await keeping
        done++
        progress(0)
      }
    }
    return { work, stop }
  })
  try {
    await Promise.all(runners.map(({ work }) => work()))
  } finally {
    await Promise.all(runners.map(({ stop }) => stop()))
    await keeping.catch(() => {})
  }
}

function startRunner(plan: ComparePlan, parent: RunnerParent) {
  const env = { ...process.env, ALIS_THREADS: '1' } // for pools: runs are what goes side by side here
  const worker = new Worker(workerFile, { workerData: plan, env })
  const { remote, disconnect } = connect<RunnerMethods>(worker, parent)
  worker.on('error', disconnect).on('exit', () => disconnect(new Error('a thread ended before its run did')))
  return {
    remote,
    async stop(): Promise<void> {
      if (worker.threadId === -1) return // it has ended already
      const ended = once(worker, 'exit').catch(() => {})
      remote.stop().catch(() => {}) // the end of the thread is the reply
      await ended
    },
  }
}
