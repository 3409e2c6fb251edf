import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { folder, write, writeMixed } from '../../test/scale/pools.ts'
import { scoredLines, scoredPoints } from '../../test/scores/scored-pool.ts'
import { pick } from '../core/pick.ts'
import { blocksOf } from '../features/steps.ts'
import type { LearnerName } from '../learners/catalogue.ts'
import { strategies } from '../strategies/catalogue.ts'
import { learnerOf, learnerSettings } from './learner-of.ts'
import { loadPool } from './load-pool.ts'
import type { EngineName } from './pools/engine-choice.ts'
import type { DataOptions } from './pools/pool-data.ts'
import { runLoop } from './run-loop.ts'

let pool: Awaited<ReturnType<typeof writeMixed>>
beforeAll(async () => {
  pool = await writeMixed(1500)
})

const mixed = { label: 'y', ignore: ['note'] }
const open = (path: string, options: DataOptions, engine: EngineName) => loadPool(path, options, 7, {}, { engine })

/** Whom a run draws, and by what chances. */
async function drawn(
  path: string,
  options: DataOptions,
  engine: EngineName,
  { strategy = 'alis', learner: name }: { strategy?: keyof typeof strategies; learner?: LearnerName } = {},
) {
  const data = await open(
    path,
    { ...options, ...(name && pick(learnerSettings({ strategy: 'alis', learner: name }), 'steps')) },
    engine,
  )
  expect(data.engineName).toBe(engine)
  const learner = learnerOf(data, { loss: 'logistic', l2: 1, learner: name })
  const plan = {
    strategy: strategies[strategy],
    learner,
    start: 10,
    batch: 20,
    rounds: 2,
    delta: 0.05,
    seed: 7,
    seedChosen: true,
  }
  const rounds = await Array.fromAsync(runLoop(data, plan))
  const predicted = (await Array.fromAsync(data.engine().predictions(rounds.at(-1)!.model, learner.loss))).flat()
  await data.close()
  const draws = rounds.flatMap((round) => round.draws)
  expect(draws.length).toBeGreaterThanOrEqual(30)
  return {
    ids: draws.map(({ id }) => id),
    chances: draws.map(({ probability }) => probability),
    models: rounds.map(({ model }) => model.id),
    errors: rounds.map(({ test }) => test?.error),
    recipe: data.recipe,
    predicted: new Map(predicted.map(({ id, probabilities }) => [id, probabilities[1]!])),
  }
}

function expectSame(got: Awaited<ReturnType<typeof drawn>>, wanted: typeof got, tolerance: number): void {
  expect(got.ids).toEqual(wanted.ids)
  for (const [k, chance] of got.chances.entries()) expect(Math.abs(chance / wanted.chances[k]! - 1)).toBeLessThan(tolerance)
}

