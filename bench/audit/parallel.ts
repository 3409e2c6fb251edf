import { Worker } from 'node:worker_threads'
import { progressBar } from '../../src/cli/terminal/progress.ts'
import type { Outcome, Run } from './run.ts'

/** What every table needs to know. */
export interface Settings {
  readonly runs: number
  /** Seed of the first run of every cell. */
  readonly seed: number
  /** Points in a made pool. */
  readonly size: number
  readonly threads: number
}

/** Every cell so many times, from its seed on; outcomes cell by cell. */
export async function repeat(cells: readonly Run[], { runs, threads }: Settings): Promise<Outcome[][]> {
  const all = cells.flatMap((cell) => Array.from({ length: runs }, (_, k) => ({ ...cell, seed: cell.seed + k })))
  const bar = progressBar({ label: 'audits', total: all.length })
  try {
    const outcomes = await runAll(all, threads, (done) => bar.update(done))
    return cells.map((_, j) => outcomes.slice(j * runs, (j + 1) * runs))
  } finally {
    bar.stop()
  }
}

/** All runs, spread over threads; outcomes in the order of the runs. */
async function runAll(runs: readonly Run[], threads: number, onDone: (done: number) => void): Promise<Outcome[]> {
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
