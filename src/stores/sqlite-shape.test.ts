import { existsSync, linkSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, describe, expect, it } from 'vitest'
import { createProject, openProject } from './sqlite.ts'

const scratch = mkdtempSync(join(tmpdir(), 'alis-shape-'))
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

let made = 0
async function project(): Promise<string> {
  const path = join(scratch, `${++made}.alis`)
  await (await createProject(path)).close()
  return path
}

const victim = () => {
  const path = join(scratch, `victim ${++made}`)
  writeFileSync(path, 'mine')
  return path
}

describe('a project from somebody else with', () => {
  it.each(['lock.json', 'project.sqlite', 'page.token', 'pool/features.bin', 'certificates/a.json', 'scores'])(
    'a link called %s is refused, and what it leads to stays',
    async (name) => {
      const path = await project()
      const file = victim()
      rmSync(join(path, name), { force: true })
      symlinkSync(file, join(path, name))
      const wanted = name === 'project.sqlite' ? /./ : `got the link ${name}`
      for (const mode of ['read', 'write'] as const) await expect(openProject(path, { mode })).rejects.toThrow(wanted)
      expect(readFileSync(file, 'utf8')).toBe('mine')
    },
  )

  it('a hard link called lock.json is written beside it', async () => {
    const path = await project()
    const file = victim()
    rmSync(join(path, 'lock.json'))
    linkSync(file, join(path, 'lock.json'))
    await (await openProject(path)).close()
    expect(readFileSync(file, 'utf8')).toBe('mine')
  })

  it('links and no record is not made into one', async () => {
    const path = join(scratch, `${++made}.alis`)
    mkdirSync(path)
    symlinkSync(join(scratch, 'made by us'), join(path, 'project.sqlite.new'))
    await expect(createProject(path)).rejects.toThrow('got the link project.sqlite.new')
    expect(existsSync(join(scratch, 'made by us'))).toBe(false)
  })

  it.each([
    ['project.sqlite-journal', 'the journal project.sqlite-journal'],
    ['lock.sqlite', 'a lock.sqlite that is not empty'],
  ])('%s is refused before SQLite sees it', async (name, got) => {
    const path = await project()
    writeFileSync(join(path, name), 'x'.repeat(1000))
    await expect(openProject(path)).rejects.toThrow(`got ${got}`)
  })

  const endless = 'WITH RECURSIVE r(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM r) SELECT n FROM r'
  it.each([
    ['a trigger', "CREATE TRIGGER swap AFTER INSERT ON answers BEGIN UPDATE answers SET label = 'b'; END", 'the trigger "swap"'],
    ['a view', `CREATE VIEW more AS ${endless}`, 'the view "more"'],
    ['a view in place of a table', `DROP TABLE events; CREATE VIEW events AS ${endless}`, 'the view "events"'],
    ['another table', 'CREATE TABLE more (x)', 'the table "more"'],
    ['an index', "CREATE INDEX more ON answers (label) WHERE label > 'a'", 'the index "more"'],
    ['one index less', 'DROP INDEX answers_by_point', 'without the index "answers_by_point"'],
    ['one trigger less', 'DROP TRIGGER answers_update', 'without the trigger "answers_update"'],
    [
      'a table that is laxer',
      'DROP TABLE events; CREATE TABLE events (seq INTEGER PRIMARY KEY, kind, detail, time)',
      'the table "events"',
    ],
    ['what analysis leaves', 'ANALYZE', 'the table "sqlite_stat1"'],
  ])('%s in its record is refused', async (_, sql, got) => {
    const path = await project()
    const sqlite = new Database(join(path, 'project.sqlite'))
    sqlite.exec(sql)
    sqlite.close()
    for (const mode of ['read', 'write'] as const)
      await expect(openProject(path, { mode })).rejects.toThrow(
        `${path}: must hold what alis puts into a project and nothing else, got`,
      )
    await expect(openProject(path)).rejects.toThrow(got)
  })
})
