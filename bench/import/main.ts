// Seconds and memory to import a large file, by format: `npm run bench:import`.
import { spawn } from 'node:child_process'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, open, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { parseArgs } from 'node:util'
import { createGzip } from 'node:zlib'
import { DuckDBInstance } from '@duckdb/node-api'
import { count, seconds } from '../../src/cli/terminal/format.ts'
import { drawTable } from '../../src/cli/terminal/table.ts'
import type { Outcome } from './import.ts'

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000000' },
    columns: { type: 'string', default: '30' },
    formats: { type: 'string', default: 'csv,csv.gz,parquet,jsonl' },
  },
})
const rows = Number(values.rows)
const columns = Number(values.columns)
const featureBytes = 4 * rows * columns

const folder = await mkdtemp(join(tmpdir(), 'alis-import-'))
try {
  const lines: string[][] = []
  for (const format of values.formats.split(',')) {
    process.stderr.write(`writing ${format} …\n`)
    const path = await writePool(format)
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
    await rm(path)
  }
  const titles = ['format', 'file', 'import', 'of it opening', 'rows/s', 'peak ÷ features', 'import ÷ plain read', 'sum']
  console.log(`${count(rows)} rows × ${columns} numbers, ${count(featureBytes / 1e6)} MB of features`)
  console.log(drawTable({ columns: titles.map((title) => ({ title })), rows: lines }))
} finally {
  await rm(folder, { recursive: true })
}

/** The same numbers in every format: hashes of row and column, in [−1, 1). */
async function writePool(format: string): Promise<string> {
  const path = join(folder, `pool.${format}`)
  const unpacked = path.replace(/\.gz$/, '')
  const numbers = Array.from({ length: columns }, (_, j) => `(hash(row, ${j}) / 2.0 ** 63 - 1)::FLOAT AS f${j}`)
  const database = await DuckDBInstance.create(':memory:')
  const connection = await database.connect()
  const kind = format.replace(/\.gz$/, '').replace('jsonl', 'json')
  await connection.run(`COPY (SELECT ${numbers} FROM range(${rows}) AS pool(row)) TO '${unpacked}' (FORMAT ${kind})`)
  database.closeSync()
  if (path === unpacked) return path
  await pipeline(createReadStream(unpacked), createGzip({ level: 1 }), createWriteStream(path))
  await rm(unpacked)
  return path
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
  const script = new URL('./import.ts', import.meta.url).pathname
  const child = spawn(process.execPath, [script, path, label], { stdio: ['ignore', 'pipe', 'inherit'] })
  let text = ''
  for await (const chunk of child.stdout.setEncoding('utf8')) text += chunk
  return JSON.parse(text) as Outcome
}
