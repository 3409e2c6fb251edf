import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, expect, it } from 'vitest'
import { openTable } from '../../sources/duckdb-file.ts'
import type { KnownTable } from '../../sources/table.ts'
import { keepTable, readKnownTable } from './known-table.ts'

const folder = mkdtempSync(join(tmpdir(), 'alis-known-'))
afterAll(() => rmSync(folder, { recursive: true }))

const path = join(folder, 'pool.csv')
const columnsOf = async (known?: KnownTable, name = path) => {
  const table = await openTable(name, { known })
  await table.close()
  return table.columns
}

async function kept(): Promise<KnownTable> {
  const table = await openTable(path)
  keepTable(folder, table, 1)
  await table.close()
  return readKnownTable(folder)!
}

beforeEach(() => writeFileSync(path, 'x,label\n1.5,yes\n,no\n-2,yes\n'))

it('what was found out is read back whole', async () => {
  const table = await openTable(path)
  expect(await kept()).toEqual({ hash: table.hash, reading: table.reading, rows: 3, columns: table.columns })
  await table.close()
})

it('a file that is the same is not gone through again', async () => {
  const known = await kept()
  const told = { ...known, columns: known.columns.map((column) => ({ ...column, distinct: 77 })) }
  expect((await columnsOf(told)).map(({ distinct }) => distinct)).toEqual([77, 77])
})

it('a file that has changed is, and one that is read in another way', async () => {
  const known = await kept()
  const told = { ...known, columns: known.columns.map((column) => ({ ...column, distinct: 77 })) }
  expect((await columnsOf(told, `${path}#header=no`)).map(({ distinct }) => distinct)).toEqual([3, 3])
  writeFileSync(path, 'x,label\n1.5,yes\n,no\n-3,no\n')
  expect((await columnsOf(told)).map(({ distinct }) => distinct)).toEqual([2, 2])
})

it('a file of other columns is, whatever was written down', async () => {
  const known = await kept()
  const told = { ...known, columns: known.columns.map((column) => ({ ...column, name: `${column.name}2` })) }
  expect((await columnsOf(told)).map(({ name }) => name)).toEqual(['x', 'label'])
})

it('what is cut short is nothing', async () => {
  await kept()
  truncateSync(join(folder, 'table.json'), 4100)
  expect(readKnownTable(folder)).toBeUndefined()
})

it('little is not written down', async () => {
  const other = mkdtempSync(join(folder, 'none'))
  const table = await openTable(path)
  keepTable(other, table)
  await table.close()
  expect(readKnownTable(other)).toBeUndefined()
})
