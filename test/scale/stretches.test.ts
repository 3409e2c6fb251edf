import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dense } from '../../src/core/features.ts'
import { linearModel } from '../../src/core/model.ts'
import type { StratifiedPool } from '../../src/core/strata.ts'
import { bernoulli } from '../../src/designs/bernoulli.ts'
import { successive } from '../../src/designs/successive.ts'
import { top } from '../../src/designs/top.ts'
import { type OpenDuckdbPool, openDuckdbPool } from '../../src/engines/duckdb/pool.ts'
import type { Engine } from '../../src/engines/engine.ts'
import { memoryEngine } from '../../src/engines/memory.ts'
import { errorOf } from '../../src/losses/error.ts'
import { logistic } from '../../src/losses/logistic.ts'
import { stratifyModel } from '../../src/losses/strata.ts'
import { strategies } from '../../src/strategies/catalogue.ts'
import { folder, write } from './pools.ts'

// Enough for several row groups of the working tables, in two files, whose rows have the same numbers.
const [rows, features] = [400_000, 3]
const path = (file: number | '*') => join(folder, `stretches-${file}.parquet`)
const model = linearModel({ loss: 'logistic', classes: ['no', 'yes'], weights: [[3, -2, 0.5]], intercepts: [1.5] })
const question = { model, loss: logistic, mass: strategies.alis.mass, controls: [errorOf(logistic)] }
const request = { ...question, design: successive, size: 40, stream: { seed: 3, name: 'learn/1' } }

async function open(memoryLimit: number): Promise<OpenDuckdbPool> {
  const blocks = Array.from({ length: features }, (_, j) => ({ kind: 'number' as const, sql: `f${j}::DOUBLE` }))
  return openDuckdbPool(
    { from: `read_parquet('${path('*')}')`, id: 'id', line: 'file_row_number', blocks, fields: { file: 'file' } },
    { memoryLimit },
  )
}

describe('a pool of many stretches', () => {
  let memory: Engine
  let [one, many]: OpenDuckdbPool[] = []
  beforeAll(async () => {
    const numbers = Array.from({ length: features }, (_, j) => `(hash(i, ${j}) / 2.0 ** 63 - 1)::FLOAT AS f${j}`)
    const half = rows / 2
    for (const file of [0, 1])
      await write(
        `COPY (SELECT 'p' || i AS id, ${numbers}, '${file}' AS file FROM range(${file * half}, ${(file + 1) * half}) AS t(i)) TO '${path(file)}'`,
      )
    const database = await DuckDBInstance.create(':memory:')
    const connection = await database.connect()
    const columns = await (await connection.run(`SELECT f0, f1, f2 FROM read_parquet('${path('*')}')`)).getColumnsJS()
    database.closeSync()
    const values = Float32Array.from({ length: rows * features }, (_, k) =>
      Number(columns[k % features]![Math.floor(k / features)]),
    )
    const ids = Array.from({ length: rows }, (_, i) => `p${i}`)
    memory = memoryEngine({ ids, features: dense(values, features) })
    one = await open(2 ** 26) // so little is for one thread
    many = await open(2 ** 30)
  })
  afterAll(async () => {
    await one?.close()
    await many?.close()
  })

  it.each([successive, bernoulli, top].map((design) => [design.name, design] as const))(
    'draws by %s what memory draws',
    async (_, design) => {
      const engine = many!.engine()
      const taken = ['p7', 'p140000', 'p399999']
      for (const each of [engine, memory]) await each.take(taken)
      const [wanted, got] = [await memory.draw({ ...request, design }), await engine.draw({ ...request, design })]
      expect(got.draws.map(({ id }) => id)).toEqual(wanted.draws.map(({ id }) => id))
      for (const [k, { probability }] of got.draws.entries()) expect(probability / wanted.draws[k]!.probability).toBeCloseTo(1, 9)
      expect(got.survey.mass / wanted.survey.mass).toBeCloseTo(1, 12)
      expect(got.survey.points).toBe(rows - taken.length)
    },
  )

  // Where stretches are added up in any order, two runs in three differ by a bit for one model; for none of six, one in a thousand do not.
  it('adds up to the same last bit with any number of threads', async () => {
    const [alone, together] = [one!.engine(), many!.engine()]
    for (let k = 0; k < 6; k++) {
      const other = linearModel({ loss: 'logistic', classes: ['no', 'yes'], weights: [[k, -2, 0.5]], intercepts: [0.1 * k] })
      expect(await together.survey({ ...question, model: other })).toEqual(await alone.survey({ ...question, model: other }))
    }
    expect(await together.draw(request)).toEqual(await alone.draw(request))
  })

  it('has the strata that memory has', async () => {
    const { stratify } = stratifyModel(logistic, 2)
    const [wanted, got] = [memory, one!.engine()].map((engine) => engine.stratified(model, stratify)) as [
      StratifiedPool,
      StratifiedPool,
    ]
    const taken = ['p7', 'p140000', 'p399999'] // from memory already
    await got.take(taken)
    await wanted.take(taken)
    const { codes, counts } = await wanted.counts()
    expect(await got.counts()).toEqual({ codes, counts })
    const drawing = { codes, masses: codes.map((code) => 1 + (code % 11)), size: 40, stream: { seed: 3, name: 'audit/1' } }
    expect(await got.draw(drawing)).toEqual(await wanted.draw(drawing))
  })

  it('finds points in either file, of rows with the same number', async () => {
    const engine = many!.engine()
    const ids = ['p5', 'p200005', 'p199999']
    expect((await engine.contents(ids)).map(({ fields }) => fields.file)).toEqual(['0', '1', '0'])
    const [got, wanted] = [await engine.features(ids), await memory.features(ids)]
    for (const row of ids.keys())
      expect(got.dot(row, Float64Array.of(1, 10, 100))).toBe(wanted.dot(row, Float64Array.of(1, 10, 100)))
  })
})
