// All that people wait for, beside what it could be, in one table and one picture: `npm run bench`, after `npm run build`. Under half an hour where
// nothing else is at work. `--only runs,little` measures some of it, and leaves docs/speed.md as it is.
import { readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { requireInput } from '../../src/core/errors.ts'
import { table, withPart } from '../which-strategy/page.ts'
import { audits, littleOnes, openings } from './commands.ts'
import { cellsOf, type Figure } from './figure.ts'
import { plotFigures } from './plot.ts'
import { annotators, inDatabases, inMemory, laterPasses, wholeRuns } from './rounds.ts'

const parts: Readonly<Record<string, (folder: string) => Promise<Figure[]>>> = {
  runs: wholeRuns,
  rounds: inMemory,
  audits,
  openings,
  databases: inDatabases,
  passes: laterPasses,
  little: littleOnes,
  annotators,
}
const { values } = parseArgs({ options: { only: { type: 'string', default: Object.keys(parts).join(',') } } })
const names = values.only.split(',')
for (const name of names)
  requireInput(Object.hasOwn(parts, name), `only: some of ${Object.keys(parts).join(', ')} are required, got ${name}`)

const began = performance.now()
const figures: Figure[] = []
const folder = await mkdtemp(join(tmpdir(), 'alis-bench-'))
try {
  for (const name of names) {
    process.stderr.write(`${name} …\n`)
    for (const figure of await parts[name]!(folder)) {
      figures.push(figure)
      process.stderr.write(`  ${cellsOf(figure).join('  ')}\n`)
    }
  }
} finally {
  await rm(folder, { recursive: true })
}
const told = table(['what', 'beside', 'found', 'goal', ''], figures.map(cellsOf))
const minutes = ((performance.now() - began) / 60_000).toFixed(0)
const where = `${cpus()[0]?.model}, ${availableParallelism()} processors, node ${process.version}; ${minutes} minutes.`
console.log(`\n${told}\n\n${where}`)
if (names.length === Object.keys(parts).length) {
  const page = fileURLToPath(new URL('../../docs/speed.md', import.meta.url))
  writeFileSync(page, withPart(readFileSync(page, 'utf8'), 'bench', `${told}\n\n${where}`))
  writeFileSync(fileURLToPath(new URL('../../docs/pictures/waiting.svg', import.meta.url)), plotFigures(figures))
}
process.exit() // kernels keep threads
