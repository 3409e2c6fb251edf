import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { csvOf } from './csv.ts'
import { type PageFacts, reportPage } from './report-page.ts'
import type { Run } from './run.ts'

/** Writes what people read of a comparison beside its runs. */
export async function writeReport(directory: string, facts: PageFacts & { readonly runs: readonly Run[] }): Promise<void> {
  await writeFile(join(directory, 'results.csv'), csvOf(facts.runs))
  await writeFile(join(directory, 'report.html'), reportPage(facts))
}
