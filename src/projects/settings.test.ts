import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { joinedHash } from '../sources/joined-table.ts'
import {
  absolute,
  knownSettings,
  openIfThere,
  openOrCreate,
  openToRead,
  requireSamePool,
  rowless,
  type Settings,
  settingsOf,
} from './settings.ts'

const folder = mkdtempSync(join(tmpdir(), 'alis-settings-'))
afterAll(() => rmSync(folder, { recursive: true }))

it('knows which pools have no rows in the order of a file', () => {
  const pool = (path: string) => ({ path, hash: '' })
  expect(rowless({ pool: pool('mails.csv'), wishes: {} })).toBe(undefined)
  expect(rowless({ pool: pool('mails.csv'), wishes: { scores: ['p'] } })).toBe('scores in columns that are refreshed')
  expect(rowless({ pool: pool('clickhouse://me@host/db/t'), wishes: {} })).toBe('a table on ClickHouse')
})

it('spells the address of a table in one way, and a path from the root', () => {
  expect(absolute('clickhouse://me@host/db/t')).toMatch(/^clickhouse:\/\/me@host(:\d+)?\/db\/t$/)
  expect(absolute('mails.csv')).toBe(`${process.cwd()}/mails.csv`)
})

const [first, second] = [`sha256:${'1'.repeat(64)}`, `sha256:${'2'.repeat(64)}`]
const settings = {
  pool: { path: '/a.csv', hash: first },
  added: [{ path: '/b.csv', hash: second, poolSize: 9 }],
} as unknown as Settings

it('knows the pool by the hashes of all its files, and closes a table that is another', async () => {
  let closed = 0
  const table = (hash: string) => ({ hash, close: async () => void closed++ })
  const own = joinedHash([{ hash: first }, { hash: second }])
  await requireSamePool({ path: 'p.alis' }, settings, table(own))
  expect(closed).toBe(0)
  const refused = requireSamePool({ path: 'p.alis' }, settings, table(first))
  await expect(refused).rejects.toThrow(/^p\.alis: the pool must be as it was when the project began, sha256:.*, got sha256:1/)
  await expect(refused).rejects.toMatchObject({ hint: expect.stringContaining('/a.csv, /b.csv') })
  expect(closed).toBe(1)
})

it('tells an empty project, one that audits, and one that is not there', async () => {
  const path = join(folder, 'new.alis')
  expect(await openIfThere(path)).toBe(undefined)
  const project = await openOrCreate(path)
  expect(await knownSettings(project)).toBe(undefined)
  await expect(settingsOf(project)).rejects.toThrow('must have a pool, got an empty project')
  await project.remember('settings', { classes: ['a', 'b'] })
  expect(await settingsOf(project)).toEqual({ classes: ['a', 'b'], added: [] })
  await project.remember('audit', {})
  await expect(settingsOf(project)).rejects.toThrow('must be a project that learns, got one that audits')
  await project.close()
  const again = await openToRead(path)
  expect((await knownSettings(again))?.classes).toEqual(['a', 'b'])
  await again.close()
})
