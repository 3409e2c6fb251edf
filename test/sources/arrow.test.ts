// Arrow files as pyarrow writes them (see arrow/make.py), and as another package does.
import { copyFile, readdir, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { float32, list, tableFromArrays, tableToIPC, utf8 } from '@uwdata/flechette'
import fc from 'fast-check'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Table } from '../../src/sources/table.ts'
import { pathOf, readAll, refusal, useFolder, withTable } from './folder.ts'

useFolder()

const made = (name: string) => join(import.meta.dirname, 'arrow', name)

/** All that there is to know of a table but its hash. */
async function contentsOf(table: Table) {
  const texts = await Promise.all(table.columns.map(({ name }) => table.strings(name)))
  return { rows: table.rows, columns: table.columns, texts, values: await readAll(table) }
}

describe('an Arrow file', () => {
  it.each(['types-uncompressed.feather', 'types-lz4.feather', 'types-zstd.feather', 'types.arrows'])(
    'reads as the same table in Parquet does, type by type: %s',
    async (name) => {
      const expected = await withTable(made('types.parquet'), contentsOf)
      expect(expected.columns.length).toBeGreaterThan(35)
      expect(await withTable(made(name), contentsOf)).toEqual(expected)
    },
  )

  it('reads types that Parquet has not as their nearest', async () => {
    await withTable(made('others.arrow'), async (table) => {
      const texts = await Promise.all(table.columns.map(async ({ name, kind }) => [name, kind, ...(await table.strings(name))]))
      expect(texts).toEqual([
        ['date64', 'text', '2024-01-02', null, '1899-12-31'],
        ['seconds', 'text', '2024-01-02T03:04:05', null, '1969-12-31T23:59:59'],
        ['time_ns', 'text', '00:00:00.000001', null, '23:59:59.999999'],
        ['zoned_ns', 'text', '2024-01-02T03:04:05.123456Z', null, '1969-12-31T23:59:59.999999Z'],
        ['list_half', 'vector', '[0.5]', null, '[2.0]'],
        ['list_view', 'vector', '[1.5,2.0]', null, '[3.0,4.5]'],
        ['runs', 'text', 'x', 'x', null],
        ['runs_of_numbers', 'number', '0.5', '7', '7'],
        ['dictionary_of_numbers', 'number', '1152921504606846976', null, '10'],
        ['decimal256', 'number', '1.5', null, '-2.25'],
        ['long_decimal', 'number', '0.5', null, '1.2345678901234567e+44'],
      ])
    })
  })

  it('reads many record batches, compressed by LZ4, in order', async () => {
    await withTable(made('many.feather'), async (table) => {
      const rows = Array.from({ length: 12_000 }, (_, i) => i)
      expect(table.columns.map(({ kind, missing, width }) => [kind, missing, width])).toEqual([
        ['text', 0, undefined],
        ['number', 2400, undefined],
        ['text', 0, undefined],
        ['vector', 0, 2],
      ])
      expect(await readAll(table)).toEqual({
        id: rows.map((i) => `row ${i}`),
        x: rows.map((i) => (i % 5 ? i / 4 : null)),
        kind: rows.map((i) => ['low', 'middle', 'high'][Math.floor((i * 3) / 12_000)]),
        pair: rows.map((i) => [i / 2, -i / 2 + 0]),
      })
      expect(await table.pick([11_999, 0, 4000], ['kind', 'id'])).toEqual([
        ['high', 'row 11999'],
        ['low', 'row 0'],
        ['middle', 'row 4000'],
      ])
    })
  })

  it.each([
    ['growing.arrows', ['a', 'b', 'c', 'a', 'd', 'b']],
    ['replaced.arrows', ['a', 'b', 'x', 'y', 'b']],
  ])('follows dictionaries that change: %s', async (name, expected) => {
    await withTable(made(name), async (table) => expect(await table.strings('kind')).toEqual(expected))
  })

  it.each(['file', 'stream'] as const)('reads what another package writes, as a %s', async (format) => {
    const columns = { word: ['a', null, 'née', ''], '': [[1, 2], [3, 4], null, [5, 6]] }
    const types = { word: utf8(), '': list(float32()) }
    const bytes = tableToIPC(tableFromArrays(columns, { types, maxBatchRows: 3 }), { format })!
    await withTable(await pathOf({ 'a.ipc': bytes }), async (table) => {
      // biome-ignore format: a table
      const vectors = [[1, 2], [3, 4], [null, null], [5, 6]]
      expect(await readAll(table)).toEqual({ word: ['a', null, 'née', null], column2: vectors })
    })
  })

  it('goes together with files of other kinds', async () => {
    const pattern = await pathOf({ 'b.csv': 'kind\nz\n', 'c.jsonl': '{"kind":7}\n' }, '*')
    await copyFile(made('growing.arrows'), join(pattern, '..', 'a.arrows'))
    await copyFile(made('replaced.arrows'), join(pattern, '..', 'd.arrow'))
    await withTable(pattern, async (table) => {
      expect((await table.strings('kind')).join('')).toBe('abcadbz7abxyb')
      expect(table.columns[0]!.distinct).toBe(8)
    })
  })

  // biome-ignore format: a table
  it.each([
    ['without rows', 'empty.feather', 'must have rows, got none'],
    ['as a stream without batches', 'empty.arrows', 'must have rows, got none'],
    ['of Feather version 1', 'version1.feather', 'must be an Arrow file, got Feather version 1'],
    ['with a union', 'union.arrow', 'column "u" must be of a type that Parquet has, got a union'],
    ['with intervals', 'interval.arrow', 'column "i" must be of a type that Parquet has, got intervals'],
    ['with decimals of a negative scale', 'scale.arrow', 'column "t" must have decimals with a scale of 0 or more, got -3'],
    ['with a column twice', 'twice.arrow', 'column names must differ, got "a" twice'],
  ])('%s is refused', async (_, name, message) => {
    expect((await refusal(withTable(made(name), readAll))).message).toBe(`${made(name)}: ${message}`)
  })
})

