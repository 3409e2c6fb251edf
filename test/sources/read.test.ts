// Inputs that people bring and that are read: exact values.
import { gzipSync, zstdCompressSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { type Files, pathOf, readAll, useFolder, withTable } from './folder.ts'

useFolder()

const long = 'x'.repeat(3_000_000)

describe('is read', () => {
  // biome-ignore format: a table
  it.each<[string, Files, Readonly<Record<string, unknown[]>>, pattern?: string]>([
    ['one column', 'a\n1\n2\n', { a: [1, 2] }],
    ['no line end at the end', 'a,b\n1,2', { a: [1], b: [2] }],
    ['a byte order mark', '\ufeffa,b\n1,2\n', { a: [1], b: [2] }],
    ['a byte order mark before a quote', '\ufeff"a,","b"\n"x\n""y""",2\n3,4\n', { 'a,': ['x\n"y"', '3'], b: [2, 4] }],
    ['CRLF', 'a,b\r\n1,x\r\n', { a: [1], b: ['x'] }],
    ['lone CR as line end', 'a,b\r1,x\r', { a: [1], b: ['x'] }],
    ['another line end inside quotes', 'a,b\n1,"x\ry\r\nz"\n', { a: [1], b: ['x\ry\r\nz'] }],
    ['quotes, delimiters and line ends inside cells', 'a,b\n1,"say ""hi"", x\ny"\n', { a: [1], b: ['say "hi", x\ny'] }],
    ['empty lines, in the middle and at the end', 'a,b\n1,2\n\n3,4\n\n\n', { a: [1, 3], b: [2, 4] }],
    ['an empty line in one column: an empty cell', 'a\n1\n\n3\n', { a: [1, null, 3] }],
    ['one more delimiter at the end of a line', 'a,b\n1,2,\n', { a: [1], b: [2] }],
    ['a cell of 3 MB', `a,b\n1,${long}\n`, { a: [1], b: [long] }],
    ['columns without a name', ',x,\n0,1,2\n', { column1: [0], x: [1], column3: [2] }],
    ['names that differ in case', 'a,A\n1,x\n', { a: [1], A: ['x'] }],
    ['numbers of every shape', 'a\n 1 \n+2\n-.5\n3.\n1e-3\n1E2\n', { a: [1, 2, -0.5, 3, Math.fround(1e-3), 100] }],
    ['a number too small for 32 bits', 'a\n1e-400\n', { a: [0] }],
    ['NA: text, and so is its column', 'a\n1\nNA\n', { a: ['1', 'NA'] }],
    ['N/A, null, None, -: text too', 'a\nN/A\nnull\nNone\n-\n', { a: ['N/A', 'null', 'None', '-'] }],
    ['thousands separators: text', 'a\n"1,234"\n1\n', { a: ['1,234', '1'] }],
    ['underscores: text', 'a\n1_000\n1\n', { a: ['1_000', '1'] }],
    ['hexadecimal: text', 'a\n0x1A\n1\n', { a: ['0x1A', '1'] }],
    ['digits of another script: text', 'a\n٣\n', { a: ['٣'] }],
    ['true and false, dates, percentages: text', 'a,b,c\ntrue,2024-01-02,5%\n', { a: ['true'], b: ['2024-01-02'], c: ['5%'] }],
    ['mixed types: text', 'a\n1\nx\n2.5\n', { a: ['1', 'x', '2.5'] }],
    ['nothing in a column', 'a,b\n1,\n2,""\n', { a: [1, 2], b: [null, null] }],
    ['lists of numbers', 'v\n"[1, 2.5]"\n\n"[3,4]"\n', { v: [[1, 2.5], [null, null], [3, 4]] }],
    ['lists of different lengths: text', 'v\n"[1, 2]"\n[3]\n', { v: ['[1, 2]', '[3]'] }],
    ['lists with nan, null, strings, underscores: text', 'a,b,c,d\n[nan],[null],"[""1""]",[1_0]\n', { a: ['[nan]'], b: ['[null]'], c: ['["1"]'], d: ['[1_0]'] }],
    ['empty lists: text', 'v\n[]\n[]\n', { v: ['[]', '[]'] }],
    ['an ending in capitals', { 'POOL.CSV.GZ': gzipSync('a\n1\n') }, { a: [1] }],
    ['two gzip files in one', { 'a.csv.gz': Buffer.concat([gzipSync('a\n1\n'), gzipSync('2\n')]) }, { a: [1, 2] }],
    ['a .tsv where a quote is a letter', { 'a.tsv': 'a\tb\n"Hi, she said\t1\n5" nails\t2\n' }, { a: ['"Hi, she said', '5" nails'], b: [1, 2] }],
    ['a .tsv with quoted cells', { 'a.tsv': 'a\tb\n"one\ttwo"\t1\n"three ""3"""\t2\n' }, { a: ['one\ttwo', 'three "3"'], b: [1, 2] }],
    ['a .tsv with commas in its header', { 'a.tsv': 'x, y, z\tb\n1,2\t3\n' }, { 'x, y, z': ['1,2'], b: [3] }],
    ['a name with quotes, brackets, spaces, emoji', { 'it\'s "a" [1]* ü🦆.csv': 'a\n1\n', 'it.csv': 'b\n2\n' }, { a: [1] }],
    ['JSON', { 'a.json': ' [ {"a": 1},\n{"a": 2, "b": "x"} ]\n' }, { a: [1, 2], b: [null, 'x'] }],
    ['JSON after a byte order mark', { 'a.json': '\ufeff[{"a":1}]' }, { a: [1] }],
    ['JSON lines with different keys', { 'a.jsonl': '{"b":1}\n{"c":"x","a":2}\n{}\n' }, { b: [1, null, null], a: [null, 2, null], c: [null, 'x', null] }],
    ['JSON lines with empty lines and CRLF', { 'a.ndjson': '{"a":1}\r\n\r\n{"a":2}\r\n\r\n' }, { a: [1, 2] }],
    ['JSON keys that look like SQL and paths', { 'a.jsonl': '{"it\'s \\"q\\"":1,"$.x[0]":2}\n' }, { 'it\'s "q"': [1], '$.x[0]': [2] }],
    ['JSON strings of digits: text', { 'a.jsonl': '{"a":"1"}\n{"a":"02"}\n' }, { a: ['1', '02'] }],
    ['JSON compressed', { 'a.json.zst': zstdCompressSync('[{"a":1}]') }, { a: [1] }],
    ['files with columns in another order', { 'a.csv': 'a,b\n1,x\n', 'b.csv': 'b;a\ny;2\n' }, { a: [1, 2], b: ['x', 'y'] }, '*.csv'],
    ['JSON files with different keys', { 'a.jsonl': '{"a":1}\n', 'b.json': '[{"b":2}]' }, { a: [1, null], b: [null, 2] }, '*.js*'],
    ['files of different formats', { 'a.csv': 'a\n1\n', 'b.jsonl': '{"a":"x"}\n' }, { a: ['1', 'x'] }, '[ab].*'],
    ['a file with a header only among others', { 'a.csv': 'a\n', 'b.csv': 'a\n2\n' }, { a: [2] }, '*.csv'],
    ['files in folders, sorted', { 's/2.csv': 'a\n2\n', 's/10.csv': 'a\n10\n', 'r/1.csv': 'a\n1\n' }, { a: [1, 10, 2] }, '*/*.csv'],
  ])('%s', async (_, files, columns, pattern) => {
    await withTable(await pathOf(files, pattern), async (table) => {
      expect(await readAll(table)).toEqual(columns)
      expect(table.columns.map(({ name }) => name)).toEqual(Object.keys(columns))
      expect(table.rows).toBe(Object.values(columns)[0]!.length)
    })
  })

  it('an integer beyond 2⁵³: as a number nearly, as an id exactly', async () => {
    const path = await pathOf('id\n9007199254740993\n9007199254740992\n')
    await withTable(path, async (table) => {
      expect(await table.strings('id')).toEqual(['9007199254740993', '9007199254740992'])
      expect(await readAll(table)).toEqual({ id: [2 ** 53, 2 ** 53] })
      expect(table.columns[0]!.distinct).toBe(2)
    })
  })

  it('2,000 columns', async () => {
    const names = Array.from({ length: 2000 }, (_, j) => `column ${j}`)
    const line = (row: number) => names.map((_, j) => (j % 3 === 0 ? `t${row}` : row + j / 4)).join()
    await withTable(await pathOf(`${names.join()}\n${line(1)}\n${line(2)}\n`), async (table) => {
      expect(Object.values(await readAll(table))).toEqual(
        names.map((_, j) => (j % 3 === 0 ? ['t1', 't2'] : [1 + j / 4, 2 + j / 4])),
      )
    })
  })
})
