import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { alisHere } from '../../../test/in-process.ts'
import { closing } from '../../core/closing.ts'
import { openDatabase, readRows } from '../../sources/duckdb.ts'
import { openTable } from '../../sources/duckdb-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'alis-dataset-'))
afterAll(() => rmSync(folder, { recursive: true }))
const alis = (...args: string[]) => alisHere(args, { cwd: folder })

beforeAll(async () => {
  const rows = Array.from({ length: 60 }, (_, i) => `0${i},word ${i},${i / 4},${i % 3 ? 'a' : 'b'},${i % 2 ? 'a' : 'b'},x`)
  writeFileSync(join(folder, 'said.csv'), ['id,text,size,said,y,Label', ...rows, ''].join('\n'))
  const { code } = await alis(
    'audit',
    'said.csv',
    '--prediction',
    'said',
    '--truth',
    'y',
    '--budget',
    '20',
    '--seed',
    '3',
    '--project',
    'said.alis',
    '--quiet',
  )
  expect(code).toBe(0)
})

it('labels come with all columns of the pool, numbers as numbers, under names of their own', async () => {
  expect(
    await alis('export', 'said.alis', '--only', 'labels', '--with-columns', '--format', 'jsonl', '--out', 'labels'),
  ).toMatchObject({ code: 0 })
  const [first] = readFileSync(join(folder, 'labels/labels.jsonl'), 'utf8').split('\n')
  const { id, text, size, label, y, ...rest } = JSON.parse(first!)
  const i = Number(id)
  expect({ id, text, size, label, y }).toEqual({
    id: `0${i}`,
    text: `word ${i}`,
    size: i / 4,
    label: i % 2 ? 'a' : 'b',
    y: label,
  })
  expect(rest).toMatchObject({ 'pool.Label': 'x', said: i % 3 ? 'a' : 'b' })
})

it('a dataset for the Hub has typed columns and a card with the certificate, and is read back', async () => {
  expect(await alis('export', 'said.alis', '--only', 'hugging-face', '--out', 'hub')).toMatchObject({ code: 0 })
  const path = join(folder, 'hub/hugging-face')
  const { claim, seal } = JSON.parse(
    readFileSync(join(path, 'certificates', readdirSync(join(path, 'certificates'))[0]!), 'utf8'),
  )
  const card = readFileSync(join(path, 'README.md'), 'utf8')
  expect(card).toMatch(/^---\npretty_name: "said"\n[\s\S]*\n---\n/)
  for (const said of [claim, seal, '20 answers']) expect(card).toContain(said)
  const types = await closing(openDatabase(), (database) => readRows(database, `DESCRIBE FROM '${path}/data/*.parquet'`))
  const typeOf = Object.fromEntries(types.map(([name, type]) => [name, type]))
  expect(typeOf).toMatchObject({ time: 'TIMESTAMP WITH TIME ZONE', size: 'DOUBLE', round: 'INTEGER', id: 'VARCHAR' })
  expect(await closing(openTable(path), async ({ rows }) => rows)).toBe(20)
})

it('another file than the one that was begun with is refused where its hash is known', async () => {
  const run = ['run', 'said.csv', '--label', 'y', '--ignore', 'said', '--budget', '10', '--project', 'learns.alis', '--quiet']
  expect((await alis(...run)).code).toBe(0)
  writeFileSync(join(folder, 'other.csv'), 'id,text,size,said,y,Label\n00,word,1,a,a,x\n')
  const { code, stderr } = await alis(
    'export',
    'learns.alis',
    '--only',
    'labels',
    '--with-columns',
    '--pool',
    'other.csv',
    '--out',
    'none',
  )
  expect({ code, stderr }).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('the file that the project began with is required'),
  })
})
