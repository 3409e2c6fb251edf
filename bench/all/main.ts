// All that people wait for, beside what it could be, in one table and one picture: `npm run bench`, after `npm run build`. Under half an hour where
// nothing else is at work. Parts that are through are kept, so that it goes on where it was stopped; `--again runs,little` measures some of them anew,
// `--again all` all of them.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
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
const { values } = parseArgs({
  options: {
    again: { type: 'string', default: '' },
    /** What parts that are through came to. */
    kept: { type: 'string', default: join(tmpdir(), 'alis-bench.json') },
  },
})
const again = values.again === 'all' ? Object.keys(parts) : values.again.split(',').filter(Boolean)
for (const name of again)
  requireInput(Object.hasOwn(parts, name), `again: some of ${Object.keys(parts).join(', ')} are required, or all, got ${name}`)

const kept: Record<string, Figure[]> = existsSync(values.kept) ? JSON.parse(readFileSync(values.kept, 'utf8')) : {}
const folder = await mkdtemp(join(tmpdir(), 'alis-bench-'))
try {
  for (const [name, measure] of Object.entries(parts)) {
    if (kept[name] && !again.includes(name)) continue
    process.stderr.write(`${name} …\n`)
    kept[name] = await measure(folder)
    for (const figure of kept[name]) process.stderr.write(`  ${cellsOf(figure).join('  ')}\n`)
    writeFileSync(values.kept, JSON.stringify(kept))
  }
} finally {
  await rm(folder, { recursive: true })
}
const figures = Object.keys(parts).flatMap((name) => kept[name]!)
const told = table(['what', 'beside', 'found', 'goal', ''], figures.map(cellsOf))
const where = `${cpus()[0]?.model}, ${availableParallelism()} processors, node ${process.version}.`
console.log(`\n${told}\n\n${where}`)
const fileOf = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const page = fileOf('../../docs/speed.md')
writeFileSync(page, withPart(readFileSync(page, 'utf8'), 'bench', `${told}\n\n${where}`))
writeFileSync(fileOf('../../docs/pictures/waiting.svg'), plotFigures(figures))
process.exit() // kernels keep threads