describe('a damaged Arrow file', () => {
  const part = 'must be a whole Arrow file, got only a part'
  const stream = () => readFile(made('types.arrows'))

  it('is refused wherever it is cut off', async () => {
    for (const name of ['types.arrows', 'types-zstd.feather']) {
      const bytes = await readFile(made(name))
      for (let length = 1; length < bytes.length; length += 1 + (length >> 2)) {
        const path = await pathOf({ 'a.arrow': bytes.subarray(0, length) })
        expect((await refusal(withTable(path, readAll))).message).toBe(`a.arrow: ${part}`)
      }
    }
  })

  it('is refused without the mark at the end of its stream, and with more behind it', async () => {
    const bytes = await stream()
    const refused = async (contents: Uint8Array) =>
      (await refusal(withTable(await pathOf({ 'a.arrow': contents }), readAll))).message
    expect(await refused(bytes.subarray(0, -8))).toBe(`a.arrow: ${part}`)
    const twice = Buffer.concat([bytes, bytes])
    expect(await refused(twice)).toBe(`a.arrow: must end where its stream ends, got ${bytes.length} bytes more`)
  })

  it('is read or refused, whatever bytes change, and nothing else happens', async () => {
    const names = ['types-uncompressed.feather', 'types-zstd.feather', 'types.arrows', 'others.arrow', 'growing.arrows']
    const files = await Promise.all(names.map((name) => readFile(made(name))))
    let refused = 0
    const change = fc.tuple(fc.constantFrom(...files), fc.nat(), fc.integer({ min: 1, max: 255 }))
    await fc.assert(
      fc.asyncProperty(change, async ([bytes, place, by]) => {
        const changed = Buffer.from(bytes)
        changed[place % bytes.length]! ^= by
        const path = await pathOf({ 'a.arrow': changed })
        await withTable(path, contentsOf).catch(async (error) => {
          await refusal(Promise.reject(error))
          refused++
        })
      }),
      { numRuns: 75, seed: 4 },
    )
    expect(refused).toBeGreaterThan(7)
  })
})

describe('the copy of an Arrow file', () => {
  afterEach(() => vi.unstubAllEnvs())

  it('lies in the temporary directory and is gone when the table is closed or refused', async () => {
    const place = join(await pathOf({ keep: '' }), '..')
    vi.stubEnv('TMPDIR', place)
    expect(tmpdir()).toBe(place)
    await withTable(made('many.feather'), async () => expect((await readdir(place)).length).toBe(2))
    expect(await readdir(place)).toEqual(['keep'])
    await refusal(withTable(made('empty.feather'), readAll))
    expect(await readdir(place)).toEqual(['keep'])
  })

  it('needs such a directory', async () => {
    vi.stubEnv('TMPDIR', '/nowhere')
    const { message, hint } = await refusal(withTable(made('many.feather'), readAll))
    expect(message).toMatch(/^\/nowhere: must have room for temporary files, got "ENOENT.*"$/)
    expect(hint).toBe('Name a directory with more room in the environment variable TMPDIR.')
  })
})
