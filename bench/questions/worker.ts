import { parentPort } from 'node:worker_threads'
import { type CoverageRun, runCoverage } from './coverage-run.ts'
import { historyOf } from './history-stores.ts'
import type { Task } from './threads.ts'

const functions: Record<string, (argument: never) => unknown> = {
  coverage: (run: CoverageRun) => runCoverage(run),
  history: (seed: number) => historyOf(seed),
}

parentPort?.on('message', async ({ name, argument }: Task<never>) => parentPort?.postMessage(await functions[name]!(argument)))
