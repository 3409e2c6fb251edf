import { cpSync, linkSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { closing } from '../../../src/core/closing.ts'
import { filesIn } from '../../../src/server/http/start-files.ts'
import { openDatabase, readRows } from '../../../src/sources/duckdb.ts'
import { createProject, openProject } from '../../../src/stores/sqlite.ts'
import { alisHere } from '../../in-process.ts'
import { type Attack, attempt, type Try } from '../attack.ts'
import { columns, predictionsFile } from '../predictions.ts'

const endless = 'WITH RECURSIVE r(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM r) SELECT n FROM r'
const foreign = /must hold what alis puts into a project and nothing else/

/** Runs `alis`; what it said, as a text. */
async function said(folder: string, ...args: readonly string[]): Promise<string> {
  const { stdout, stderr } = await alisHere(args, { cwd: folder })
  return stderr + stdout
}

const audited = async (folder: string): Promise<string> => {
  const args = ['--budget', '20', '--seed', '3', '--project', 'sent.alis']
  await said(folder, 'audit', predictionsFile(folder, 60), ...columns, ...args)
  return join(folder, 'sent.alis')
}

const links: Attack = {
  name: 'a project from somebody else has links, pipes or journals in it',
  async attack({ folder }) {
    const sent = await audited(folder)
    const victim = join(folder, 'victim')
    const tries: Try[] = []
    let made = 0
    const held = async (what: string, change: (path: string) => void, expected: RegExp) => {
      const path = join(folder, `${++made}.alis`)
      cpSync(sent, path, { recursive: true })
      writeFileSync(victim, 'mine')
      change(path)
      for (const command of [
        ['status', path],
        ['export', path],
      ])
        tries.push(await attempt(`${what}: ${command[0]}`, () => said(folder, ...command), expected))
      await openProject(path).then(
        (project) => project.close(),
        () => {},
      )
      if (readFileSync(victim, 'utf8') !== 'mine') tries.push({ what, through: 'a file elsewhere was written over' })
    }
    for (const name of [
      'page.token',
      'lock.json',
      'lock.sqlite',
      'project.sqlite-wal',
      'pool/features.bin',
      'certificates/x.json',
    ])
      await held(`a link for ${name}`, (path) => replaced(path, name, (at) => symlinkSync(victim, at)), foreign)
    await held('a hard link for lock.json', (path) => replaced(path, 'lock.json', (at) => linkSync(victim, at)), /./)
    await held('a journal', (path) => writeFileSync(join(path, 'project.sqlite-journal'), victim), foreign)
    await held('a lock with pages', (path) => writeFileSync(join(path, 'lock.sqlite'), 'x'), foreign)
    return tries
  },
}

function replaced(path: string, name: string, make: (at: string) => void): void {
  rmSync(join(path, name), { force: true })
  mkdirSync(join(path, name, '..'), { recursive: true })
  make(join(path, name))
}

const schemas: Attack = {
  name: 'the record of a project does what its sender wants',
  async attack({ folder }) {
    const sent = join(folder, 'sent.alis')
    await (await createProject(sent)).close()
    const tries: Try[] = []
    const changes = {
      'a trigger that changes answers':
        "CREATE TRIGGER swap AFTER INSERT ON answers BEGIN INSERT INTO answers (round, id, label, annotator, time, kind) VALUES (NEW.round, NEW.id, 'b', 'x', 'now', 'answer'); END",
      'an endless view for rounds': `DROP TABLE rounds; CREATE VIEW rounds AS ${endless}`,
      'an endless view for the chain': `DROP TABLE chain; CREATE VIEW chain AS ${endless}`,
      'an index that leaves rows out': "CREATE UNIQUE INDEX fewer ON answers (id) WHERE label = 'a'",
      'a generated column': 'ALTER TABLE events ADD COLUMN more BLOB GENERATED ALWAYS AS (zeroblob(1000000000))',
      'a default of a column': "ALTER TABLE events ADD COLUMN more TEXT DEFAULT 'x'",
      'rows may be changed': 'DROP TRIGGER answers_update',
    }
    for (const [k, [what, sql]] of Object.entries(changes).entries()) {
      const path = join(folder, `${k}.alis`)
      cpSync(sent, path, { recursive: true })
      const sqlite = new Database(join(path, 'project.sqlite'))
      sqlite.exec(sql)
      sqlite.close()
      for (const mode of ['read', 'write'] as const)
        tries.push(await attempt(`${what}, to ${mode}`, () => openProject(path, { mode }), foreign))
    }
    const { projects } = await filesIn(folder)
    const listed = projects.map(({ path }) => path).join()
    tries.push(await attempt('a list of all of these', () => listed, /^sent\.alis$/))
    return tries
  },
}

const servers: Attack = {
  name: 'a project from somebody else asks for a password',
  async attack({ folder }) {
    const heard: string[] = []
    const server = createServer((request, reply) => {
      heard.push(`${request.url}`)
      reply.end('1\n')
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    process.env.ALIS_CLICKHOUSE_PASSWORD = 'hunter2'
    try {
      const path = `clickhouse://me@127.0.0.1:${(server.address() as AddressInfo).port}/d/t`
      await closing(createProject(join(folder, 'learns.alis')), async (project) => {
        await project.begin({ seed: 1, seedChosen: true, classes: ['a', 'b'], poolSize: 10 })
        await project.remember('settings', {
          pool: { path, hash: 'sha256:0' },
          wishes: { id: 'id' },
          classes: ['a', 'b'],
          seed: 1,
        })
      })
      await closing(createProject(join(folder, 'audits.alis')), async (project) => {
        const facts = { seed: 1, seedChosen: true, model: 'm', path, columns: { prediction: 'p', id: 'id' }, classes: ['a', 'b'] }
        await project.begin({ seed: 1, seedChosen: true, classes: ['a', 'b'], poolSize: 10 })
        await project.remember('audit', facts)
      })
      const refused = /a server that you have confirmed is required/
      const page = ['--no-open', '--port', '0', '--json']
      const tries: Try[] = []
      for (const args of [
        ['label', '--project', 'learns.alis', ...page],
        ['ask', 'audits.alis'],
      ])
        tries.push(await attempt(args.slice(0, 3).join(' '), () => said(folder, ...args), refused))
      for (const command of ['status', 'export', 'certify']) await said(folder, command, 'learns.alis')
      return [...tries, { what: 'any of these', ...(heard.length > 0 && { through: `${heard.length} requests were sent` }) }]
    } finally {
      delete process.env.ALIS_CLICKHOUSE_PASSWORD
      server.close()
    }
  },
}

const views: Attack = {
  name: 'a DuckDB file reads other files',
  async attack({ folder }) {
    writeFileSync(join(folder, 'secret.csv'), 'id,y\n1,hunter2\n')
    const file = join(folder, 'pool.duckdb')
    const database = await openDatabase(file, {})
    await readRows(database, `CREATE VIEW pool AS FROM read_csv('${join(folder, 'secret.csv')}')`)
    database.close()
    return [
      await attempt(
        'a view as a pool',
        () => said(folder, 'run', file, '--label', 'y'),
        /must hold one table, or one called pool, got none/,
      ),
    ]
  },
}

export const attacks: readonly Attack[] = [links, schemas, servers, views]
