import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { confirmServer, requireConfirmed, serverOf } from './confirmed-servers.ts'

const place = mkdtempSync(join(tmpdir(), 'alis-servers-'))
afterAll(() => rmSync(place, { recursive: true }))
const folder = join(place, 'settings', 'alis')

it('a server is who is asked, by which way', () => {
  expect(serverOf('clickhouse://me@db.example.org/pools/mails')).toBe('clickhouse://me@db.example.org:8123')
  expect(serverOf('clickhouses://a.example.org,b.example.org:1/d/t')).toBe(
    'clickhouses://default@a.example.org:8443,b.example.org:1',
  )
  expect(serverOf('postgres://me@db.example.org/pools/mails')).toBe('postgres://me@db.example.org')
  expect(serverOf('https://files.example.org/mails.csv?signature=x')).toBe('https://files.example.org')
  for (const path of ['/pools/mails.csv', 'mails.csv', 'pools/*.parquet']) expect(serverOf(path)).toBeUndefined()
})

it('one that is not confirmed for a project is refused; another table of a server that is, is not', () => {
  const [one, other] = ['one.alis', 'other.alis'].map((name) => join(place, name)) as [string, string]
  for (const project of [one, other]) mkdirSync(project)
  const path = 'clickhouse://me@db.example.org/pools/mails'
  const refused = (project: string, pool: string) =>
    expect(() => requireConfirmed(project, pool, folder)).toThrow('that you have confirmed')
  requireConfirmed(one, '/pools/mails.csv', folder)
  refused(one, path)
  confirmServer(one, path, folder)
  confirmServer(one, path, folder)
  requireConfirmed(one, path, folder)
  requireConfirmed(one, 'clickhouse://me@db.example.org/pools/others', folder)
  refused(other, path)
  for (const elsewhere of [
    'clickhouses://me@db.example.org',
    'clickhouse://you@db.example.org',
    'clickhouse://me@db.example.org:1',
  ])
    refused(one, `${elsewhere}/pools/mails`)
  const file = join(folder, 'servers.json')
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ [one]: ['clickhouse://me@db.example.org:8123'] })
  expect(statSync(file).mode & 0o777).toBe(0o600)
})
