import { version } from '../projects/version.ts'
import { openTable } from '../sources/duckdb-file.ts'
import type { KeptRuns, Making } from './kept-runs.ts'
import { type ComparePlan, jobsOf, type RunJob } from './plan.ts'
import type { Run } from './run.ts'
import { runAll } from './threads.ts'

export interface CompareOptions {
  readonly strategies: readonly string[]
  readonly splits: number
  readonly threads: number
  readonly signal?: AbortSignal | undefined
  readonly kept?: KeptRuns | undefined
  /** How many runs are done, those found included. */
  onProgress?(done: number, job: RunJob): void
  onRun?(run: Run, done: number): void
}

/** Every strategy on every split, on all threads; in one order, whatever was finished first or before. */
export async function compare(plan: ComparePlan, options: CompareOptions): Promise<Run[]> {
  const { strategies, splits, threads, signal, kept, onProgress, onRun } = options
  const jobs = jobsOf(plan.seed, strategies, splits)
  const runs = new Map<RunJob, Run>()
  const open: RunJob[] = []
  for (const job of jobs) {
    const run = kept?.find(job)
    if (run) runs.set(job, run)
    else open.push(job)
  }
  const before = jobs.length - open.length
  const place = new Map(open.map((job) => [`${job.strategy}/${job.split}`, job]))
  await runAll(plan, open, {
    threads,
    signal,
    async onRun(run) {
      await kept?.keep(run)
      runs.set(place.get(`${run.strategy}/${run.split}`)!, run)
      onRun?.(run, runs.size)
    },
    onProgress: (done, job) => onProgress?.(before + done, job),
  })
  return jobs.map((job) => runs.get(job)!)
}

/** What decides every number of a run: what runs in one directory must have in common. */
export async function makingOf({ pool: _, data, ...numbers }: ComparePlan, poolHash: string): Promise<Making> {
  const { test, ...options } = data
  const given = Object.entries(options).filter(([, value]) => value !== undefined)
  return {
    alis: version(),
    pool: poolHash,
    ...Object.fromEntries(given),
    test: typeof test === 'string' ? await hashOf(test) : test,
    ...numbers,
  }
}

async function hashOf(path: string): Promise<string> {
  const { hash, close } = await openTable(path)
  await close()
  return hash
}
