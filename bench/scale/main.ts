// Rounds over pools that stay on disk, by size, and the command within a limit of memory: `npm run bench:scale`.
import { spawn } from 'node:child_process'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { drawTable } from '../../src/cli/terminal/table.ts'
import { byteSize, count, seconds } from '../../src/core/wording.ts'
import { engines } from './engines.ts'
import { writePool } from './pools.ts'
import type { Outcome } from './rounds.ts'

const { values } = parseArgs({
  options: {
    engines: { type: 'string', default: Object.keys(engines).join(',') },
    rows: { type: 'string', default: '100000,1000000,10000000' },
    features: { type: 'string', default: '20' },
    memory: { type: 'string', default: String(2 ** 31) },
    /** Rows and numbers of the pool for the command; 10,500,000 × 256 make 10 GiB. */
    'command-rows': { type: 'string', default: '10500000' },
    'command-features': { type: 'string', default: '256' },
  },
})
const features = Number(values.features)
const memory = Number(values.memory)

const lines: string[][] = []
for (const rows of values.rows.split(',').map(Number).filter(Boolean)) {
  await withPool(rows, features, false, async (pattern, bytes) => {
    for (const engine of values.engines.split(',')) {
      const said = await runScript('rounds.ts', [engine, pattern, `${features}`, `${memory}`])
      const { openSeconds, roundSeconds, scanSeconds, values: came, peak } = JSON.parse(said.stdout) as Outcome
      lines.push([
        engine,
        count(rows),
        byteSize(bytes),
        seconds(openSeconds),
        seconds(roundSeconds),
        count(rows / roundSeconds),
        `${(roundSeconds / scanSeconds).toFixed(1)} ×`,
        count(came),
        byteSize(peak),
      ])
    }
  })
}
if (lines.length > 0) {
  console.log(`${features} numbers a point, a new model each round, 100 draws, ${byteSize(memory)} of memory allowed`)
  const titles = ['engine', 'points', 'files', 'opening', 'a round', 'points/s', 'round ÷ plain scan', 'values returned', 'peak']
  console.log(drawTable({ columns: titles.map((title) => ({ title })), rows: lines }))
}

const rows = Number(values['command-rows'])
const width = Number(values['command-features'])
if (rows > 0)
  await withPool(rows, width, true, async (pattern, bytes) => {
    const words = ['run', pattern, '--label', 'label', '--rounds', '2', '--batch', '50', '--seed', '1', '--json']
    const start = performance.now()
    const { stdout, peak } = await runScript('../import/run.ts', [...words, '--memory', `${memory}`])
    const elapsed = (performance.now() - start) / 1000
    const { engine } = JSON.parse(stdout.split('\n')[0]!) as { engine: string }
    const { labels } = JSON.parse(stdout.trimEnd().split('\n').at(-1)!) as { labels: number }
    console.log(
      `\nalis run over ${count(rows)} points with lists of ${width} numbers, ${byteSize(bytes)} of Parquet, --memory ${byteSize(memory)}:`,
    )
    console.log(`engine ${engine}, ${labels} labels in 3 rounds, ${seconds(elapsed)}, peak ${byteSize(peak)}`)
  })

async function withPool(rows: number, width: number, isVector: boolean, use: (pattern: string, bytes: number) => Promise<void>) {
  const folder = await mkdtemp(join(tmpdir(), 'alis-scale-'))
  try {
    process.stderr.write(`writing ${count(rows)} × ${width} …\n`)
    const pattern = await writePool(folder, rows, width, isVector)
    const sizes = await Promise.all((await readdir(folder)).map(async (file) => (await stat(join(folder, file))).size))
    await use(
      pattern,
      sizes.reduce((sum, size) => sum + size, 0),
    )
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** A script in a process of its own, and the most memory it held, as the system saw it. */
async function runScript(script: string, words: readonly string[]): Promise<{ stdout: string; peak: number }> {
  const path = new URL(`./${script}`, import.meta.url).pathname
  const child = spawn(process.execPath, [path, ...words], { stdio: ['ignore', 'pipe', 'pipe'] })
  const read = async (stream: NodeJS.ReadableStream) => (await Array.fromAsync(stream.setEncoding('utf8'))).join('')
  const closed = new Promise<number | null>((resolve) => child.once('close', resolve))
  const [stdout, errors, code] = await Promise.all([read(child.stdout), read(child.stderr), closed])
  if (code !== 0) throw new Error(`${script} ${words.join(' ')} ended with ${code}: ${errors}`)
  const said = /\{"peak":(\d+)\}/.exec(errors)?.[1]
  return { stdout, peak: Number(said ?? 0) }
}
