// Inputs that people bring and that are refused: one line that says what is wrong and where, and what to do.
import { gzipSync, zstdCompressSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { type Files, filesOf, pathOf, readAll, readColumns, refusal, useFolder, withTable } from './folder.ts'

useFolder()

const bytes = (...codes: number[]) => Uint8Array.from(codes)
const utf16 = (text: string) => Buffer.from(text, 'utf16le')
const packed = gzipSync(`id,x\n${Array.from({ length: 50_000 }, (_, i) => `${i},x${i % 7}`).join('\n')}\n`)
const damaged = Uint8Array.from(packed, (byte, i) => (i === packed.length - 6 ? byte ^ 1 : byte)) // inside the checksum

const whole = 'Copy or download it again.'
const emptyCell = 'Leave a cell empty if its value is missing.'
const endings =
  'Known are .csv, .tsv, .txt, .json, .jsonl and .ndjson, each also with .gz or .zst, and .parquet, .arrow, .feather, .ipc, .duckdb, .sqlite, .xlsx, .libsvm, .npy, .npz, .eval, and .zip of pictures.'
const firstLine = 'The first line names the columns.'
const lineEnds = 'Save the file again with one kind of line end; put quotes around cells that hold another.'
const parquet = 'Check that it was written or copied to its end.'
const otherData = 'Is it compressed at all? If not, take .gz or .zst off its name.'
const keys = 'The keys name the columns.'
const rowCount = 'Rows are counted from 1, without empty lines.'
const sameColumns = 'Files of one table have the same columns, in any order.'
const utf8 = 'Save the file again as UTF-8.'
const encoding = expect.stringMatching(
  /^It looks like windows-1252: say so, --encoding windows-1252 or .*pool.csv#encoding=windows-1252.$/,
)
const arrow = 'Write it again; it must be Arrow IPC, also called Feather version 2.'
const closed = 'Was its writer closed? Then copy it again.'
const mixed = 'lines must all end in the same way (\\n, \\r\\n or \\r), got more than one'

describe('is refused', () => {
  // biome-ignore format: a table
  it.each<[string, Files, message: string, hint: string | undefined, pattern?: string]>([
    ['an empty file', '', 'pool.csv: must hold rows, got an empty file', 'Check that it was written completely.'],
    ['nothing but a byte order mark', '\ufeff', 'pool.csv: must begin with a header line, got an empty file', firstLine],
    ['an empty first line', '\na\n1\n', 'pool.csv: must begin with a header line, got an empty line', firstLine],
    ['a header only', 'a,b\n', 'pool.csv: must have rows, got none', undefined],
    ['two columns of one name', 'a,b,a\n1,2,3\n', 'pool.csv: column names must differ, got "a" twice', 'Rename one of them.'],
    ['a cell too many', 'a,b\n1,2\n3,4,5\n', 'pool.csv: line 3 must have 2 cells, got 3', 'Look at the line that begins with: 3,4,5'],
    ['a cell too few', 'a,b\n1,2\n3\n', 'pool.csv: line 3 must have 2 cells, got 1', 'Look at the line that begins with: 3'],
    ['a line of spaces', 'a,b\n1,2\n  \n', 'pool.csv: line 3 must have 2 cells, got 1', 'Look at the line that begins with:   '],
    ['a quote never closed', 'a,b\n1,"2\n3,4\n', 'pool.csv: line 2 must close every quote it opens, got an open one', 'Look at the line that begins with: 1,"2'],
    ['LF, then CRLF', 'a,b\n1,2\r\n3,4\n', `pool.csv: ${mixed}`, lineEnds],
    ['CRLF, then LF', 'a,b\r\n1,2\n3,4\n', `pool.csv: ${mixed}`, lineEnds],
    ['a lone CR among LF', 'a,b\n1,x\ry\n', `pool.csv: ${mixed}`, lineEnds],
    ['bytes that are not UTF-8', bytes(97, 10, 98, 233, 10), 'pool.csv: line 2 must be UTF-8 text, got other bytes', encoding],
    ['a header that is not UTF-8', bytes(233, 10, 98, 10), 'pool.csv: line 1 must be UTF-8 text, got other bytes', encoding],
    ['UTF-16 in JSON', { 'a.json': utf16('\ufeff[{"a":1}]') }, 'a.json: must be UTF-8 text, got UTF-16', utf8],
    ['a gzip file cut short', { 'a.csv.gz': packed.subarray(0, -9) }, 'a.csv.gz: must be a whole compressed file, got only a part', whole],
    ['half a gzip file', { 'a.csv.gz': packed.subarray(0, 90_000) }, 'a.csv.gz: must be a whole compressed file, got only a part', whole],
    ['a gzip file with a wrong checksum', { 'a.csv.gz': damaged }, 'a.csv.gz: must be what its ending says, got damaged or other data', otherData],
    ['a .gz that is none', { 'a.csv.gz': 'a,b\n1,2\n' }, 'a.csv.gz: must be what its ending says, got damaged or other data', otherData],
    ['a .gz with nothing in it', { 'a.csv.gz': gzipSync('') }, 'a.csv.gz: must begin with a header line, got an empty file', firstLine],
    ['a zstd file cut short', { 'a.csv.zst': zstdCompressSync('a\n1\n').subarray(0, -3) }, 'a.csv.zst: must be a whole compressed file, got only a part', whole],
    ['a .zst that is none', { 'a.csv.zst': 'a,b\n1,2\n' }, 'a.csv.zst: must be what its ending says, got damaged or other data', otherData],
    ['a Parquet file that is none', { 'a.parquet': 'I am text, only text' }, 'a.parquet: must be a whole Parquet file, got something else or only a part', parquet],
    ['a Parquet file of four bytes', { 'a.parquet': 'PAR1' }, 'a.parquet: must be a whole Parquet file, got something else or only a part', parquet],
    ['a JSON object', { 'a.json': '{"a":1}' }, 'a.json: must be an array of objects, got something that begins with {', 'One object per line? Name it .jsonl.'],
    ['no JSON', { 'a.json': 'hello' }, 'a.json: must be an array of objects, got something that begins with h', 'One object per line? Name it .jsonl.'],
    ['JSON cut short', { 'a.json': '[{"a":1},{"a":' }, 'a.json: row 2 must be well-formed JSON, got unexpected end of data', rowCount],
    ['an empty array', { 'a.json': '[]' }, 'a.json: must have rows, got none', undefined],
    ['an array of numbers', { 'a.json': '[1,2]' }, 'a.json: row 1 must be an object, got a number', 'Every row is {"column": value, …}.'],
    ['a broken line', { 'a.jsonl': '{"a":1}\n{"a":\n{"a":3}\n' }, 'a.jsonl: row 2 must be well-formed JSON, got unexpected end of data', rowCount],
    ['a line that is no object', { 'a.jsonl': '{"a":1}\nnull\n' }, 'a.jsonl: row 2 must be an object, got null', 'Every row is {"column": value, …}.'],
    ['JSON lines that are not UTF-8', { 'a.jsonl': bytes(123, 34, 97, 34, 58, 34, 233, 34, 125, 10) }, 'a.jsonl: row 1 must be UTF-8 text, got other bytes', utf8],
    ['JSON lines after a byte order mark', { 'a.jsonl': '\ufeff{"a":1}\n' }, 'a.jsonl: must be UTF-8 without a byte order mark, got one', 'Save the file again without it.'],
    ['a key twice', { 'a.jsonl': '{"a":1,"a":2}\n' }, 'a.jsonl: keys of an object must differ, got "a" twice', 'Rename one of them.'],
    ['keys that differ in case', { 'a.jsonl': '{"a":1}\n{"A":2}\n' }, 'a.jsonl: keys must differ in more than case, got "a" and "A"', 'Rename one of them.'],
    ['an empty key', { 'a.jsonl': '{"":1}\n' }, 'a.jsonl: keys must have letters, got ""', keys],
    ['objects without keys', { 'a.jsonl': '{}\n{}\n' }, 'a.jsonl: objects must have keys, got none', keys],
    ['an unknown ending', { 'a.xls': 'x' }, 'a.xls: must have a known ending, got ".xls"', endings],
    ['no ending', { pool: 'a\n1\n' }, 'pool: must have a known ending, got none', endings],
    ['another compression', { 'a.csv.bz2': 'x' }, 'a.csv.bz2: must have a known ending, got ".bz2"', endings],
    ['Parquet compressed once more', { 'a.parquet.gz': 'x' }, 'a.parquet.gz: must have a known ending, got ".parquet.gz"', endings],
    ['an Arrow file that is none', { 'a.arrow': 'id,x\n1,2\n' }, 'a.arrow: must be an Arrow file, got damaged or other data', arrow],
    ['an Arrow file of two bytes', { 'a.ipc': 'ab' }, 'a.ipc: must be a whole Arrow file, got only a part', closed],
    ['the first bytes of an Arrow file', { 'a.Feather': 'ARROW1' }, 'a.Feather: must be a whole Arrow file, got only a part', closed],
    ['Parquet under the name of Arrow', { 'a.arrow': 'PAR1 and so on' }, 'a.arrow: must be an Arrow file, got Parquet', 'Name it .parquet.'],
    ['Arrow compressed once more', { 'a.arrow.gz': 'x' }, 'a.arrow.gz: must have a known ending, got ".arrow.gz"', endings],
    ['a directory', { 'pool/a.csv': 'a\n1\n' }, 'pool: must be a file, got a directory', 'For all files in it, give a pattern: "folder/*.csv". A folder of pictures is a table of them.', 'pool'],
    ['a path where nothing is', 'a\n1\n', 'pol.csv: must be a file, got nothing there', 'Check the spelling of the path.', 'pol.csv'],
    ['a pattern that matches nothing', 'a\n1\n', '*.tsv: must match a file or more, got none', 'Check the pattern; it is relative to the current directory.', '*.tsv'],
    ['files without a column of the first', { 'a.csv': 'a,b\n1,x\n', 'b.csv': 'a\n2\n' }, 'b.csv: must have the columns of a.csv, got no "b"', sameColumns, '*.csv'],
    ['files with one more column', { 'a.csv': 'a\n1\n', 'b.csv': 'a,c\n2,3\n' }, 'b.csv: must have the columns of a.csv, got also "c"', sameColumns, '*.csv'],
    ['one broken file among others', { 'a.csv': 'a\n1\n', 'b.csv': `a\n${'1\n'.repeat(5000)}2,3\n` }, 'b.csv: line 5002 must have 1 cell, got 2', 'Look at the line that begins with: 2,3', '*.csv'],
  ])('%s', async (_, files, message, hint, pattern) => {
    const path = await pathOf(files, pattern)
    expect(await refusal(withTable(path, readAll))).toEqual({ message, hint })
  })

  // biome-ignore format: a table
  it.each<[string, Files, as: 'number' | 'vector', got: string]>([
    ['nan', 'a\n1\nnan\n', 'number', 'finite 32-bit numbers, got "nan" in row 2'],
    ['-NaN where others are empty', 'a,b\n1,2\n,2\n-NaN,2\n', 'number', 'finite 32-bit numbers, got "-NaN" in row 3'],
    ['inf', 'a\n1\ninf\n', 'number', 'finite 32-bit numbers, got "inf" in row 2'],
    ['-Infinity', 'a\n1\n-Infinity\n', 'number', 'finite 32-bit numbers, got "-Infinity" in row 2'],
    ['1e400', 'a\n1\n1e400\n', 'number', 'finite 32-bit numbers, got "1e400" in row 2'],
    ['1e39', 'a\n1\n-1e39\n', 'number', 'finite 32-bit numbers, got "-1e39" in row 2'],
    ['NA', 'a\n1\nNA\n', 'number', 'finite 32-bit numbers, got "NA" in row 2'],
    ['1_000', 'a\n1\n1_000\n', 'number', 'finite 32-bit numbers, got "1_000" in row 2'],
    ['1,234', 'a\n1\n"1,234"\n', 'number', 'finite 32-bit numbers, got "1,234" in row 2'],
    ['0x1A', 'a\n1\n0x1A\n', 'number', 'finite 32-bit numbers, got "0x1A" in row 2'],
    ['true', { 'a.jsonl': '{"a":1}\n{"a":true}\n' }, 'number', 'finite 32-bit numbers, got "true" in row 2'],
    ['NaN in JSON', { 'a.jsonl': '{"a":1}\n{"a":NaN}\n' }, 'number', 'finite 32-bit numbers, got "NaN" in row 2'],
    ['a long text', `a\n1\n${'long '.repeat(20)}\n`, 'number', `finite 32-bit numbers, got "${'long '.repeat(12)}…" in row 2`],
    ['a list', 'a\n[1]\n', 'number', 'finite 32-bit numbers, got "[1]" in row 1'],
    ['a list of another length', 'a\n"[1,2]"\n[3]\n', 'vector', 'lists of 2 finite numbers, got "[3]" in row 2'],
    ['a list with nan', 'a\n"[1,2]"\n"[1,nan]"\n', 'vector', 'lists of 2 finite numbers, got "[1,nan]" in row 2'],
    ['a number for a list', 'a\n1\n', 'vector', 'lists of finite numbers, got "1" in row 1'],
  ])('%s, when asked for numbers or lists', async (_, files, as, got) => {
    const path = await pathOf(files)
    const message = `${Object.keys(filesOf(files))[0]}: column "a" must hold ${got}`
    const reading = withTable(path, (table) => readColumns(table, [{ name: 'a', as }]))
    expect(await refusal(reading)).toEqual({ message, hint: emptyCell })
  })

  it('a cell of one file among others, with its row in that file', async () => {
    const path = await pathOf({ 'a.csv': 'a\n1\n', 'b.csv': 'a\n2\nnan\n' }, '*.csv')
    const { message } = await refusal(withTable(path, readAll))
    expect(message).toBe('b.csv: column "a" must hold finite 32-bit numbers, got "nan" in row 2')
  })

  it('an empty column, when asked for lists', async () => {
    const reading = withTable(await pathOf('a,b\n1,\n'), (table) => readColumns(table, [{ name: 'b', as: 'vector' }]))
    expect((await refusal(reading)).message).toBe('pool.csv: column "b" must hold lists of numbers, got only empty cells')
  })
})
