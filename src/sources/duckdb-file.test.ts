import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AlisError } from '../core/errors.ts'
import { openTable } from './duckdb-file.ts'
import type { Table } from './table.ts'

let folder: string
const opened: Table[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'alis-sources-'))
})
afterAll(async () => {
  for (const table of opened) await table.close()
  await rm(folder, { recursive: true })
})

async function write(contents: string | Uint8Array, name = 'pool.csv'): Promise<string> {
  const path = join(await mkdtemp(join(folder, 'case-')), name)
  await writeFile(path, contents)
  return path
}

async function open(contents: string | Uint8Array, name?: string): Promise<Table> {
  const table = await openTable(await write(contents, name))
  opened.push(table)
  return table
}

/** The given columns row by row. */
async function numbers(table: Table, names: readonly string[], progress?: (rows: number) => void): Promise<Float32Array> {
  const rows: number[] = []
  for await (const batch of table.batches(
    names.map((name) => ({ name, as: 'number' })),
    progress,
  )) {
    for (let i = 0; i < batch.rows; i++) rows.push(...batch.columns.map(({ values }) => values[i] as number))
  }
  return Float32Array.from(rows)
}

/** The refusal, without the folder it happened in. */
async function refusal(action: Promise<unknown>): Promise<{ message: string; hint: string | undefined }> {
  const error = await action.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!(error instanceof AlisError)) throw new Error(`expected an AlisError, got ${error}`)
  expect(error.code).toBe('bad-input')
  return { message: error.message.replace(/^.*\/case-[^/]*\//, ''), hint: error.hint }
}

describe('columns', () => {
  it('are numbers when every cell that is not empty reads as one', async () => {
    const table = await open(
      'id,age,score,when,flag,code,none\np1,41,,2024-01-01,true,12_7,\np2, 7.5e1 ,-.5,2024-01-02,false,3,\n',
    )
    expect(table.rows).toBe(2)
    expect(table.columns).toEqual([
      { name: 'id', kind: 'text', missing: 0, distinct: 2, meanLength: 2, examples: ['p1', 'p2'] },
      { name: 'age', kind: 'number', missing: 0, distinct: 2, meanLength: 4.5, examples: ['41', ' 7.5e1 '] },
      { name: 'score', kind: 'number', missing: 1, distinct: 1, meanLength: 3, examples: ['-.5'] },
      { name: 'when', kind: 'text', missing: 0, distinct: 2, meanLength: 10, examples: ['2024-01-01', '2024-01-02'] },
      { name: 'flag', kind: 'text', missing: 0, distinct: 2, meanLength: 4.5, examples: ['true', 'false'] },
      { name: 'code', kind: 'text', missing: 0, distinct: 2, meanLength: 2.5, examples: ['12_7', '3'] },
      { name: 'none', kind: 'text', missing: 2, distinct: 0, meanLength: 0, examples: [] },
    ])
  })

  it('keep their names: case, spaces, quotes, words of SQL, digits', async () => {
    const table = await open('a,A,"it\'s ""x"", y",select,0\n1,2,3,4,5\n')
    expect(table.columns.map(({ name }) => name)).toEqual(['a', 'A', 'it\'s "x", y', 'select', '0'])
    expect(table.columns.every(({ kind }) => kind === 'number')).toBe(true)
    expect(await numbers(table, ['A', 'it\'s "x", y', 'a'])).toEqual(Float32Array.of(2, 3, 1))
  })

  it('without a name are named by their place', async () => {
    const table = await open(',x,\n0,1,2\n')
    expect(table.columns.map(({ name }) => name)).toEqual(['column1', 'x', 'column3'])
  })
})

describe('strings', () => {
  it('are exactly as written, and null where the cell is empty', async () => {
    const table = await open('id,label\n007,1.0\n08," yes "\n,""\n1e3,née 🦆\n')
    expect(await table.strings('id')).toEqual(['007', '08', null, '1e3'])
    expect(await table.strings('label')).toEqual(['1.0', ' yes ', null, 'née 🦆'])
  })
})

describe('numbers', () => {
  it('come row by row in the order asked for, NaN where the cell is empty', async () => {
    const table = await open('a,b,c\n1,x,0.1\n,y,-2e-3\n3,z,\n')
    expect(await numbers(table, ['c', 'a'])).toEqual(Float32Array.of(0.1, 1, -2e-3, Number.NaN, Number.NaN, 3))
  })

  it('of a column with nothing in it are all missing', async () => {
    const table = await open('a,b\n1,\n2,\n')
    expect(await numbers(table, ['b'])).toEqual(Float32Array.of(Number.NaN, Number.NaN))
  })

  it('can be read side by side', async () => {
    const table = await open('a,b\n1,2\n3,4\n')
    const [a, b, text] = await Promise.all([numbers(table, ['a']), numbers(table, ['b']), table.strings('a')])
    expect([a, b, text]).toEqual([Float32Array.of(1, 3), Float32Array.of(2, 4), ['1', '3']])
  })

  it.each([
    ['nan', 'a number column'],
    ['-NaN', 'a number column'],
    ['inf', 'a number column'],
    ['Infinity', 'a number column'],
    ['1e39', 'a number too large for 32 bits'],
    ['NA', 'a text column'],
    ['1_000', 'a text column'],
  ])('refuse %s in %s, and say where', async (cell) => {
    const table = await open(`id,age\np1,1\np2,\np3,${cell}\np4,${cell}\n`)
    expect(await refusal(numbers(table, ['age']))).toEqual({
      message: `pool.csv: column "age" must hold finite 32-bit numbers, got "${cell}" in row 3`,
      hint: 'Leave a cell empty if its value is missing.',
    })
    expect(await table.strings('age')).toEqual(['1', null, cell, cell])
  })
})

describe('the format', () => {
  const quoted = (newline: string, inside: string) =>
    ['id,text', `1,"a, b"`, `2,"first${inside}second"`, `3,"say ""hi"""`, '4,5" pipe', ''].join(newline)

  it.each([
    ['\n', '\n'],
    ['\r\n', '\r\n'],
    ['\r\n', '\n'], // what Excel writes
    ['\n', '\r\n'],
    ['\r', '\r'],
  ])('lines that end in %j with %j inside quotes', async (newline, inside) => {
    const table = await open(quoted(newline, inside))
    expect(await table.strings('id')).toEqual(['1', '2', '3', '4'])
    expect(await table.strings('text')).toEqual(['a, b', `first${inside}second`, 'say "hi"', '5" pipe'])
  })

  it('a byte order mark, line breaks in a quoted header, no line end at the end', async () => {
    const table = await open('\ufeff"a,","b\n""x"""\r\n1,"x\r\ny"\r\n007,')
    expect(table.columns.map(({ name }) => name)).toEqual(['a,', 'b\n"x"'])
    expect(await table.strings('a,')).toEqual(['1', '007'])
    expect(await table.strings('b\n"x"')).toEqual(['x\r\ny', null])
  })

  it('a single quoted column', async () => {
    const table = await open('\ufeff"a,"\r\n"b\n""c"""\r\n007\r\n')
    expect(await table.strings('a,')).toEqual(['b\n"c"', '007'])
  })

  it.each([
    ['pool.tsv', '\t'],
    ['pool.txt', ';'],
    ['pool.CSV', '|'],
  ])('%s with %j between the cells', async (name, delimiter) => {
    const table = await open(`a${delimiter}"b,c"\n1,5${delimiter}2\n`, name)
    expect(await table.strings('a')).toEqual(['1,5'])
    expect(await numbers(table, ['b,c'])).toEqual(Float32Array.of(2))
  })

  it('compressed by gzip', async () => {
    const table = await open(gzipSync('a,b\n1,x\n2,y\n'), 'pool.csv.gz')
    expect(await numbers(table, ['a'])).toEqual(Float32Array.of(1, 2))
  })

  it.each(["it's.csv", 'a*.csv', 'a[1]?.csv', '$(x) "y".csv'])('a file called %s, and no other', async (name) => {
    const path = await write('a\n1\n', name)
    await writeFile(join(path, '..', 'ab.csv'), 'a\n2\n')
    const table = await openTable(path)
    expect(await table.strings('a')).toEqual(['1'])
    await table.close()
  })
})

describe('refuses', () => {
  it('a path where nothing is', async () => {
    const { message, hint } = await refusal(openTable('/nowhere/pool.csv'))
    expect(message).toBe('/nowhere/pool.csv: must be a file, got nothing there')
    expect(hint).toBe('Check the spelling of the path.')
  })

  it('a directory', async () => {
    const path = join(await mkdtemp(join(folder, 'case-')), 'pool.csv')
    await mkdir(path)
    expect((await refusal(openTable(path))).message).toBe('pool.csv: must be a file, got a directory')
  })

  it.each<[string, string | Uint8Array, string]>([
    ['an empty file', '', 'pool.csv: must hold rows, got an empty file'],
    ['a byte order mark and no more', '\ufeff', 'pool.csv: must begin with a header line, got an empty file'],
    ['an empty first line', '\na,b\n1,2\n', 'pool.csv: must begin with a header line, got an empty line'],
    ['a header and no rows', 'a,b\n', 'pool.csv: must have rows, got none'],
    ['two columns of one name', 'a,b,a\n1,2,3\n', 'pool.csv: column names must differ, got "a" twice'],
    ['a line with too few cells', 'a,b\n1,2\n3\n', 'pool.csv: line 3 must have 2 cells, got 1'],
    ['a line with too many cells', 'a,b\n1,2\n3,4,5\n', 'pool.csv: line 3 must have 2 cells, got 3'],
    ['a quote never closed', 'a,b\n1,2\n3,"4\n5,6\n', 'pool.csv: line 3 must close every quote it opens, got an open one'],
    ['text after a closing quote', 'a,b\n1,"2"x\n', 'pool.csv: line 2 must close every quote it opens, got an open one'],
    [
      'two kinds of line end',
      'a,b\n1,2\r\n3,4\n',
      'pool.csv: lines must all end in the same way (\\n, \\r\\n or \\r), got more than one',
    ],
    ['bytes that are not UTF-8', Uint8Array.of(97, 10, 98, 233, 10), 'pool.csv: line 2 must be UTF-8 text, got other bytes'],
    ['a line beyond 4 MB', `a\n${'x'.repeat(4_200_000)}\n`, 'pool.csv: line 2 must be shorter than 4 MB, got more'],
  ])('%s', async (_, contents, message) => {
    expect((await refusal(openTable(await write(contents)))).message).toBe(message)
  })

  it('an unknown column, with the one that was probably meant', async () => {
    const table = await open('id,digit\n1,2\n')
    const message = (name: string) => `pool.csv: must have the column that is asked for, got "${name}"`
    expect(await refusal(table.strings('Digits'))).toEqual({ message: message('Digits'), hint: 'Did you mean "digit"?' })
    expect(await refusal(numbers(table, ['label']))).toEqual({ message: message('label'), hint: 'The columns are id, digit.' })
  })

  it('to return numbers of no column', async () => {
    const table = await open('a\n1\n')
    expect((await refusal(numbers(table, []))).message).toBe('pool.csv: one column or more must be asked for, got none')
  })

  it.each(['strings', 'numbers'] as const)('a file that changed while open: %s', async (method) => {
    const path = await write('a\n1\n2\n')
    const table = await openTable(path)
    opened.push(table)
    await writeFile(path, 'a\n2\n1\n')
    const action = method === 'strings' ? table.strings('a') : numbers(table, ['a'])
    expect((await refusal(action)).message).toBe('pool.csv: must stay as it is while open, got a changed file')
  })
})

describe('a hundred thousand rows', () => {
  const rows = 100_000
  const filling = 'a, b\n'.repeat(100)
  let table: Table

  beforeAll(async () => {
    // Above 32 MB, so that DuckDB reads with several threads, and with line breaks inside quotes wherever one of them may start.
    const line = (i: number) => `p${i},${i},"${filling}\n${i}, ""more""",${i % 7 === 0 ? '' : -i / 4}\n`
    table = await open(`id,index,note,quarter\n${Array.from({ length: rows }, (_, i) => line(i)).join('')}`)
  })

  it('keep the order of the file', async () => {
    const [ids, notes] = [await table.strings('id'), await table.strings('note')]
    expect(ids.length).toBe(rows)
    expect(ids.findIndex((id, i) => id !== `p${i}`)).toBe(-1)
    expect(notes.findIndex((note, i) => note !== `${filling}\n${i}, "more"`)).toBe(-1)
  })

  it('give their numbers in chunks and report them', async () => {
    const heard: number[] = []
    const values = await numbers(table, ['index', 'quarter'], (read) => heard.push(read))
    expect(values.length).toBe(2 * rows)
    for (let i = 0; i < rows; i++) {
      if (values[2 * i] !== i || !Object.is(values[2 * i + 1], i % 7 === 0 ? Number.NaN : -i / 4)) throw new Error(`row ${i}`)
    }
    expect(heard.length).toBeGreaterThan(10)
    expect(heard).toEqual(heard.toSorted((a, b) => a - b))
    expect(heard.at(-1)).toBe(rows)
  })

  it('are refused far down with the right row', async () => {
    const path = await write(`x\n${'1\n'.repeat(rows)}nan\n${'2\n'.repeat(10)}`)
    const late = await openTable(path)
    opened.push(late)
    expect((await refusal(numbers(late, ['x']))).message).toContain(`got "nan" in row ${rows + 1}`)
  })
})
