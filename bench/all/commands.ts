import { execFileSync, spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { DuckDBInstance } from '@duckdb/node-api'
import { writePredictions } from '../audit-start/predictions.ts'
import { writePool } from '../import/pools.ts'
import { median } from '../speed/pool.ts'
import type { Figure } from './figure.ts'

const command = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))
const rows = 1_000_000
const turns = 3

/** Seconds until a command is through, or until its first round where that is asked for. The clock starts before the process. */
async function alis(args: readonly string[], cwd: string, untilRound = false): Promise<number> {
  const start = performance.now()
  const child = spawn(process.execPath, [command, ...args], { cwd, stdio: ['ignore', 'pipe', 'inherit'] })
  const closed = new Promise<number | null>((resolve) => child.once('close', resolve))
  let first: number | undefined
  for await (const line of createInterface(child.stdout))
    if (untilRound && JSON.parse(line).type === 'round') first ??= performance.now()
  if ((await closed) !== 0) throw new Error(`alis ${args.join(' ')} failed`)
  return ((first ?? performance.now()) - start) / 1000
}

/** What DuckDB takes for a query in a database of its own, as it comes. */
async function duckdb(sql: string): Promise<number> {
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  const start = performance.now()
  await connection.run(sql)
  const taken = (performance.now() - start) / 1000
  connection.closeSync()
  instance.closeSync()
  return taken
}

const inTurn = async (count: number, ...parts: (() => Promise<number>)[]): Promise<number[]> => {
  const found = parts.map((): number[] => [])
  for (let turn = 0; turn < count; turn++) for (const [k, part] of parts.entries()) found[k]!.push(await part())
  return found.map(median)
}

export async function audits(folder: string): Promise<Figure[]> {
  const path = join(folder, 'predictions.csv')
  await writePredictions(path, rows)
  const audit = ['audit', path, '--prediction', 'p', '--confidence', 'c', '--truth', 't', '--seed', '1']
  const [scan, first, whole] = (await inTurn(
    turns,
    () => duckdb(`SELECT count(COLUMNS(*)) FROM read_csv('${path}')`),
    () => alis([...audit, '--budget', '50', '--json'], folder, true),
    () => alis([...audit, '--tolerance', '0.02', '--quiet'], folder),
  )) as [number, number, number]
  const beside = "DuckDB's scan of the file"
  return [
    { what: 'audit of 1,000,000 predictions, first draw', beside, unit: '×', found: first / scan, goal: 1.5 },
    { what: 'the same to ±2 %, answers in a column', beside, unit: '×', found: whole / scan, goal: 3 },
  ]
}

export async function openings(folder: string): Promise<Figure[]> {
  const path = join(folder, 'pool.csv')
  await writePool(path, rows, 30)
  const run = ['run', path, '--label', 'label', '--start', '10', '--seed', '1']
  const project = ['--project', 'p.alis']
  const [scan, first] = (await inTurn(
    turns,
    () => duckdb(`CREATE TABLE pool AS FROM read_csv('${path}')`),
    () => alis([...run, '--budget', '10', '--json'], folder, true),
  )) as [number, number]
  await alis([...run, ...project, '--budget', '10', '--quiet'], folder)
  const again: number[] = []
  for (let turn = 1; turn <= turns; turn++)
    again.push(await alis([...run, ...project, '--budget', `${10 + 10 * turn}`, '--json'], folder, true))
  const beside = 'DuckDB reads it into memory'
  return [
    { what: '1,000,000 × 30 from CSV to the first draw', beside, unit: '×', found: first / scan, goal: 2 },
    { what: 'the project opened again', beside: '', unit: 's', found: median(again), goal: 1 },
  ]
}

/** Commands that do little, in seconds: the least of many, as that is what they take where nothing else is at work. */
export async function littleOnes(folder: string): Promise<Figure[]> {
  execFileSync(
    process.execPath,
    [command, 'run', digits, '--label', 'digit', '--budget', '60', '--project', 'd.alis', '--quiet'],
    {
      cwd: folder,
      stdio: 'ignore',
    },
  )
  const least = async (args: readonly string[]) => {
    let found = Number.POSITIVE_INFINITY
    for (let time = 0; time < 10; time++) found = Math.min(found, await alis(args, folder))
    return found
  }
  return [
    { what: 'alis --help', beside: '', unit: 's', found: await least(['--help']), goal: 0.12 },
    { what: 'alis status', beside: '', unit: 's', found: await least(['status', 'd.alis']), goal: 0.2 },
  ]
}

const digits = fileURLToPath(new URL('../../data/digits.csv', import.meta.url))
