// Rounds over pools in memory and on disk, by size, with a fitted line, and the command within a limit of memory: `npm run bench:scale`.
// --rows 100000,1000000,10000000,100000000 --command-rows 0 takes 8 GB of the temporary directory for the pool and 4 GB for the work.
import { spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { mkdtemp, readdir, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { byteSize, count, seconds } from '../../src/text/wording.ts'
import { engines } from './engines.ts'
import { writePool } from './pools.ts'
import type { Words } from './rounds.ts'
import { type Measured, printLine, printRounds } from './table.ts'

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
const numbers = (text: string) => text.split(',').map(Number).filter(Boolean)

const measured: Measured[] = []
for (const rows of numbers(values.rows)) {
  await withPool(rows, features, false, async (pattern, bytes) => {
    console.log(`${count(rows)} points: ${byteSize(bytes)} of Parquet`)
    for (const engine of values.engines.split(',')) {
      // As the command does: what takes more than is allowed is left on disk.
      if (engine === 'memory' && 4 * rows * features > memory) continue
      const words: Words = [engine, pattern, `${features}`, `${rows}`, `${memory}`]
      const { stdout } = await runScript('rounds.ts', words)
      measured.push(JSON.parse(stdout) as Measured)
    }
  })
}
if (measured.length > 0) {
  const byEngine = Object.groupBy(measured, ({ engine }) => engine)
  console.log(
    `${features} numbers a point, two classes, a new model each round, 100 draws, ${byteSize(memory)} of memory allowed`,
  )
  printRounds(Object.values(byEngine).flatMap((own) => own ?? []))
  for (const [engine, own = []] of Object.entries(byEngine)) if (own.length > 1) printLine(engine, own)
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
  const remove = () => rmSync(folder, { recursive: true, force: true })
  const stop = () => process.exit(130)
  process.once('exit', remove).once('SIGINT', stop)
  try {
    process.stderr.write(`writing ${count(rows)} × ${width} …\n`)
    const pattern = await writePool(folder, rows, width, isVector)
    const sizes = await Promise.all((await readdir(folder)).map(async (file) => (await stat(join(folder, file))).size))
    await use(
      pattern,
      sizes.reduce((sum, size) => sum + size, 0),
    )
  } finally {
    remove()
    process.off('exit', remove).off('SIGINT', stop)
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
