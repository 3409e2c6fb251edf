// Good things that cases begin from. A case gets a copy of what its command names, and spoils it.
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { appendFile, copyFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createProject } from '../../src/stores/sqlite.ts'
import { alis, type Outcome } from '../command.ts'

const indices = (n: number) => Array.from({ length: n }, (_, i) => i)
const csv = (header: string, rows: readonly (readonly unknown[])[]) => [header, ...rows, ''].join('\n')

/** Forty points, two numbers each. */
export const pool = csv(
  'id,size,weight,y',
  indices(40).map((i) => [`p${i}`, i, (i * 7) % 40, i < 22 ? 'no' : 'yes']),
)

/** A hundred predictions, one in ten wrong. */
const predictions = csv(
  'id,guess,p,y',
  indices(100).map((i) => [`n${i}`, i % 2 ? 'cat' : 'dog', i % 5 ? 0.95 : 0.7, i % 2 && i % 10 !== 5 ? 'cat' : 'dog']),
)

/** Answers as many questions as it is told to, then exits. */
const oracle = `import { createInterface } from 'node:readline'
let left = Number(process.argv[2] ?? Infinity)
for await (const line of createInterface({ input: process.stdin })) {
  if (left-- === 0) process.exit(3)
  const { id, fields } = JSON.parse(line)
  console.log(JSON.stringify({ id, label: Number(fields.size) < 22 ? 'no' : 'yes' }))
}
`

/**
 * Fills a folder with a pool, predictions, an oracle, a certificate, a model, a Parquet file, and projects: `known` with a model from a label
 * column, `asked` with one from an oracle, `young` with answers and no model yet, `audited`, `empty`, `stale` whose pool file
 * has changed since, and `orphan` whose pool file is gone.
 */
async function makeStock(folder: string, runCommand: RunCommand): Promise<void> {
  const at = (name: string) => join(folder, name)
  await writeFile(at('pool.csv'), pool)
  await writeFile(at('predictions.csv'), predictions)
  await writeFile(at('answer.mjs'), oracle)
  for (const name of ['changed.csv', 'gone.csv']) await copyFile(at('pool.csv'), at(name))

  const run = async (line: string, exit = 0) => {
    const { code, stderr } = await runCommand(words(line), { cwd: folder })
    if (code !== exit) throw new Error(`alis ${line}: exit code ${exit} is required, got ${code}\n${stderr}`)
  }
  const learn = 'run pool.csv --start 8 --batch 4 --rounds 2 --seed 7'
  const asked = `${learn} --ignore y --classes no,yes`
  const audit = 'audit predictions.csv --prediction guess --confidence p --truth y'
  await run(`${learn} --label y --project known.alis`)
  await run(`${asked} --oracle-command 'node answer.mjs' --project asked.alis`)
  await run(`${asked} --oracle-command 'node answer.mjs 3' --project young.alis`, 1)
  await run(`${learn.replace('pool', 'changed')} --label y --project stale.alis`)
  await run(`${learn.replace('pool', 'gone')} --label y --project orphan.alis`)
  await run(`${audit} --budget 40 --seed 7 --certificate audit.json --project audited.alis`)
  await createProject(at('empty.alis')).then((project) => project.close())
  await run('export orphan.alis --only labels,model --format parquet --out export')
  for (const name of ['labels.parquet', 'model.json']) await rename(at(`export/${name}`), at(name))
  await appendFile(at('changed.csv'), 'p99,1,2,no\n')
  for (const name of ['gone.csv', 'export']) await rm(at(name), { recursive: true })
}

/** A stock, and room to spoil copies of what is in it. */
export interface Bench {
  readonly stock: string
  readonly scratch: string
  /** How commands are run: in a process of their own, or in this one. */
  readonly run: RunCommand
  close(): void
}

export type RunCommand = (args: readonly string[], place: { readonly cwd: string }) => Promise<Outcome>

export async function openBench(run: RunCommand = alis): Promise<Bench> {
  const scratch = mkdtempSync(join(realpathSync(tmpdir()), 'alis-bad-input-'))
  chmodSync(scratch, 0o755) // for those with fewer rights
  const stock = join(scratch, 'stock')
  mkdirSync(stock)
  await makeStock(stock, run)
  return { stock, scratch, run, close: () => rmSync(scratch, { recursive: true }) }
}

/** The words of a command line, as a shell would have them. */
export function words(line: string): string[] {
  return (line.match(/'[^']*'|\S+/g) ?? []).map((word) => word.replace(/^'(.*)'$/s, '$1'))
}
