import { DuckDBInstance } from '@duckdb/node-api'
import { afterAll, expect, it } from 'vitest'
import { uniform } from '../../core/randomness.ts'
import { describeFormulas } from '../sql/dialect.contract.ts'
import { duckdbDialect } from './dialect.ts'

const connection = await (await DuckDBInstance.create(':memory:')).connect()
afterAll(() => connection.closeSync())

const ask = async (sql: string) => (await connection.runAndReadAll(sql)).getRowsJS() as number[][]

describeFormulas('in JavaScript')
describeFormulas('in DuckDB', { dialect: duckdbDialect, ask })

it('mixes the same uniforms, for impolite ids too', async () => {
  const ids = ['a', "it's", 'né "1"', '', '東京']
  const hashed = `(SELECT id, md5_number_upper(id) AS h FROM (VALUES ${ids.map((id) => `(${duckdbDialect.text(id)})`)}) AS t(id))`
  const rows = await ask(`SELECT u FROM ${duckdbDialect.withUniforms(hashed, { seed: 7, name: "learn/1 'x'" })}`)
  expect(rows.map(([u]) => u)).toEqual(ids.map((id) => uniform(7, "learn/1 'x'", id)))
})

it('writes doubles that are read back to the last bit, and quotes any name', async () => {
  const numbers = [0.1, 1 / 3, 5e-324, 1.7976931348623157e308, -0.5, 12345678901234567000, Number.POSITIVE_INFINITY]
  expect((await ask(`SELECT ${numbers.map(duckdbDialect.number)}`))[0]).toEqual(numbers)
  const name = 'a "b"; DROP TABLE x'
  expect(await ask(`SELECT ${duckdbDialect.name(name)} FROM (SELECT 1e0 AS ${duckdbDialect.name(name)})`)).toEqual([[1]])
})
