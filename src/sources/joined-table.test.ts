import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { openTable } from './duckdb-file.ts'
import { joinedHash, joinedTable } from './joined-table.ts'

const folder = mkdtempSync(join(tmpdir(), 'alis-joined-'))
writeFileSync(join(folder, 'a.csv'), 'id,x,y\na,1,p\nb,2,q\n')
writeFileSync(join(folder, 'b.csv'), 'y,id,x\nr,c,3\n,d,4\ns,e,5\n')
const parts = [await openTable(join(folder, 'a.csv')), await openTable(join(folder, 'b.csv'))] as const
const table = joinedTable([...parts])
afterAll(() => table.close())

it('is one table below the other, whatever the order of their columns', async () => {
  expect(table.rows).toBe(5)
  expect(table.columns.map(({ name }) => name)).toEqual(['id', 'x', 'y'])
  expect(await table.strings('y')).toEqual(['p', 'q', 'r', null, 's'])
  const seen: number[] = []
  const values: number[] = []
  for await (const { start, columns } of table.batches([{ name: 'x', as: 'number' }], (rows) => seen.push(rows)))
    for (const [i, value] of columns[0]!.values.entries()) values[start + i] = value as number
  expect(values).toEqual([1, 2, 3, 4, 5])
  expect(seen.at(-1)).toBe(5)
})

it('picks rows in the order asked for, also twice', async () => {
  expect(await table.pick([4, 0, 2, 0], ['x', 'id'])).toEqual([
    ['5', 'e'],
    ['1', 'a'],
    ['3', 'c'],
    ['1', 'a'],
  ])
})

it('has a hash of its own, and alone a table has its own', () => {
  expect(joinedHash([parts[0]])).toBe(parts[0].hash)
  expect(table.hash).toBe(joinedHash(parts))
  expect(joinedHash([parts[1], parts[0]])).not.toBe(table.hash)
  expect(joinedTable([parts[0]])).toBe(parts[0])
})
