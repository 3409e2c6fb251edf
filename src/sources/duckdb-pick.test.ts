import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openTable } from './duckdb-file.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'alis-pick-'))
})
afterAll(() => rm(folder, { recursive: true }))

const rowsOf = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, k) => `p${from + k},"text, ""${from + k}""",${(from + k) % 7 === 0 ? '' : '007'}\n`)

it('hands out the rows asked for, in that order, as they are written', async () => {
  const path = join(folder, 'pool.csv.gz')
  await writeFile(path, gzipSync(`id,text,code\n${rowsOf(0, 10_000).join('')}`))
  const table = await openTable(path)
  const text = (row: number) => `text, "${row}"`
  expect(await table.pick([9999, 0, 2047, 2048, 5, 5], ['text', 'code', 'id'])).toEqual([
    [text(9999), '007', 'p9999'],
    [text(0), null, 'p0'],
    [text(2047), '007', 'p2047'],
    [text(2048), '007', 'p2048'],
    [text(5), '007', 'p5'],
    [text(5), '007', 'p5'],
  ])
  expect(await table.pick([], ['text'])).toEqual([])
  expect(await table.pick([3, 4], [])).toEqual([[], []])
  await expect(table.pick([3], ['txt'])).rejects.toThrow('must have the column that is asked for, got "txt"')
  await table.close()
})

it('counts rows across files, and refuses a file that has changed', async () => {
  for (const [k, from] of [0, 3000, 5000].entries())
    await writeFile(join(folder, `part-${k}.csv`), `id,text,code\n${rowsOf(from, [3000, 5000, 5002][k]!).join('')}`)
  const table = await openTable(join(folder, 'part-*.csv'))
  expect((await table.pick([5001, 2999, 3000, 5000], ['id'])).flat()).toEqual(['p5001', 'p2999', 'p3000', 'p5000'])
  await appendFile(join(folder, 'part-2.csv'), 'late,late,1\n')
  await expect(table.pick([0], ['id'])).rejects.toThrow('must stay as it is while open, got a changed file')
  await table.close()
})
