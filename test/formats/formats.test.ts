import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { tableFromArrays, tableToIPC } from '@uwdata/flechette'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { closing } from '../../src/core/closing.ts'
import { openTable } from '../../src/sources/duckdb-file.ts'
import { tableBytes } from '../../src/sources/write-table.ts'
import { workbookOf, zipOf } from '../sources/zip-of.ts'

const made = fileURLToPath(new URL('files', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'alis-formats-'))
afterAll(() => rmSync(folder, { recursive: true }))

const at = (name: string) => (existsSync(join(made, name.replace(/#.*/, ''))) ? join(made, name) : join(folder, name))
const write = (name: string, content: string | Uint8Array) => {
  writeFileSync(join(folder, name), content)
  return join(folder, name)
}

/** The columns of a table with their kinds, and its first row. */
const read = (path: string) =>
  closing(openTable(path), async ({ columns, rows, pick }) => {
    const [first] = await pick(
      [0],
      columns.map(({ name }) => name),
    )
    return {
      rows,
      kinds: columns.map(({ kind }) => kind).join(' '),
      first: Object.fromEntries(columns.map(({ name }, k) => [name, first![k]])),
    }
  })

/** What every fixture comes to: rows, kinds of columns, the first row. */
const expected: Readonly<Record<string, { rows: number; kinds: string; first: Readonly<Record<string, string | null>> }>> = {
  'promptfoo.json': {
    rows: 6,
    kinds: 'text text text text text number text number number text',
    first: {
      id: '0-0',
      provider: 'adder',
      prompt: 'What is 1 + 2?',
      output: 'It is 3, "sir"',
      verdict: 'pass',
      score: '1',
      reason: 'All assertions passed',
      a: '1',
      b: '2',
      topic: 'small',
    },
  },
  'inspect.json': {
    rows: 2,
    kinds: 'number text text text text text',
    first: { id: '1', input: 'What is 1 + 1?', target: '2', output: 'It is 2', match: 'correct', topic: 'small' },
  },
  'inspect.eval': {
    rows: 2,
    kinds: 'number text text text text text',
    first: { id: '1', input: 'What is 1 + 1?', target: '2', output: 'It is 2', match: 'correct', topic: 'small' },
  },
  'label-studio.json': {
    rows: 2,
    kinds: 'number text text text text number',
    first: {
      id: '1',
      text: 'A fine day',
      source: 'web',
      sentiment: 'Positive',
      'sentiment.prediction': 'Negative',
      'prediction.score': '0.91',
    },
  },
  'label-studio-min.json': {
    rows: 2,
    kinds: 'text number text number number text text number',
    first: {
      text: 'A fine day',
      id: '1',
      sentiment: 'Positive',
      annotator: '1',
      annotation_id: '5',
      created_at: '2026-03-01T10:00:00.000000Z',
      updated_at: '2026-03-01T10:00:00.000000Z',
      lead_time: '4.1',
    },
  },
  'prodigy.jsonl': {
    rows: 2,
    kinds: 'number text text text text text',
    first: {
      id: '201',
      text: 'A fine day',
      config: '{"choice_style":"single"}',
      accept: 'good',
      answer: 'accept',
      source: 'web',
    },
  },
  'doccano.jsonl': { rows: 2, kinds: 'number text text', first: { id: '1', text: 'A fine day', label: 'good' } },
  'argilla.json': {
    rows: 2,
    kinds: 'text text text text number text',
    first: {
      id: 'a-1',
      text: 'A fine day',
      label: 'good',
      'label.suggestion': 'bad',
      'label.suggestion.score': '0.8',
      source: 'web',
    },
  },
  'mails.sqlite#table=mails': {
    rows: 2,
    kinds: 'text text text number text',
    first: { id: '007', body: 'one, "two"', n: '9007199254740993', score: '0.5', raw: 'AP8=' },
  },
  'sklearn.libsvm': { rows: 2, kinds: 'text vector', first: { label: '1', x: '[0,0.5,0]' } },
  'vectors.npy': { rows: 2, kinds: 'text vector', first: { id: 'é1', x: '[0,0.5,0]' } },
  'arrays.npz': { rows: 2, kinds: 'text vector number', first: { id: 'é1', x: '[0,0.5,0]', label: '1' } },
  'saved#split=train': { rows: 2, kinds: 'text number', first: { text: 'A fine day', label: '1' } },
  'hub#split=test': { rows: 1, kinds: 'text number', first: { text: 'Rain', label: '0' } },
}

const arrow = (text: string[], label: number[]) => tableToIPC(tableFromArrays({ text, label }), { format: 'stream' })!

beforeAll(async () => {
  const log = JSON.parse(readFileSync(join(made, 'inspect.json'), 'utf8'))
  const samples = log.samples.map((sample: { id: number; epoch: number }) => [
    `samples/${sample.id}_epoch_${sample.epoch}.json`,
    JSON.stringify(sample),
  ])
  write('inspect.eval', zipOf({ 'header.json': JSON.stringify({ ...log, samples: null }), ...Object.fromEntries(samples) }))
  for (const split of ['train', 'test']) {
    mkdirSync(join(folder, 'saved', split), { recursive: true })
    write(`saved/${split}/data-00000-of-00001.arrow`, arrow(['A fine day', 'Rain'], [1, 0]))
    write(
      `saved/${split}/state.json`,
      JSON.stringify({ _data_files: [{ filename: 'data-00000-of-00001.arrow' }], _split: split }),
    )
    write(`saved/${split}/dataset_info.json`, '{}')
  }
  write('saved/dataset_dict.json', JSON.stringify({ splits: ['train', 'test'] }))
  mkdirSync(join(folder, 'hub/data'), { recursive: true })
  write('hub/README.md', '# Weather')
  const columns = [{ name: 'text', type: 'text' } as const, { name: 'label', type: 'whole' } as const]
  const parquet = async (...rows: [string, number][]) =>
    Buffer.concat(await Array.fromAsync(tableBytes(columns, 'parquet', [rows])))
  write('hub/data/train-00000-of-00002.parquet', await parquet(['A fine day', 1]))
  write('hub/data/train-00001-of-00002.parquet', await parquet(['Snow', 0]))
  write('hub/data/test-00000-of-00001.parquet', await parquet(['Rain', 0]))
})

describe('the table of formats', () => {
  const table = readFileSync(new URL('../../docs/formats.md', import.meta.url), 'utf8')
  const named = [...table.matchAll(/^\|.*\| `([^`]+)` +\|$/gm)].map(([, name]) => name!)

  it('names every fixture, and no other', () => {
    expect(named.sort()).toEqual(Object.keys(expected).sort())
    const kept = readdirSync(made).filter((name) => !name.endsWith('.ids.txt'))
    expect(kept.filter((name) => !named.some((each) => each.replace(/#.*/, '') === name))).toEqual([])
  })

  it.each(Object.entries(expected))('%s is read', async (name, what) => expect(await read(at(name))).toEqual(what))

  it('has files of one split together', async () => expect((await read(at('hub#split=train'))).rows).toBe(2))
})

describe('a bad version', () => {
  const part = (name: string, keep = 0.6) => {
    const path = join(folder, `part-${name}`)
    copyFileSync(at(name), path)
    truncateSync(path, Math.floor(keep * readFileSync(path).length))
    return path
  }

  it.each([
    ['promptfoo.json', 'must be a whole object of JSON, got a part'],
    ['inspect.json', 'must be a whole object of JSON, got a part'],
    ['inspect.eval', 'must be a ZIP archive, got something else'],
    ['label-studio.json', 'must be'],
    ['argilla.json', 'must be'],
    ['prodigy.jsonl', 'must be well-formed JSON'],
    ['mails.sqlite', 'must be a whole SQLite database, got "'],
    ['vectors.npy', '2 × 3 items are required, as its header says'],
    ['arrays.npz', 'must be a ZIP archive, got something else'],
  ])('%s cut off is refused', async (name, message) => {
    const keep = name === 'vectors.npy' ? 0.9 : 0.6
    await expect(read(part(name, keep))).rejects.toThrow(message)
  })

  it.each([
    [
      'mixed.json',
      '[{"data":{"text":"a"},"annotations":[]},{"text":"b"}]',
      'row 2 must be a record of Label Studio like the first',
    ],
    ['none.json', '{"evalId":"e","results":{"results":[]}}', 'must have rows, got results of promptfoo without any'],
    ['odd.json', '{"a":{"b":1}}', 'must be an array of objects, got something that begins with {'],
    ['cut.libsvm', '1 2:0.5\n-1 1:', 'line 2 must be a label and features as 3:0.5, got "1:"'],
    ['words.libsvm', '1 a:1\n', 'line 1 must be a label and features'],
    ['order.libsvm', '1 3:1 2:1\n', 'line 1 must have its features in ascending order'],
    ['wide.libsvm', '1 1:1 99999:1\n', 'at most 16384 features are required, got 99999'],
    ['text.sqlite', 'id,x\n1,2\n', 'must be a whole SQLite database, got "file is not a database"'],
    ['text.npy', 'id,x\n1,2\nand more\n', 'an array as numpy.save writes it is required'],
    ['text.eval', 'no archive at all, only words', 'must be a ZIP archive'],
    ['empty.eval', zipOf({ 'header.json': '{}' }), 'must be a log of Inspect with samples, got 1 other files'],
    ['secret.xlsx', Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(600)]), 'a file without a password'],
  ])('%s is refused', async (name, content, message) => expect(read(write(name, content))).rejects.toThrow(message))

  it('of a database asks which table, and refuses one that is open elsewhere', async () => {
    const path = join(folder, 'two.sqlite')
    const database = new Database(path)
    database.exec('CREATE TABLE a (id); CREATE TABLE b (id); INSERT INTO b VALUES (1)')
    await expect(read(path)).rejects.toThrow('must hold one table, or one called pool, got a, b')
    await expect(read(`${path}#table=c`)).rejects.toThrow('must hold a table called c, got a, b')
    expect((await read(`${path}#table=b`)).rows).toBe(1)
    database.pragma('journal_mode = WAL')
    database.exec('INSERT INTO b VALUES (2)')
    await expect(read(`${path}#table=b`)).rejects.toThrow('a database that no program has open is required')
    database.close()
  })

  it('of a dataset asks which split, and misses a part', async () => {
    await expect(read(at('saved'))).rejects.toThrow('a split called train or test is required, got none')
    await expect(read(at('hub#split=dev'))).rejects.toThrow('a split called test or train is required, got dev')
    mkdirSync(join(folder, 'torn'))
    write('torn/state.json', JSON.stringify({ _data_files: [{ filename: 'gone.arrow' }] }))
    await expect(read(join(folder, 'torn'))).rejects.toThrow('got none called gone.arrow')
  })
})

describe('a workbook', () => {
  const text = (place: string, value: string) => `<c r="${place}" t="inlineStr"><is><t>${value}</t></is></c>`
  const row = (n: number, ...cells: string[]) => `<row r="${n}">${cells.join('')}</row>`
  const head = row(1, text('A1', 'group'), text('B1', 'n'))

  it('with hidden sheets is read without them, unless they are named', async () => {
    const sheets = {
      Lists: row(1, text('A1', 'x')) + row(2, text('A2', 'secret')),
      Shown: head + row(2, text('A2', 'a'), '<c r="B2"><v>1</v></c>'),
    }
    expect((await read(write('shown.xlsx', workbookOf(sheets)))).first).toEqual({ x: 'secret' })
    const again = write('hidden.xlsx', workbookOf(sheets, { hidden: ['Lists'] }))
    expect((await read(again)).first).toEqual({ group: 'a', n: '1' })
    expect((await read(`${again}#sheet=Lists`)).first).toEqual({ x: 'secret' })
  })

  it('with merged cells has what stands in them in every row', async () => {
    const rows = [
      head,
      row(2, text('A2', 'first'), '<c r="B2"><v>1</v></c>'),
      row(3, '<c r="B3"><v>2</v></c>'),
      row(4, text('A4', 'other'), '<c r="B4"><v>3</v></c>'),
    ]
    const book = write(
      'merged.xlsx',
      workbookOf({ A: `${rows.join('')}</sheetData><mergeCells count="1"><mergeCell ref="A2:A3"/></mergeCells><sheetData>` }),
    )
    const cells = await closing(openTable(book), ({ pick }) => pick([0, 1, 2], ['group', 'n']))
    expect(cells).toEqual([['first', '1'], ['first', '2'], ['other', '3']]) // biome-ignore format: short
  })

  it('with a formula that was never computed is refused, and one that was is its value', async () => {
    const sheet = (cell: string) => workbookOf({ A: head + row(2, text('A2', 'a'), cell) })
    await expect(read(write('formula.xlsx', sheet('<c r="B2"><f>1+1</f></c>')))).rejects.toThrow(
      'A: cell B2 must have a value, got a formula',
    )
    expect((await read(write('value.xlsm', sheet('<c r="B2"><f>1+1</f><v>2</v></c>')))).first).toEqual({ group: 'a', n: '2' })
  })

  it('with very many empty rows has those that are not', async () => {
    const empty = Array.from({ length: 20_000 }, (_, k) => `<row r="${k + 2}" spans="1:2"/>`).join('')
    const book = write(
      'empty.xlsx',
      workbookOf({ A: head + empty + row(1_048_576, text('A1048576', 'last'), '<c r="B1048576"><v>7</v></c>') }),
    )
    expect(await read(book)).toEqual({ rows: 1, kinds: 'text number', first: { group: 'last', n: '7' } })
  })
})

describe('an address', () => {
  it('is read from a server, with what stands behind it; what is not there is refused without its secrets', async () => {
    const server = createServer(({ url = '' }, response) => {
      if (url.startsWith('/mails.csv')) response.end('id,text\n1,"a, b"\n')
      else if (url.startsWith('/bad.csv')) response.end('id,text\n1,2,3\n')
      else response.writeHead(403).end()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    try {
      expect(await read(`${origin}/mails.csv?signature=secret`)).toEqual({
        rows: 1,
        kinds: 'number text',
        first: { id: '1', text: 'a, b' },
      })
      expect((await read(`${origin}/mails.csv#header=no`)).rows).toBe(2)
      await expect(read(`${origin}/bad.csv?signature=secret`)).rejects.toThrow(
        `${origin}/bad.csv: line 2 must have 2 cells, got 3`,
      )
      await expect(read(`${origin}/none.csv?signature=secret`)).rejects.toThrow(
        `${origin}/none.csv: must be there to be read, got status 403`,
      )
    } finally {
      server.close()
    }
  })

  it.each([
    ['s3://bucket/mails.csv', 'an address that begins with https:// or postgres://, or a file, is required, got s3://'],
    ['https://me:secret@example.org/mails.csv', 'https://example.org/mails.csv: an address without a password is required'],
    ['postgres://me:secret@example.org/mails', 'an address without a password is required'],
    ['postgres://me@example.org', 'postgres://user@host/database/table is required, got no database'],
  ])('%s is refused', async (address, message) => {
    const error = await read(address).catch((error: Error) => error)
    expect((error as Error).message).toContain(message)
    expect((error as Error).message).not.toContain('secret')
  })
})
