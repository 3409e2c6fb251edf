// Imports one file as a feature matrix and prints what it took: the child of main.ts, alone in its process for its peak memory.
import { progressBar } from '../../src/cli/terminal/progress.ts'
import { openTable } from '../../src/sources/duckdb-file.ts'

/** What an import took. */
export interface Outcome {
  readonly rows: number
  readonly columns: number
  readonly openSeconds: number
  readonly seconds: number
  /** Bytes of memory the whole process held at its peak. */
  readonly peak: number
  /** Sum of all numbers, to compare formats by. */
  readonly sum: number
}

const [path, label] = process.argv.slice(2) as [string, string]
const start = performance.now()
const table = await openTable(path)
const opened = performance.now()

const features = table.columns.filter(({ kind }) => kind === 'number').map(({ name }) => ({ name, as: 'number' as const }))
const values = new Float32Array(table.rows * features.length)
const bar = progressBar({ label, total: table.rows })
try {
  for await (const { start, rows, columns } of table.batches(features, (read) => bar.update(read))) {
    for (const [j, cells] of columns.entries()) {
      for (let i = 0; i < rows; i++) values[(start + i) * features.length + j] = cells.values[i] as number
    }
  }
} finally {
  bar.stop()
}
const seconds = (performance.now() - start) / 1000
await table.close()

const outcome: Outcome = {
  rows: table.rows,
  columns: features.length,
  openSeconds: (opened - start) / 1000,
  seconds,
  peak: process.resourceUsage().maxRSS * 1024,
  sum: values.reduce((sum, value) => sum + value, 0),
}
console.log(JSON.stringify(outcome))
