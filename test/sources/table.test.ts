import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmod, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { getuid } from 'node:process'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { pathOf, readAll, refusal, useFolder, withTable } from './folder.ts'

useFolder()

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

describe('the hash', () => {
  it('of a file is what sha256sum says', async () => {
    const text = 'a\n1\n'
    await withTable(await pathOf(text), async ({ hash }) => expect(hash).toBe(`sha256:${sha256(text)}`))
    await withTable(await pathOf({ 'other name.csv': text }), async ({ hash }) => expect(hash).toBe(`sha256:${sha256(text)}`))
  })

  it('of several files is that of the lines of sha256sum', async () => {
    const path = await pathOf({ 'b.csv': 'a\n2\n', 'a.csv': 'a\n1\n' }, '*.csv')
    const lines = `${sha256('a\n1\n')}  a.csv\n${sha256('a\n2\n')}  b.csv\n`
    await withTable(path, async ({ hash }) => expect(hash).toBe(`sha256:${sha256(lines)}`))
  })
})

describe('different values', () => {
  const column = <T>(rows: number, cell: (row: number) => T) => Array.from({ length: rows }, (_, row) => cell(row))

  it.each([
    ['one', 1],
    ['two', 2],
    ['a hundred', 100],
    ['a thousand', 1000],
  ])('are counted exactly: %s', async (_, different) => {
    // Empty cells are no value; and a column late to vary is counted to its end.
    const cells = column(
      6000,
      (row) => `${row % different},${row % 2 ? `x${row % different}` : ''},${row < 5999 ? 'same' : 'last'}`,
    )
    await withTable(await pathOf(`a,b,c\n${cells.join('\n')}\n`), async ({ columns }) => {
      const odd = new Set(column(3000, (k) => (2 * k + 1) % different)).size
      expect(columns.map(({ distinct }) => distinct)).toEqual([different, odd, 2])
    })
  })

  it('are about right beyond: ten thousand categories', async () => {
    const cells = column(20_000, (row) => `category ${row % 10_000}`)
    await withTable(await pathOf(`a\n${cells.join('\n')}\n`), async ({ columns }) => {
      expect(columns[0]).toMatchObject({ kind: 'text', examples: ['category 0', 'category 1', 'category 2'] })
      expect(columns[0]!.distinct).toBeGreaterThan(5000)
      expect(columns[0]!.distinct).toBeLessThan(20_000)
    })
  })

  it('are never said to be fewer than a thousand and one where there are more', async () => {
    const cells = column(1300, (row) => row)
    await withTable(await pathOf(`a\n${cells.join('\n')}\n`), async ({ columns }) => {
      expect(columns[0]!.distinct).toBeGreaterThan(1000)
    })
  })
})

describe('vectors', () => {
  it('are found where the first rows are empty, and all the same width', async () => {
    const path = await pathOf(`id,v\n${'1,\n'.repeat(3000)}2,"[1,2,3]"\n`)
    await withTable(path, async (table) => {
      expect(table.columns[1]).toMatchObject({ kind: 'vector', width: 3, missing: 3000, distinct: 1 })
      expect((await readAll(table)).v!.at(-1)).toEqual([1, 2, 3])
    })
  })

  it('come from JSON lists', async () => {
    const path = await pathOf({ 'a.jsonl': '{"v":[0.5,1]}\n{"v":null}\n{"v":[-2,1e3]}\n' })
    // biome-ignore format: one thought
    await withTable(path, async (table) => expect(await readAll(table)).toEqual({ v: [[0.5, 1], [null, null], [-2, 1000]] }))
  })
})

it('gives JSON values as text: whole numbers without .0, nested values as JSON', async () => {
  const line =
    '{"a":1.0,"b":true,"c":{"k":[1,"x"]},"d":"007","e":null,"f":18446744073709551616,"g":"","h":"say \\"hi\\"\\n","i":1e5}'
  await withTable(await pathOf({ 'a.jsonl': `${line}\n` }), async (table) => {
    const texts = await Promise.all(table.columns.map(({ name }) => table.strings(name)))
    expect(texts.flat()).toEqual([
      '1',
      'true',
      '{"k":[1,"x"]}',
      '007',
      null,
      '18446744073709551616',
      null,
      'say "hi"\n',
      '100000',
    ])
    expect(table.columns.filter(({ kind }) => kind === 'number').map(({ name }) => name)).toEqual(['a', 'f', 'i'])
  })
})

describe('a file that changes while open', () => {
  it('is refused at the end of a reading, whether written over or put in its place', async () => {
    const path = await pathOf({ 'pool.csv': 'a\n1\n2\n', 'new.csv': 'a\n3\n4\n' })
    const message = 'pool.csv: must stay as it is while open, got a changed file'
    await withTable(path, async (table) => {
      await writeFile(path, 'a\n2\n1\n')
      expect((await refusal(readAll(table))).message).toBe(message)
    })
    await withTable(path, async (table) => {
      await rename(join(path, '..', 'new.csv'), path)
      expect((await refusal(table.strings('a'))).message).toBe(message)
    })
  })
})

it('refuses a file one may not read', async () => {
  const path = await pathOf('a\n1\n')
  await chmod(path, 0o000)
  await chmod(join(path, '..'), 0o755)
  await chmod(join(path, '..', '..'), 0o755)
  // The superuser may read anything, so another user has to try.
  const code = `import(${JSON.stringify(import.meta.resolve('../../src/sources/duckdb-file.ts'))})
    .then(({ openTable }) => openTable(${JSON.stringify(path)})).catch((error) => console.log(error.message))`
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', code], {
    encoding: 'utf8',
    ...(getuid?.() === 0 && { uid: 65534, gid: 65534 }),
  })
  expect(stdout.trim() || stderr).toBe(`${path}: must be readable, got no permission`)
})

it('reads back whatever CSV can hold', async () => {
  const cell = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.string({ unit: fc.constantFrom('a', '"', ',', ';', '\n', '\r', ' ', '[', '_') }),
  )
  const shape = fc.record({
    rows: fc
      .integer({ min: 1, max: 3 })
      .chain((width) => fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 2, maxLength: 6 })),
    newline: fc.constantFrom('\n', '\r\n', '\r'),
    delimiter: fc.constantFrom(',', ';', '\t', '|'),
    mark: fc.constantFrom('', '\ufeff'),
    isPacked: fc.boolean(),
    ending: fc.boolean(),
    isHard: fc.boolean(),
  })
  await fc.assert(
    fc.asyncProperty(shape, async ({ rows: [, ...rows], newline, delimiter, mark, isPacked, ending, isHard }) => {
      const names = rows[0]!.map((_, j) => (isHard ? `${j}${delimiter}\n"` : `name ${j}`))
      const line = (cells: readonly string[]) => cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(delimiter)
      const header = isHard ? line(names) : names.join(delimiter)
      const text = mark + [header, ...rows.map(line)].join(newline) + (ending ? newline : '')
      const path = await pathOf(isPacked ? { 'a.csv.gz': gzipSync(text) } : { 'a.csv': text })
      await withTable(path, async (table) => {
        const columns = await Promise.all(table.columns.map(({ name }) => table.strings(name)))
        expect(table.columns.map(({ name }) => name)).toEqual(names)
        expect(columns).toEqual(names.map((_, j) => rows.map((row) => row[j] || null)))
      })
    }),
    { numRuns: 100, seed: 4 },
  )
})
