import { Worker } from 'node:worker_threads'
import type { Outcome, Run } from './run.ts'

/** All runs, spread over threads; outcomes in the order of the runs. */
export async function runAll(runs: readonly Run[], threads: number, onDone: (done: number) => void): Promise<Outcome[]> {
  const outcomes: Outcome[] = new Array(runs.length)
  const queue = runs.entries()
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
      worker.on('message', (outcome: Outcome) => {
        outcomes[at] = outcome
        onDone(++done)
        next()
      })
      next()
    })

  const workers = Array.from(
    { length: Math.min(threads, runs.length) },
    () => new Worker(new URL('./worker.ts', import.meta.url)),
  )
  try {
    await Promise.all(workers.map(work))
  } finally {
    await Promise.all(workers.map((worker) => worker.terminate()))
  }
  return outcomes
}
