import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { openTable } from './duckdb-file.ts'
import { tableBytes } from './write-table.ts'

const folder = mkdtempSync(join(tmpdir(), 'alis-written-'))
afterAll(() => rmSync(folder, { recursive: true }))

const columns = [
  { name: 'id', type: 'text' },
  { name: '0', type: 'number' },
  { name: 'a "name"', type: 'whole' },
] as const
const bytesOf = async (format: 'csv' | 'jsonl' | 'parquet', rows: (string | number | null)[][][]) =>
  Buffer.concat(await Array.fromAsync(tableBytes(columns, format, rows)))

it('rows come in parts that make one file, with one header', async () => {
  const batch = (start: number) => Array.from({ length: 5000 }, (_, i) => [`r${start + i}`, (start + i) / 3 + 0.5, i])
  const batches = Array.from({ length: 45 }, (_, k) => batch(5000 * k))
  const text = (await bytesOf('csv', batches)).toString()
  const written = text.trimEnd().split('\n')
  expect(written.length).toBe(225_001)
  expect(written[0]).toBe('id,0,"a ""name"""')
  for (const row of [0, 99_999, 100_000, 224_999]) expect(written[row + 1]).toBe(`r${row},${row / 3 + 0.5},${row % 5000}`)
})

it('rows keep quotes, line breaks, and nothing apart from an empty text', async () => {
  const odd = [
    ['say "hi",\r\nthere', 0.1, null],
    ['', Number.MIN_VALUE, 1],
    [null, 1e300, 2],
    ['null', 1 / 3, 3],
  ]
  const back = (await bytesOf('jsonl', [odd])).toString().trimEnd().split('\n')
  expect(back.map((line) => Object.values(JSON.parse(line)))).toEqual(odd.map(([a, b, c]) => [b, a, c])) // "0" comes first in JavaScript
  expect((await bytesOf('csv', [odd])).toString()).toContain('"say ""hi"",\r\nthere",0.1,\n"",')
  const file = join(folder, 'odd.parquet')
  writeFileSync(file, await bytesOf('parquet', [odd]))
  const table = await openTable(file)
  expect(await table.strings('id')).toEqual(odd.map(([id]) => id || null))
  await table.close()
})

it('there is a header even without rows, and names must differ in more than case', async () => {
  expect((await bytesOf('csv', [])).toString()).toBe('id,0,"a ""name"""\n')
  expect((await bytesOf('jsonl', [])).length).toBe(0)
  const twice = tableBytes([columns[0], { name: 'ID', type: 'text' }], 'csv', [])
  await expect(twice.next()).rejects.toThrow('columns: names must differ in more than case, got "ID" twice')
})

it('cells that a spreadsheet would run stand behind an apostrophe, in CSV for people and nowhere else', async () => {
  const named = [
    { name: '=id', type: 'text' },
    { name: '-x', type: 'number' },
  ] as const
  const cells = ['=HYPERLINK("http://x","y")', '+1+1', '-1+1', '@SUM(A1)', '\t=1', '\r=1', '+1', '-2.5e3', '- a dash', "it's", '']
  const rows = [cells.map((cell) => [cell, -1])]
  const textOf = async (format: 'csv' | 'jsonl', isRaw?: boolean) =>
    Buffer.concat(await Array.fromAsync(tableBytes(named, format, rows, { isRaw }))).toString()
  const read = async (text: string) => {
    const file = join(folder, 'guarded.csv')
    writeFileSync(file, text)
    const table = await openTable(file)
    const names = table.columns.map(({ name }) => name)
    const found = await table.strings(names[0]!)
    await table.close()
    return { names, found }
  }
  const guarded = [1, 1, 1, 1, 1, 1, 0, 0, 1, 0, 0].map((is, k) => (is ? `'${cells[k]}` : cells[k]!))
  expect(await read(await textOf('csv'))).toEqual({ names: ["'=id", "'-x"], found: guarded.map((cell) => cell || null) }) // an empty text is an empty cell
  expect(await read(await textOf('csv', true))).toEqual({ names: ['=id', '-x'], found: cells.map((cell) => cell || null) })
  const lines = (await textOf('jsonl')).trimEnd().split('\n')
  expect(lines.map((line) => JSON.parse(line)['=id'])).toEqual(cells)
})
