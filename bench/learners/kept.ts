import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** One learner on one split. */
export interface Job {
  readonly set: string
  readonly seed: number
  readonly learner: string
  readonly draws: string
  readonly batch: number
}

/** What a model of so many labels comes to on the rows to test on. */
export interface Point {
  readonly labels: number
  readonly error: number
  readonly logLoss: number
  /** Of the processor, from the first draw on. */
  readonly seconds: number
  /** The learner that was chosen, where one was. */
  readonly chosen?: string
}

export interface Curve extends Job {
  /** Rows it was tested on. */
  readonly tested: number
  readonly points: readonly Point[]
}

/** Curves of earlier runs, so that nothing is done twice: a run that is stopped goes on. The last of a job counts. */
export function openKept(folder: string) {
  mkdirSync(folder, { recursive: true })
  const file = join(folder, 'curves.jsonl')
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : []
  const byJob = new Map(lines.map((line) => JSON.parse(line) as Curve).map((curve) => [keyOf(curve), curve]))
  return {
    find: (job: Job) => byJob.get(keyOf(job)),
    keep(curve: Curve) {
      appendFileSync(file, `${JSON.stringify(curve)}\n`)
      byJob.set(keyOf(curve), curve)
    },
  }
}

const keyOf = ({ set, seed, learner, draws, batch }: Job) => `${set}/${seed}/${learner}/${draws}/${batch}`
