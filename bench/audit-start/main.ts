// Seconds until an audit of a large file begins, and for each of its rounds: `npm run bench:audit-start`, after `npm run build`.
import { spawn } from 'node:child_process'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { drawTable } from '../../src/cli/terminal/table.ts'
import { predictionsInMemory } from '../../src/projects/predictions/memory.ts'
import { count, seconds } from '../../src/text/wording.ts'
import { writePredictions } from './predictions.ts'

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000000' },
    rounds: { type: 'string', default: '20' },
    repeats: { type: 'string', default: '3' },
  },
})
const rows = Number(values.rows)
const batch = 50
const median = (numbers: readonly number[]) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]!

const folder = await mkdtemp(join(tmpdir(), 'alis-audit-start-'))
try {
  const path = join(folder, 'predictions.csv')
  await writePredictions(path, rows)
  const lines: string[][] = []
  for (const metric of ['error', 'f1']) {
    const runs = []
    for (let k = 0; k < Number(values.repeats); k++) runs.push(await runAudit(path, metric))
    const [first, gaps] = [runs.map(({ first }) => first), runs.flatMap(({ gaps }) => gaps)]
    lines.push([metric, seconds(median(first)), seconds(Math.min(...first)), seconds(median(gaps)), seconds(Math.max(...gaps))])
  }
  const titles = ['metric', 'to the first round', 'fastest', `a round of ${batch}, median`, 'slowest']
  console.log(`${count(rows)} predictions, ${count((await stat(path)).size / 1e6)} MB`)
  console.log(drawTable({ columns: titles.map((title) => ({ title })), rows: lines }))
  console.log(`contents of ${batch} points: ${seconds(await timeContents(path))}`)
} finally {
  await rm(folder, { recursive: true })
}

/** Runs the command as people do; the clock starts before the process. */
async function runAudit(path: string, metric: string): Promise<{ first: number; gaps: number[] }> {
  const command = new URL('../../dist/cli/main.js', import.meta.url).pathname
  const budget = `${batch * Number(values.rounds)}`
  const about = metric === 'f1' ? ['--metric', metric, '--positive', 'spam'] : []
  const columns = ['--prediction', 'p', '--confidence', 'c', '--truth', 't']
  const start = performance.now()
  const args = [command, 'audit', path, ...columns, ...about, '--budget', budget, '--seed', '1', '--json']
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const times: number[] = []
  for await (const line of createInterface(child.stdout)) {
    if (JSON.parse(line).type === 'round') times.push((performance.now() - start) / 1000)
  }
  return { first: times[0]!, gaps: times.slice(1).map((time, k) => time - times[k]!) }
}

async function timeContents(path: string): Promise<number> {
  const { contents, close } = await predictionsInMemory(path, { prediction: 'p', confidence: 'c', truth: 't' })
  const ids = Array.from({ length: batch }, (_, k) => `row-${String(Math.floor(((k + 0.5) * rows) / batch)).padStart(6, '0')}`)
  const start = performance.now()
  await contents(ids)
  const taken = (performance.now() - start) / 1000
  await close()
  return taken
}
