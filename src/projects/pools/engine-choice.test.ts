import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { chooseEngine } from './engine-choice.ts'

const folder = mkdtempSync(join(tmpdir(), 'alis-choice-'))
const path = join(folder, 'pool.csv')
writeFileSync(path, ['id,x,y', ...Array.from({ length: 5000 }, (_, i) => `p${i},${i % 7}.5,${i % 2}`), ''].join('\n'))
afterAll(() => rmSync(folder, { recursive: true }))

it('keeps a pool in memory as long as it fits, and has nothing to say', async () => {
  expect(await chooseEngine(path, {})).toMatchObject({ engine: 'memory', says: [] })
  expect(await chooseEngine(path, { memory: 2 ** 30 })).toEqual({ engine: 'memory', memory: 2 ** 30, says: [] })
})

it('leaves a pool on disk that would not fit, and says why', async () => {
  const { engine, says } = await chooseEngine(path, { memory: 2 ** 10 })
  expect(engine).toBe('duckdb')
  expect(says.join()).toMatch(
    /^ {2}engine {4}duckdb: the pool takes about \d+ KiB, and 1.0 KiB of memory are allowed \(--memory\)$/,
  )
})

it('takes the engine that was asked for, whatever the size', async () => {
  expect(await chooseEngine(path, { engine: 'memory', memory: 2 ** 10 })).toMatchObject({ engine: 'memory', says: [] })
  const { engine, says } = await chooseEngine(path, { engine: 'duckdb', memory: 2 ** 30 })
  expect([engine, ...says]).toEqual([
    'duckdb',
    '  engine    duckdb, as asked for: the pool is read where it lies, within 1.0 GiB of memory',
  ])
})
