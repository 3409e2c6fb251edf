import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { closing } from '../../src/core/closing.ts'
import { openTable } from '../../src/sources/duckdb-file.ts'

const installed = '/usr/lib/postgresql'
const versions = existsSync(installed) ? readdirSync(installed).sort() : []
const programs = join(installed, versions.at(-1) ?? '', 'bin')
const hasServer = existsSync(join(programs, 'initdb'))
const hasLibrary = spawnSync(process.execPath, ['-e', `require.resolve('pg')`], { cwd: import.meta.dirname }).status === 0

const folder = mkdtempSync(join(tmpdir(), 'alis-postgres-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** PostgreSQL refuses to run as root. */
const asNobody = process.getuid?.() === 0 ? ['setpriv', '--reuid=nobody', '--regid=nogroup', '--clear-groups'] : []
function run(program: string, ...args: string[]): void {
  const [first, ...rest] = [...asNobody, join(programs, program), ...args]
  execFileSync(first!, rest, { stdio: 'ignore', cwd: folder })
}

const read = (path: string) =>
  closing(openTable(path), async ({ columns, rows, hash, pick }) => {
    const names = columns.map(({ name }) => name)
    return { hash, kinds: columns.map(({ kind }) => kind).join(' '), cells: await pick([...Array(rows).keys()], names) }
  })

const why = hasServer ? 'the package pg is not installed here' : 'there is no PostgreSQL here'
describe.skipIf(!hasServer || !hasLibrary)(`a PostgreSQL table (${hasServer && hasLibrary ? 'there is a server' : why})`, () => {
  let address = ''
  const password = process.env.PGPASSWORD
  beforeAll(async () => {
    if (asNobody.length > 0) chmodSync(folder, 0o777)
    writeFileSync(join(folder, 'password'), 'secret', { mode: 0o644 })
    run(
      'initdb',
      '-D',
      join(folder, 'data'),
      '-A',
      'scram-sha-256',
      '-U',
      'ada',
      `--pwfile=${join(folder, 'password')}`,
      '--no-sync',
    )
    const port = await freePort()
    run(
      'pg_ctl',
      '-D',
      join(folder, 'data'),
      '-o',
      `-p ${port} -k ${folder} -h 127.0.0.1 -F`,
      '-l',
      join(folder, 'log'),
      '-w',
      'start',
    )
    process.env.PGPASSWORD = 'secret'
    address = `postgres://ada@127.0.0.1:${port}/postgres`
    const { Client } = createRequire(import.meta.url)('pg')
    const client = new Client({ connectionString: address })
    await client.connect()
    await client.query(`
      CREATE TABLE mails (id text PRIMARY KEY, body text, n bigint, price numeric(10, 2), spam boolean, x float8[], at timestamptz, raw bytea);
      INSERT INTO mails VALUES ('b', 'Rain', -1, null, false, '{1,2}', '2026-03-01 10:00+01', '\\x00ff'),
        ('007', E'one "two"\\nthree', 9007199254740993, 1.50, true, '{0.25,-3e10}', null, null);
      CREATE VIEW pool AS SELECT id FROM mails; CREATE TABLE "Odd Name" (a int); CREATE SCHEMA other; CREATE TABLE other.mails (id int)`)
    await client.end()
  })
  afterAll(() => {
    run('pg_ctl', '-D', join(folder, 'data'), '-m', 'immediate', 'stop')
    if (password === undefined) delete process.env.PGPASSWORD
    else process.env.PGPASSWORD = password
  })

  it('is read with its types, in the order of its key, and has the same hash again', async () => {
    const { hash, kinds, cells } = await read(`${address}/mails`)
    expect(kinds).toBe('text text number number text vector text text')
    expect(cells).toEqual([
      ['007', 'one "two"\nthree', '9007199254740993', '1.5', 'true', '[0.25,-30000000000]', null, null],
      ['b', 'Rain', '-1', null, 'false', '[1,2]', '2026-03-01T09:00:00Z', 'AP8='],
    ])
    expect((await read(`${address}#table=public.mails`)).hash).toBe(hash)
    expect((await read(address)).kinds).toBe('text') // the view called pool
  })

  it.each([
    ['/none', 'must hold a table called none, got Odd Name, mails, pool, other.mails'],
    ['/other.mails', 'must hold rows, got an empty file'],
  ])('%s is refused', async (table, message) => {
    await expect(read(`${address}${table}`)).rejects.toThrow(message)
  })

  it('of a server that is not there, or does not let us in, is refused with what to do', async () => {
    await expect(read(address.replace('ada', 'bob'))).rejects.toThrow('got "password authentication failed for user "bob""')
    await expect(read('postgres://ada@127.0.0.1:1/postgres/mails')).rejects.toMatchObject({
      hint: expect.stringContaining('PGPASSWORD'),
    })
  })
})

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}
