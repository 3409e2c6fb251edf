import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ColumnModel } from '../../core/model.ts'
import { tableBytes } from '../../sources/write-table.ts'
import { loadPool } from '../load-pool.ts'
import type { EngineName } from '../pools/engine-choice.ts'
import { openNpy } from './npy.ts'

const folder = mkdtempSync(join(tmpdir(), 'alis-said-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const ids = ['a', 'b', 'c', 'd']
const write = (name: string, content: string | Uint8Array) => {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}
const pool = write('pool.csv', `id,x,y\n${ids.map((id, i) => `${id},${i},${i % 2 ? 'yes' : 'no'}`).join('\n')}\n`)

async function opened<T>(engine: EngineName, work: (data: Awaited<ReturnType<typeof loadPool>>) => Promise<T>, scores?: string) {
  const data = await loadPool(pool, { label: 'y', elsewhere: true }, 1, { scores }, { engine })
  try {
    return await work(data)
  } finally {
    await data.close()
  }
}

/** An NPY file of format 1. */
function npy(rows: readonly (readonly number[])[], { type = '<f8', order = 'False' } = {}): Uint8Array {
  const text = `{'descr': '${type}', 'fortran_order': ${order}, 'shape': (${rows.length}, ${rows[0]!.length}), }`
  const header = `${text.padEnd(117)}\n`
  const cells = order === 'True' ? rows[0]!.flatMap((_, k) => rows.map((row) => row[k]!)) : rows.flat()
  const numbers = type === '<f4' ? Float32Array.from(cells) : Float64Array.from(cells)
  return Buffer.concat([Buffer.from(`\x93NUMPY\x01\0v\0${header}`, 'latin1'), Buffer.from(numbers.buffer)])
}

const rows = [
  [0.75, 0.25],
  [0.5, 0.5],
  [0, 1],
  [0.125, 0.875],
]
const identity = 'one'
const probabilities = new Map(ids.map((id, i): [string, readonly number[]] => [id, rows[i]!]))
const csvOf = (of: readonly string[]) => `no,yes,id\n${of.map((id, i) => `${rows[i]},${id}`).join('\n')}\n`

async function parquet(): Promise<Uint8Array> {
  const columns = [
    { name: 'yes', type: 'number' } as const,
    { name: 'id', type: 'text' } as const,
    { name: 'no', type: 'number' } as const,
  ]
  const chunks = await Array.fromAsync(tableBytes(columns, 'parquet', [ids.map((id, i) => [rows[i]![1]!, id, rows[i]![0]!])]))
  return Buffer.concat(chunks)
}

describe.each(['memory', 'duckdb'] as const)('scores that are handed over, with %s', (engine) => {
  it('are one model, however they are written', async () => {
    const files = [
      write('said.csv', csvOf(ids)),
      write('said.jsonl', ids.map((id, i) => JSON.stringify({ id, no: rows[i]![0], yes: rows[i]![1] })).join('\n')),
      write('said.parquet', await parquet()),
      write('said.npy', npy(rows)),
      write('said4.npy', npy(rows, { type: '<f4' })),
      write('turned.npy', npy(rows, { order: 'True' })),
    ]
    const models = await opened(engine, async ({ elsewhere }) => {
      const told: ColumnModel[] = [await elsewhere!.keep({ identity, probabilities }, 'sha256:0')]
      for (const [k, file] of files.entries()) told.push(await elsewhere!.keep({ identity, file }, `sha256:${k + 1}`))
      return told
    })
    expect(new Set(models.map(({ id }) => id)).size).toBe(1)
    expect(models[0]).toMatchObject({ kind: 'columns', name: 'one', columns: 1 })
  })

  it('are found again by the labels they were fitted to, and by their model', async () => {
    const scores = join(folder, `kept-${engine}`)
    const first = await opened(
      engine,
      async ({ elsewhere }) => {
        await elsewhere!.keep(
          { identity: 'before', probabilities: new Map(ids.map((id) => [id, [0.25, 0.75]])) },
          'sha256:before',
        )
        return elsewhere!.keep({ identity, probabilities }, 'sha256:now')
      },
      scores,
    )
    await opened(
      engine,
      async ({ elsewhere, engine: open }) => {
        const own = open()
        const loss = (await import('../../losses/logistic.ts')).logistic
        const said = (await Array.fromAsync(own.predictions(first, loss))).flat()
        expect(said.map(({ id, probabilities: [, yes] }) => [id, Number(yes!.toFixed(3))]).sort()).toEqual(
          ids.map((id, i) => [id, rows[i]![1]]),
        )
        expect(await elsewhere!.known('sha256:now')).toEqual(first)
        expect(await elsewhere!.known('sha256:never')).toBe(undefined)
        expect((await elsewhere!.known('sha256:before'))!.name).toBe('before')
      },
      scores,
    )
    expect(readdirSync(scores).filter((name) => name.endsWith('.parquet'))).toHaveLength(2)
  })

  it('are refused where a point is none of the pool', async () => {
    const file = write('stray.csv', csvOf([...ids.slice(1), 'z']))
    const refused = opened(engine, ({ elsewhere }) => elsewhere!.keep({ identity, file }, 'sha256:1'))
    await expect(refused).rejects.toThrow('got none for "a"')
  })
})

/** The same pool for all that is refused while its scores are read, which is so with every engine. */
describe('scores that are handed over', () => {
  let data: Awaited<ReturnType<typeof loadPool>>
  beforeAll(async () => {
    data = await loadPool(pool, { label: 'y', elsewhere: true }, 1, {}, { engine: 'memory' })
  })
  afterAll(() => data.close())

  it.each([
    ['a point is missing', csvOf(ids.slice(1)), 'probabilities: the points of the pool are required, got none for "a"'],
    ['a point is there too much', `${csvOf(ids)}1,0,z\n`, 'got "z", which is none of them'],
    ['a point is there twice', `${csvOf(ids)}1,0,b\n`, 'probabilities: every point is required once, got 2 for "b"'],
    [
      'a point has no id',
      `${csvOf(ids.slice(1))}1,0,\n`,
      'probabilities: every point is required once, got 1 rows without an id',
    ],
    [
      'they are no probabilities',
      csvOf(ids).replace('0.75,', '75,'),
      'no: a probability from 0 to 1 is required, got 75.0 for "a"',
    ],
    ['one is empty', csvOf(ids).replace('0.75,', ','), 'no: a probability from 0 to 1 is required, got nothing for "a"'],
    ['one is infinite', csvOf(ids).replace('0.75,', 'inf,'), 'no: a probability from 0 to 1 is required'],
    [
      'they do not add up',
      csvOf(ids).replace('0.75,', '0.5,'),
      'probabilities: those of a point must add up to 1, got 0.75 for "a"',
    ],
    [
      'a class is missing',
      csvOf(ids).replace('yes', 'si'),
      'a column id and one for each class, named like it, is required, got none called "yes"',
    ],
  ])('are refused where %s, and those before stay', async (_, text, message) => {
    const before = await data.elsewhere!.blank()
    const file = write('wrong.csv', text)
    await expect(data.elsewhere!.keep({ identity, file }, 'sha256:1')).rejects.toThrow(message)
    expect(await data.elsewhere!.blank()).toBe(before)
  })

  it.each([
    ['rows too few', npy(rows.slice(1)), 'a row for each of 4 rows of the pool is required, got 3'],
    ['a column too many', npy(rows.map((row) => [...row, 0])), 'a column for each of 2 classes is required, got 3'],
    ['NaN', npy([[Number.NaN, 1], ...rows.slice(1)]), 'no: a probability from 0 to 1 is required, got nothing for "a"'],
    ['whole numbers', npy(rows, { type: '<i8' }), 'numbers of 32 or 64 bits are required, got <i8'],
    ['its end missing', npy(rows).subarray(0, -8), '4 × 2 numbers are required, as its header says, got 56 bytes'],
    ['something else in it', Buffer.from('PK\x03\x04 and so on'), 'an array as numpy.save writes it is required'],
  ])('are refused in an NPY file with %s', async (_, bytes, message) => {
    const file = write('wrong.npy', bytes)
    await expect(data.elsewhere!.keep({ identity, file }, 'sha256:1')).rejects.toThrow(message)
  })
})

it.each(['csv', 'npy'])('what is no file is refused at once, whatever its name says: .%s', async (ending) => {
  const path = (name: string) => join(folder, `${name}.${ending}`)
  mkdirSync(path('directory'))
  execFileSync('mkfifo', [path('pipe')])
  await opened('memory', async ({ elsewhere }) => {
    const refusal = (file: string) => elsewhere!.keep({ identity, file }, 'sha256:1').catch((error) => error.message)
    expect(await refusal(path('nothing'))).toMatch(/must be a file, got nothing there$/)
    expect(await refusal(path('directory'))).toMatch(/must be a file, got a directory$/)
    expect(await refusal(path('pipe'))).toMatch(/must be a file, got something else$/)
  })
})

it('a file that a program wrote to where it was told to is gone when it has been read', async () => {
  await opened('memory', async ({ elsewhere }) => {
    const place = await elsewhere!.place()
    writeFileSync(`${place}.csv`, csvOf(ids))
    await elsewhere!.keep({ identity, file: `${place}.csv` }, 'sha256:1')
    expect(readdirSync(join(place, '..')).filter((name) => name.endsWith('.csv'))).toEqual([])
  })
})

it('an array of one dimension is refused', async () => {
  const one = Buffer.from(
    Buffer.from(npy([[1]]))
      .toString('latin1')
      .replace('(1, 1), }', '(1,), }   '),
    'latin1',
  )
  await expect(openNpy(write('one.npy', one))).rejects.toThrow('got the shape (1,)')
})

it.each([
  ['on ClickHouse', 'clickhouse://localhost/default/t', {}, 'one in files is required for a model that is fitted elsewhere'],
  [
    'with rows to test on',
    pool,
    { test: 0.5 },
    'test: nothing is learned by a model that is fitted elsewhere, got 0.5 to test on',
  ],
])('a pool %s is refused', async (_, path, options, message) => {
  await expect(loadPool(path, { label: 'y', elsewhere: true, ...options }, 1)).rejects.toThrow(message)
})
