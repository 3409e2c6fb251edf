import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import type { ServeOptions } from '../../src/server/http/serve.ts'
import { keyed } from '../../src/text/class-keys.ts'
import { alis, jsonLines } from '../command.ts'
import { startPage, stop } from '../server/page.ts'
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
  it('draws what it draws in memory: numbers, missing ones, flags, categories and lists, of Parquet files and of a database', async () => {
    const memory = await draws(pool.parquet, '--engine', 'memory')
    const parquet = await draws(pool.parquet, '--engine', 'duckdb')
    const database = await draws(pool.database, '--engine', 'duckdb')
    expect([memory.engine, parquet.engine, database.engine]).toEqual(['memory', 'duckdb', 'duckdb'])
    expect(memory.rounds.flat()).toHaveLength(50)
    expectSame(parquet.rounds, memory.rounds, 1e-5) // lists are centred in the weights: 32-bit rounding is saved
    expectSame(database.rounds, parquet.rounds, 1e-12)
  })

  it.each(['paper', 'uncertainty'])('draws the same by %s', async (strategy) => {
    const options = ['--strategy', strategy, '--features', 'whole,flag', '--batch', '20']
    const memory = await draws(pool.parquet, '--engine', 'memory', ...options)
    expectSame((await draws(pool.parquet, '--engine', 'duckdb', ...options)).rounds, memory.rounds, 1e-9)
  })

  it('goes on with a project that was begun in memory, and the other way round, as if nothing had happened', async () => {
    const whole = await draws(pool.parquet, '--engine', 'memory')
    const project = join(folder, 'both.alis')
    const first = await draws(pool.parquet, '--project', project, '--engine', 'duckdb', '--rounds', '2')
    const second = await draws(pool.parquet, '--project', project, '--engine', 'memory', '--rounds', '4')
    expectSame([...first.rounds, ...second.rounds], whole.rounds, 1e-5)
  })

  it('names points by row numbers where no column does', async () => {
    const path = join(folder, 'nameless.parquet')
    await write(`COPY (SELECT sin(i) AS a, cos(i) AS b, (sin(i) > 0)::VARCHAR AS y FROM range(5000) AS t(i)) TO '${path}'`)
    const bare = ['run', path, '--label', 'y', '--rounds', '2', '--seed', '1', '--json', '--engine']
    const [memory, duckdb] = [await alis([...bare, 'memory']), await alis([...bare, 'duckdb'])]
    const ids = ({ stdout }: { stdout: string }) =>
      jsonLines(stdout).flatMap((line) => (line.draws ?? []).map((draw: Drawn) => draw.id))
    expect(ids(duckdb)).toEqual(ids(memory))
  })

  it('is chosen where the pool would not fit, and says so', async () => {
    const path = join(folder, 'wide.parquet')
    const numbers = Array.from({ length: 96 }, (_, j) => `(hash(i, ${j}) / 2.0 ** 63 - 1)::DOUBLE AS f${j}`)
    await write(
      `COPY (SELECT 'p' || i AS id, ${numbers}, (hash(i) % 2)::VARCHAR AS y FROM range(200000) AS t(i)) TO '${path}' (ROW_GROUP_SIZE 20480)`,
    )
    const words = ['run', path, '--label', 'y', '--rounds', '1', '--seed', '1']
    const { code, stdout } = await alis([...words, '--memory', '128MiB'])
    expect(code).toBe(0)
    expect(stdout).toMatch(/engine {4}duckdb: the pool takes about \d+ MiB, and 128 MiB of memory are allowed \(--memory\)/)
    expect((await alis([...words, '--json', '--memory', '8GiB'])).stdout).toContain('"engine":"memory"')
  })

  it.each([
    ['words', ['--text', 'note'], /note: a pool on disk is learned from by numbers, .* got words/],
    ['a share to test on', ['--ignore', 'note', '--test', '0.3'], /test: a file of its own is required for a pool on disk/],
    ['a strategy that compares points', ['--ignore', 'note', '--strategy', 'core-set'], /strategy: one that draws by masses/],
    ['ids that repeat', ['--ignore', 'note', '--id', 'whole'], /pool: ids must be unique, got 2899 repeated/],
    ['too little memory', ['--ignore', 'note', '--memory', '1MiB'], /--memory.*at least 128MiB/],
  ])('refuses %s, with a hint', async (_, options, message) => {
    const { code, stderr } = await alis(['run', pool.parquet, '--label', 'y', '--engine', 'duckdb', ...options])
    expect(stderr).toMatch(message)
    expect(code).toBe(2)
  })

  it('tests on a file of its own', async () => {
    const test = join(folder, 'test.parquet')
    await write(`COPY (SELECT * REPLACE ('t' || id AS id) FROM '${join(folder, 'mixed-2.parquet')}' LIMIT 500) TO '${test}'`)
    const words = ['run', join(folder, 'mixed-1.parquet'), '--label', 'y', '--ignore', 'note', '--test', test]
    const { code, stdout } = await alis([...words, '--rounds', '3', '--seed', '1', '--json', '--engine', 'duckdb'])
    expect(code).toBe(0)
    expect(jsonLines(stdout).at(-1).test.error).toBeLessThan(0.4)
  })
})

