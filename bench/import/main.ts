// Seconds and memory to import a large file, by format: `npm run bench:import`.
import { spawn } from 'node:child_process'
import { mkdtemp, open, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { parseArgs } from 'node:util'
import { drawTable } from '../../src/cli/terminal/table.ts'
import { count, seconds } from '../../src/text/wording.ts'
import type { Outcome } from './import.ts'
import { writePool } from './pools.ts'
import type { Peak } from './run.ts'

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000000' },
    columns: { type: 'string', default: '30' },
    formats: { type: 'string', default: 'csv,csv.gz,parquet,arrow,jsonl' },
  },
})
const rows = Number(values.rows)
const columns = Number(values.columns)
const featureBytes = 4 * rows * columns

const folder = await mkdtemp(join(tmpdir(), 'alis-import-'))
try {
  const lines: string[][] = []
  const runs: string[][] = []
  const idle = await alis(['--version'])
  for (const format of values.formats.split(',')) {
    process.stderr.write(`writing ${format} …\n`)
    const path = join(folder, `pool.${format}`)
    await writePool(path, rows, columns)
    const plain = await readPlainly(path)
    const { peak, ...outcome } = await importFile(path, format)
    if (outcome.rows !== rows || outcome.columns !== columns) throw new Error(`${format}: imported ${JSON.stringify(outcome)}`)
    lines.push([
      format,
      `${count((await stat(path)).size / 1e6)} MB`,
      seconds(outcome.seconds),
      seconds(outcome.openSeconds),
      count(rows / outcome.seconds),
      `${(peak / featureBytes).toFixed(2)} ×`,
      `${count(outcome.seconds / plain)} ×`,
      outcome.sum.toFixed(3),
    ])
    const run = await alis(['run', path, '--label', 'label', '--start', '10', '--budget', '20', '--json'])
    runs.push([
      format,
      seconds(run.seconds),
      `${count(run.peak / 1e6)} MB`,
      `${((run.peak - idle.peak) / featureBytes).toFixed(2)} ×`,
    ])
    await rm(path)
  }
  const titles = ['format', 'file', 'import', 'of it opening', 'rows/s', 'peak ÷ features', 'import ÷ plain read', 'sum']
  console.log(`${count(rows)} rows × ${columns} numbers, ${count(featureBytes / 1e6)} MB of features`)
  console.log(drawTable({ columns: titles.map((title) => ({ title })), rows: lines }))
  console.log(`\nalis run to the first round; an idle process takes ${count(idle.peak / 1e6)} MB`)
  const runTitles = ['format', 'time', 'peak', '(peak − idle) ÷ features']
  console.log(drawTable({ columns: runTitles.map((title) => ({ title })), rows: runs }))
} finally {
  await rm(folder, { recursive: true })
}

/** Seconds to read the bytes and do nothing with them; the second time, when they are in the cache as they will be for the import. */
async function readPlainly(path: string): Promise<number> {
  const buffer = Buffer.alloc(2 ** 20)
  let taken = 0
  for (let time = 0; time < 2; time++) {
    const start = performance.now()
    const file = await open(path)
    while ((await file.read(buffer)).bytesRead > 0);
    await file.close()
    taken = (performance.now() - start) / 1000
  }
  return taken
}

async function importFile(path: string, label: string): Promise<Outcome> {
  const { stdout } = await runScript('import.ts', [path, label], 'inherit')
  return JSON.parse(stdout) as Outcome
}

/** What a command takes: time, and bytes of memory at its peak. */
async function alis(words: readonly string[]): Promise<Peak & { readonly seconds: number }> {
  const start = performance.now()
  const { stderr } = await runScript('run.ts', words, 'pipe')
  const { peak } = JSON.parse(stderr.trimEnd().split('\n').at(-1)!) as Peak
  return { seconds: (performance.now() - start) / 1000, peak }
}

async function runScript(script: string, words: readonly string[], stderr: 'inherit' | 'pipe') {
  const path = new URL(`./${script}`, import.meta.url).pathname
  const child = spawn(process.execPath, [path, ...words], { stdio: ['ignore', 'pipe', stderr] })
  const text = async (stream: Readable | null) => (stream ? (await stream.setEncoding('utf8').toArray()).join('') : '')
  const closed = new Promise<number | null>((resolve) => child.once('close', resolve))
  const [out, errors, code] = await Promise.all([text(child.stdout), text(child.stderr), closed])
  if (code !== 0) throw new Error(`${script} ${words.join(' ')} ended with ${code}: ${errors}`)
  return { stdout: out, stderr: errors }
}
