import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { describe, expect, it } from 'vitest'
import { pathOf, readAll, readColumns, refusal, useFolder, withTable } from './folder.ts'

useFolder()

/** Writes the answer of a query as Parquet, next to nothing else. */
async function parquet(sql: string, name = 'pool.parquet', beside?: string): Promise<string> {
  const path = beside === undefined ? await pathOf({ [name]: '' }) : join(beside, '..', name)
  const database = await DuckDBInstance.create(':memory:')
  const connection = await database.connect()
  await connection.run(`COPY (${sql}) TO '${path}' (FORMAT parquet)`)
  database.closeSync()
  return path
}

describe('a Parquet value as written', () => {
  it.each([
    ['an integer', '7::TINYINT', 'number', '7'],
    ['a large integer', '9007199254740993::BIGINT', 'number', '9007199254740993'],
    ['the largest unsigned', '18446744073709551615::UBIGINT', 'number', '18446744073709551615'],
    ['a whole double', '1.0::DOUBLE', 'number', '1'],
    ['a 32-bit number', '0.1::FLOAT', 'number', '0.1'],
    ['a large double', '1e20::DOUBLE', 'number', '1e+20'],
    ['a decimal', '1.50::DECIMAL(10, 2)', 'number', '1.50'],
    ['a truth value', 'true', 'text', 'true'],
    ['a string of digits', "'007'", 'text', '007'],
    ['a date', "DATE '2024-01-02'", 'text', '2024-01-02'],
    ['a time', "TIME '03:04:05'", 'text', '03:04:05'],
    ['a timestamp', "TIMESTAMP '2024-01-02 03:04:05.12'", 'text', '2024-01-02T03:04:05.12'],
    ['a timestamp of nanoseconds', "TIMESTAMP_NS '2024-01-02 03:04:05.123456789'", 'text', '2024-01-02T03:04:05.123456789'],
    ['a timestamp with a zone', "TIMESTAMPTZ '2024-01-02 03:04:05+02'", 'text', '2024-01-02T01:04:05Z'],
    ['a UUID', "UUID '5c59a265-2a33-4a6c-a8a5-02d31a0e3d9b'", 'text', '5c59a265-2a33-4a6c-a8a5-02d31a0e3d9b'],
    ['bytes', "'\\xAAA'::BLOB", 'text', 'qkE='],
    ['a struct', "{'a': 1, 'b': [true, NULL]}", 'text', '{"a":1,"b":[true,null]}'],
    ['a map', "MAP {'k': 1.5::DOUBLE}", 'text', '{"k":1.5}'],
    ['a list of strings', "['a', 'b']", 'text', '["a","b"]'],
    ['a list of numbers', '[1.5::DOUBLE, 2]', 'vector', '[1.5,2.0]'],
    ['a fixed-size list', '[1, 2]::INTEGER[2]', 'vector', '[1,2]'],
    ['a list with a null', '[1.5::DOUBLE, NULL]', 'text', '[1.5,null]'],
  ])('%s', async (_, value, kind, text) => {
    const path = await parquet(`SELECT ${value} AS a UNION ALL SELECT NULL`)
    await withTable(path, async (table) => {
      expect(await table.strings('a')).toEqual([text, null])
      expect(table.columns[0]).toMatchObject({ name: 'a', kind, missing: 1, distinct: 1, examples: [text] })
    })
  })
})

describe('Parquet', () => {
  it('gives numbers of every type and lists of every type', async () => {
    const path = await parquet(`FROM (VALUES (1::UTINYINT, 2.5::DECIMAL(4, 1), 1e-3::DOUBLE, [1, 2]::FLOAT[], [0.5::DOUBLE]),
      (NULL, NULL, NULL, NULL, NULL), (3, 4.5, 5, [3, 4], [6])) t(a, b, c, v, w)`)
    await withTable(path, async (table) => {
      expect(await readAll(table)).toEqual({
        a: [1, null, 3],
        b: [2.5, null, 4.5],
        c: [Math.fround(1e-3), null, 5],
        v: [
          [1, 2],
          [null, null],
          [3, 4],
        ],
        w: [[0.5], [null], [6]],
      })
    })
  })

  it('takes an empty string for an empty cell, and strings of digits for numbers if asked to', async () => {
    await withTable(await parquet("FROM (VALUES ('1'), (''), ('2.5')) t(a)"), async (table) => {
      expect(table.columns[0]).toMatchObject({ kind: 'text', missing: 1, distinct: 2 })
      expect(await table.strings('a')).toEqual(['1', null, '2.5'])
      expect(await readColumns(table, [{ name: 'a', as: 'number' }])).toEqual({ a: [1, null, 2.5] })
    })
  })

  it.each([
    ['nan', "'nan'::DOUBLE", 'nan'],
    ['inf', "'inf'::FLOAT", 'inf'],
    ['a double too large for 32 bits', '1e300::DOUBLE', '1e+300'],
  ])('refuses %s as a number: only an empty cell is missing', async (_, value, cell) => {
    const path = await parquet(`SELECT 1 AS a UNION ALL SELECT NULL UNION ALL SELECT ${value}`)
    const { message } = await refusal(withTable(path, readAll))
    expect(message).toBe(`pool.parquet: column "a" must hold finite 32-bit numbers, got "${cell}" in row 3`)
  })

  it('keeps names with quotes, dots and spaces', async () => {
    await withTable(await parquet(`SELECT 1 AS "it's ""q""", 2 AS "a.b c"`), async (table) => {
      expect(await readAll(table)).toEqual({ 'it\'s "q"': [1], 'a.b c': [2] })
    })
  })

  it('in several files may have columns in another order and of another type', async () => {
    const first = await parquet("SELECT 1 AS a, 'x' AS b, 1 AS c", 'a.parquet')
    await parquet("SELECT 'y' AS b, 'z' AS c, 2.5 AS a", 'b.parquet', first)
    await withTable(join(first, '..', '*.parquet'), async (table) => {
      expect(await readAll(table)).toEqual({ a: [1, 2.5], b: ['x', 'y'], c: ['1', 'z'] })
    })
  })

  it('cut short is refused', async () => {
    const path = await parquet('SELECT range AS a FROM range(10000)')
    await writeFile(path, (await readFile(path)).subarray(0, -100))
    const { message } = await refusal(withTable(path, readAll))
    expect(message).toBe('pool.parquet: must be a whole Parquet file, got something else or only a part')
  })

  it('without rows is refused', async () => {
    const { message } = await refusal(withTable(await parquet('SELECT 1 AS a LIMIT 0'), readAll))
    expect(message).toBe('pool.parquet: must have rows, got none')
  })

  it('keeps its order over many row groups', async () => {
    const path = await parquet('SELECT range AS a, range % 7 AS b FROM range(400000)')
    await withTable(path, async (table) => {
      let row = 0
      for await (const { start, rows, columns } of table.batches([{ name: 'a', as: 'number' }])) {
        expect(start).toBe(row)
        for (let i = 0; i < rows; i++) if (columns[0]!.values[i] !== row++) throw new Error(`row ${row - 1}`)
      }
      expect(row).toBe(400_000)
    })
  })
})