describe('a pool on disk', () => {
  it.each([
    ['landmarks', 'alis'],
    ['thermometer', 'alis-variance'],
    ['thermometer', 'margin-rank'],
  ] as const)(
    'has the %s that it would have in memory, and is drawn from by %s and predicted as there',
    async (learner, strategy) => {
      const inMemory = await drawn(pool.parquet, mixed, 'memory', { learner, strategy })
      const onDisk = await drawn(pool.parquet, mixed, 'duckdb', { learner, strategy })
      expectSame(onDisk, inMemory, 1e-4) // 32-bit rounding of lists, as below, and of what is made of them
      const [here, there] = [onDisk.recipe, inMemory.recipe]
      expect(blocksOf(here)).toEqual(blocksOf(there))
      expect(blocksOf(here).landmarks).toBeGreaterThan(100)
      expect(blocksOf(here).cuts > 0).toBe(learner === 'thermometer')
      for (const [id, chance] of inMemory.predicted) expect(onDisk.predicted.get(id)).toBeCloseTo(chance, 4)
    },
  )

  it('is drawn from as in memory: numbers, missing ones, flags, categories and lists, of Parquet files and of a database', async () => {
    const inMemory = await drawn(pool.parquet, mixed, 'memory')
    const parquet = await drawn(pool.parquet, mixed, 'duckdb')
    expectSame(parquet, inMemory, 1e-5) // lists are centred in the weights: 32-bit rounding is saved
    expectSame(await drawn(pool.database, mixed, 'duckdb'), parquet, 1e-12)
  })

  it.each(['paper', 'uncertainty'] as const)('is drawn from as in memory by %s', async (strategy) => {
    const options = { ...mixed, features: ['whole', 'flag'] }
    const inMemory = await drawn(pool.parquet, options, 'memory', { strategy })
    expectSame(await drawn(pool.parquet, options, 'duckdb', { strategy }), inMemory, 1e-9)
  })

  it('has points named by row numbers where no column names them', async () => {
    const path = join(folder, 'nameless.parquet')
    await write(`COPY (SELECT sin(i) AS a, cos(i) AS b, (sin(i) > 0)::VARCHAR AS y FROM range(2000) AS t(i)) TO '${path}'`)
    const inMemory = await drawn(path, { label: 'y' }, 'memory')
    expectSame(await drawn(path, { label: 'y' }, 'duckdb'), inMemory, 1e-6) // kernels score in 32 bits
  })

  it('shows the same contents, and says the same in a column', async () => {
    const said = await Promise.all(
      (['memory', 'duckdb'] as const).map(async (engine) => {
        const data = await open(pool.parquet, mixed, engine)
        const contents = await data.engine().contents([`it's "7`, `it's "0`])
        const colours = await data.labelsIn('co"lour')
        await data.close()
        return { contents, colours: [...colours].filter(([, colour]) => colour !== null).sort() }
      }),
    )
    expect(said[0]!.colours.length).toBeGreaterThan(1000)
    expect(said[1]).toEqual(said[0])
  })

  it('is tested on a file of its own as in memory', async () => {
    const test = join(folder, 'test.parquet')
    await write(`COPY (SELECT * REPLACE ('t' || id AS id) FROM '${join(folder, 'mixed-2.parquet')}' LIMIT 300) TO '${test}'`)
    const first = join(folder, 'mixed-1.parquet')
    const inMemory = await drawn(first, { ...mixed, test }, 'memory')
    const onDisk = await drawn(first, { ...mixed, test }, 'duckdb')
    expect(onDisk.errors).toEqual(inMemory.errors)
    expect(onDisk.errors.at(-1)).toBeLessThan(0.4)
  })

  it.each<[string, DataOptions, RegExp]>([
    ['words', { label: 'y', text: ['note'] }, /note: a pool on disk is learned from by numbers, .* got words/],
    ['a share to test on', { ...mixed, test: 0.3 }, /test: a file of its own is required for a pool on disk, got a share of 0.3/],
    ['ids that repeat', { ...mixed, id: 'whole' }, /pool: ids must be unique, got 1399 repeated/],
    ['files that joined later', { ...mixed, added: ['more.csv'] }, /pool: a pool on disk is one file or pattern, got 1 files/],
    ['8 bits', { ...mixed, bits: 8 }, /bits: 32 are required where the pool is worked on by duckdb, got 8/],
  ])('is refused with %s', async (_, options, message) => {
    await expect(open(pool.parquet, options, 'duckdb')).rejects.toThrow(message)
  })
})

describe('scores in columns of a file', () => {
  const path = join(folder, 'scored.jsonl')
  beforeAll(() => writeFileSync(path, scoredLines(scoredPoints(400))))

  it.each<[string, DataOptions]>([
    ['two classes', { scores: ['p'], label: 'y' }],
    ['K classes, in columns named like them', { scores: ['dog', 'cat', 'bird'], label: 'animal' }],
  ])('of %s are the same model of every round in memory and on disk', async (_, options) => {
    const inMemory = await drawn(path, options, 'memory', { strategy: 'expected-loss' })
    const onDisk = await drawn(path, options, 'duckdb', { strategy: 'expected-loss' })
    expectSame(onDisk, inMemory, 1e-12)
    expect(onDisk.models).toEqual(inMemory.models)
    expect(new Set(inMemory.models).size).toBe(1)
  })

  it.each(['memory', 'duckdb'] as const)('are never shown, in %s', async (engine) => {
    const data = await open(path, { scores: ['p'], label: 'y' }, engine)
    const [content] = await data.engine().contents(['s7'])
    expect(Object.keys(content!.fields)).not.toContain('p')
    expect(content!.fields.body).toBe('mail number 7')
    await data.close()
  })

  it('are not tested', async () => {
    await expect(open(path, { scores: ['p'], label: 'y', test: 0.3 }, 'memory')).rejects.toThrow(
      'test: nothing is learned from scores in columns, got 0.3 to test on',
    )
  })
})
