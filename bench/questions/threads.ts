import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { progressBar } from '../../src/cli/terminal/progress.ts'

/** What a worker is told: which function to call, and with what. */
export interface Task<T> {
  /** Names a function of the worker. */
  readonly name: string
  readonly argument: T
}

/** Does all tasks, spread over threads of a worker; outcomes in their order. */
export async function inThreads<T, R>(
  tasks: readonly Task<T>[],
  label: string,
  worker = new URL('./worker.ts', import.meta.url),
): Promise<R[]> {
  const outcomes = new Array<R>(tasks.length)
  const queue = tasks.entries()
  const bar = progressBar({ label, total: tasks.length })
  let done = 0
  const work = (worker: Worker) =>
    new Promise<void>((resolve, reject) => {
      let at: number
      const next = () => {
        const entry = queue.next()
        if (entry.done) return resolve()
        at = entry.value[0]
        worker.postMessage(entry.value[1])
      }
      worker.on('error', reject)
      worker.on('message', (outcome: R) => {
        outcomes[at] = outcome
        bar.update(++done)
        next()
      })
      next()
    })
  const threads = Math.min(Number(process.env.ALIS_BENCH_THREADS ?? availableParallelism()), tasks.length)
  const workers = Array.from({ length: threads }, () => new Worker(worker))
  try {
    await Promise.all(workers.map(work))
  } finally {
    bar.stop()
    await Promise.all(workers.map((worker) => worker.terminate()))
  }
  return outcomes
}
