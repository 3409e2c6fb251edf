import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type PageFacts, reportPage } from './report-page.ts'
import type { Run, RunRound } from './run.ts'

export async function writeReport(directory: string, facts: PageFacts & { readonly runs: readonly Run[] }): Promise<void> {
  await writeFile(join(directory, 'results.csv'), csvOf(facts.runs))
  await writeFile(join(directory, 'report.html'), reportPage(facts))
}

const columns = [
  'round',
  'labels',
  'error',
  'logLoss',
  'averagePrecision',
  'estimate',
  'low',
  'high',
  'truth',
  'seconds',
] as const satisfies readonly (keyof RunRound)[]

/** Every round of every run, one a line. A cell is empty where there is no such number. */
export function csvOf(runs: readonly Run[]): string {
  const lines = runs.flatMap(({ strategy, split, seed, rounds }) =>
    rounds.map((round) => [strategy, split, seed, ...columns.map((name) => round[name] ?? '')].join(',')),
  )
  return [['strategy', 'split', 'seed', ...columns].join(','), ...lines, ''].join('\n')
}
