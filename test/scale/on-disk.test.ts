import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import type { ServeOptions } from '../../src/server/http/serve.ts'
import { keyed } from '../../src/text/class-keys.ts'
import { jsonLines } from '../command.ts'
import { alisHere as alis } from '../in-process.ts'
import { startPage } from '../server/page.ts'
import { folder, write, writeMixed, writePredictions } from './pools.ts'

interface Drawn {
  readonly id: string
  readonly probability: number
}

let pool: Awaited<ReturnType<typeof writeMixed>>
let predictions: string
beforeAll(async () => {
  pool = await writeMixed()
  predictions = await writePredictions()
})

async function draws(path: string, ...options: readonly string[]): Promise<{ engine: string; rounds: Drawn[][] }> {
  const words = ['run', path, '--label', 'y', '--ignore', 'note', '--rounds', '4', '--seed', '7', '--json', ...options]
  const { code, stdout, stderr } = await alis(words)
  expect([code, stderr]).toEqual([0, ''])
  const lines = jsonLines(stdout)
  return { engine: lines[0].engine, rounds: lines.filter(({ type }) => type === 'round').map((line) => line.draws) }
}

function expectSame(got: Drawn[][], wanted: Drawn[][], tolerance: number): void {
  expect(got.map((round) => round.map(({ id }) => id))).toEqual(wanted.map((round) => round.map(({ id }) => id)))
  for (const [t, round] of got.entries())
    for (const [k, { probability }] of round.entries())
      expect(Math.abs(probability / wanted[t]![k]!.probability - 1)).toBeLessThan(tolerance)
}

describe('alis run over a pool on disk', () => {
  it('goes on with a project that was begun in memory, and the other way round, as if nothing had happened', async () => {
    const whole = await draws(pool.parquet, '--engine', 'memory')
    const project = join(folder, 'both.alis')
    const first = await draws(pool.parquet, '--project', project, '--engine', 'duckdb', '--rounds', '2')
    const second = await draws(pool.parquet, '--project', project, '--engine', 'memory', '--rounds', '4')
    expect([whole.engine, first.engine, second.engine]).toEqual(['memory', 'duckdb', 'memory'])
    expectSame([...first.rounds, ...second.rounds], whole.rounds, 1e-5)
  })

  it.each([
    ['a strategy that compares points', ['--ignore', 'note', '--strategy', 'core-set'], /strategy: one that draws by masses/],
    ['too little memory', ['--ignore', 'note', '--memory', '1MiB'], /--memory.*at least 128MiB/],
  ])('refuses %s, with a hint', async (_, options, message) => {
    const { code, stderr } = await alis(['run', pool.parquet, '--label', 'y', '--engine', 'duckdb', ...options])
    expect(stderr).toMatch(message)
    expect(code).toBe(2)
  })

  it('says which engine, and why', async () => {
    const words = ['run', pool.parquet, '--label', 'y', '--ignore', 'note', '--engine', 'duckdb', '--rounds', '1']
    expect((await alis(words)).stdout).toContain('  engine    duckdb, as asked for: the pool is read where it lies, within ')
  })
})

describe('alis audit over predictions on disk', () => {
  const claim = (...options: string[]) => alis(['audit', predictions, '--truth', 'y', '--seed', '3', '--quiet', ...options])

  it('makes the same certificate every time, and verifies one from memory; a broken seal it sees to the last bit', async () => {
    const options = ['--prediction', 'label', '--confidence', 'p', '--budget', '120']
    const [first, again, memory] = ['first', 'again', 'memory'].map((name) => join(folder, `${name}.json`)) as [
      string,
      string,
      string,
    ]
    await claim(...options, '--engine', 'duckdb', '--certificate', first)
    await claim(...options, '--engine', 'duckdb', '--certificate', again)
    await claim(...options, '--engine', 'memory', '--certificate', memory)
    const text = readFileSync(first, 'utf8')
    expect(readFileSync(again, 'utf8')).toBe(text)
    const verify = (path: string, engine: string) => alis(['verify', path, '--pool', predictions, '--engine', engine])
    expect((await verify(memory, 'duckdb')).code).toBe(0)
    expect((await verify(first, 'memory')).code).toBe(0)
    const changed = text.replace(/"probability": (0\.\d+)/, (_, p) => `"probability": ${Number(p) * (1 + 1e-12)}`)
    writeFileSync(again, changed)
    const { code, stderr } = await verify(again, 'duckdb')
    expect([code, /seal/.test(stderr)]).toEqual([2, true])
  })
})

it('certifies the model of a project on disk', async () => {
  const project = join(folder, 'certified.alis')
  await draws(pool.parquet, '--project', project, '--engine', 'duckdb')
  const { code, stdout } = await alis(['certify', project, '--budget', '60', '--engine', 'duckdb', '--json'])
  expect(code).toBe(0)
  const { certificate, answers } = jsonLines(stdout).at(-1)
  expect(answers).toBe(60)
  expect((await alis(['verify', certificate, '--project', project, '--engine', 'duckdb'])).code).toBe(0)
})

it('refuses a database without one table to take', async () => {
  const path = join(folder, 'many.duckdb')
  await write(
    `ATTACH '${path}' AS own`,
    'CREATE TABLE own.a AS SELECT 1 AS x',
    'CREATE TABLE own.b AS SELECT 1 AS x',
    'DETACH own',
  )
  const { code, stderr } = await alis(['run', path, '--label', 'x'])
  expect(stderr).toMatch(/must hold one table, or one called pool, got a, b/)
  expect(code).toBe(2)
  writeFileSync(join(folder, 'broken.duckdb'), 'nothing of the kind')
  expect((await alis(['run', join(folder, 'broken.duckdb'), '--label', 'x'])).code).toBe(2)
})

it('labels on the page over a pool on disk: the same points as in memory, and says which engine', async () => {
  const source = (name: string): ServeOptions => ({
    directory: folder,
    port: 0,
    work: {
      project: name,
      source: {
        kind: 'new',
        beginning: {
          path: pool.parquet,
          wishes: { ignore: ['note', 'y'] },
          classes: ['no', 'yes'],
          plan: { strategy: 'alis', batch: 10, budget: 40 },
          start: 10,
          loss: 'logistic',
          l2: 1,
          seed: 7,
        },
        labelling: { question: 'Which?', guidelines: '', classes: keyed(['no', 'yes']) },
      },
    },
  })
  const seen: Record<string, string[][]> = {}
  for (const engine of ['memory', 'duckdb'] as const) {
    const page = await startPage({ ...source(`page-${engine}.alis`), wish: { engine } })
    seen[engine] = []
    for (let round = 0; round < 2; round++) {
      const { round: at, points } = await page.round()
      seen[engine].push(points.map(({ id }) => id))
      for (const { id } of points) await page.answer(at, id, Number(/\d+$/.exec(id)![0]) % 2 === 0 ? 'yes' : 'no')
      await page.settled()
    }
    const columns = page.served.projectHost.session()!.loaded()!.columns
    expect(columns.some((line) => line.includes('duckdb'))).toBe(engine === 'duckdb')
    await page.served.close()
  }
  expect(seen.duckdb).toEqual(seen.memory)
})
