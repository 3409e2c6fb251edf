import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { afterAll, expect, it } from 'vitest'
import { linearModel } from '../../core/model.ts'
import { errorOf } from '../../losses/error.ts'
import { logistic } from '../../losses/logistic.ts'
import { strategies } from '../../strategies/catalogue.ts'
import { type ContractPool, describeEngine } from '../engine.contract.ts'
import { duckdbDialect } from './dialect.ts'
import { type OpenDuckdbPool, openDuckdbPool } from './pool.ts'

const folder = mkdtempSync(join(tmpdir(), 'alis-test-'))
const pools: OpenDuckdbPool[] = []
afterAll(async () => {
  for (const pool of pools) await pool.close()
  rmSync(folder, { recursive: true })
})
let files = 0

/** The pool as a Parquet file, its columns one by one or as a list. */
async function writePool({ ids, values, columns, contents }: ContractPool, asList: boolean): Promise<string> {
  const path = join(folder, `${files++}.parquet`)
  const connection = await (await DuckDBInstance.create(':memory:')).connect()
  const { text, number } = duckdbDialect
  const rows = ids.map((id, i) => {
    const numbers = Array.from(values.subarray(i * columns, (i + 1) * columns), number)
    return `(${[text(id), text(contents[i]!.fields.text!), asList ? `[${numbers}]` : numbers]})`
  })
  const names = asList ? ['v'] : Array.from({ length: columns }, (_, j) => `v${j}`)
  const types = names.map((name) => `${name}::FLOAT${asList ? '[]' : ''} AS ${name}`)
  await connection.run(
    `COPY (SELECT id, "text", ${types} FROM (VALUES ${rows}) AS t(id, "text", ${names})) TO ${text(path)} (ROW_GROUP_SIZE 128)`,
  )
  connection.closeSync()
  return path
}

async function open(pool: ContractPool, asList: boolean) {
  const from = `read_parquet(${duckdbDialect.text(await writePool(pool, asList))})`
  const vector = { kind: 'vector' as const, sql: 'v', means: new Array<number>(pool.columns).fill(0), scale: 1 }
  const numbers = Array.from({ length: pool.columns }, (_, j) => ({ kind: 'number' as const, sql: `v${j}::DOUBLE` }))
  const opened = await openDuckdbPool({ from, id: 'id', blocks: asList ? [vector] : numbers, fields: { text: '"text"' } })
  pools.push(opened)
  return opened.engine()
}

const noSelectors = 'they compare points with each other, which no query over a large pool can'
const database = { noSelectors, needsFormulas: true }
describeEngine('duckdb, columns of a Parquet file', (pool) => open(pool, false), database)
describeEngine('duckdb, a list column of a Parquet file', (pool) => open(pool, true), { ...database, onlyFeatures: true })

it('keeps the scores of a model while they are in use, however many models there are', async () => {
  const [points, columns] = [300, 3]
  const ids = Array.from({ length: points }, (_, i) => `p${i}`)
  const values = Float32Array.from({ length: points * columns }, (_, k) => Math.sin(k * 7.3))
  const engine = await open({ ids, values, columns, contents: ids.map((id) => ({ id, fields: { text: id } })) }, true)
  const request = { loss: logistic, mass: strategies.alis.mass, controls: [errorOf(logistic)] }
  const models = Array.from({ length: 8 }, (_, k) =>
    linearModel({ loss: 'logistic', classes: ['no', 'yes'], weights: [[k, 1, -k]], intercepts: [0] }),
  )
  const surveys = await Promise.all(models.map((model) => engine.survey({ ...request, model })))
  for (const [k, model] of models.entries()) expect(await engine.survey({ ...request, model })).toEqual(surveys[k])
})