describe('alis audit over predictions on disk', () => {
  const claim = (...options: string[]) => alis(['audit', predictions, '--truth', 'y', '--seed', '3', '--quiet', ...options])

  it.each([
    ['the error', ['--prediction', 'label', '--confidence', 'p', '--budget', '150']],
    ['an F1', ['--prediction', 'label', '--confidence', 'p', '--metric', 'f1', '--positive', 'dog', '--budget', '150']],
    ['a difference', ['--prediction', 'label', '--confidence', 'p', '--against', 'old', '--budget', '100']],
    ['the likeliest of probabilities', ['--probabilities', 'cat,dog', '--budget', '100']],
  ])('measures %s as in memory, with a certificate that memory verifies', async (_, options) => {
    const files = { memory: join(folder, 'm.json'), duckdb: join(folder, 'd.json') }
    const memory = await claim(...options, '--engine', 'memory', '--certificate', files.memory)
    const duckdb = await claim(...options, '--engine', 'duckdb', '--certificate', files.duckdb)
    expect([duckdb.code, duckdb.stderr, duckdb.stdout]).toEqual([0, '', memory.stdout])
    const verified = await alis(['verify', files.duckdb, '--pool', predictions, '--engine', 'memory'])
    expect([verified.code, verified.stderr]).toEqual([0, ''])
  })

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
    expect((await alis(['verify', memory, '--pool', predictions, '--engine', 'duckdb'])).code).toBe(0)
    const changed = text.replace(/"probability": (0\.\d+)/, (_, p) => `"probability": ${Number(p) * (1 + 1e-12)}`)
    writeFileSync(again, changed)
    const { code, stderr } = await alis(['verify', again, '--pool', predictions, '--engine', 'duckdb'])
    expect([code, /draws\.0\.probability/.test(stderr)]).toEqual([2, true])
  })

  it('refuses what is no probability, by the name of its point', async () => {
    const path = join(folder, 'percent.parquet')
    await write(`COPY (SELECT * REPLACE ((100 * p)::FLOAT AS p) FROM '${predictions}') TO '${path}'`)
    const words = ['audit', path, '--prediction', 'label', '--confidence', 'p', '--truth', 'y', '--engine', 'duckdb']
    const { code, stderr } = await alis(words)
    expect(stderr).toMatch(/probability: a number in \[0, 1\] is required, got [\d.]+ for "x\d+"/)
    expect(code).toBe(2)
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
    for (let round = 0; round < 3; round++) {
      const { round: at, points } = await page.round()
      seen[engine].push(points.map(({ id }) => id))
      for (const { id } of points) await page.answer(at, id, Number(/\d+$/.exec(id)![0]) % 2 === 0 ? 'yes' : 'no')
      await page.settled()
    }
    const columns = page.served.projectHost.session()!.loaded()!.columns
    expect(columns.some((line) => line.includes('duckdb'))).toBe(engine === 'duckdb')
    await stop(page.served)
  }
  expect(seen.duckdb).toEqual(seen.memory)
})
