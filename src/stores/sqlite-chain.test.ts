import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, describe, expect, it } from 'vitest'
import { surveyor } from '../core/survey.ts'
import { createProject, openProject } from './sqlite.ts'
import { chainOn } from './sqlite-chain.ts'
import { migrate, migrations } from './sqlite-schema.ts'

const scratch = mkdtempSync(join(tmpdir(), 'alis-chain-'))
afterAll(() => rmSync(scratch, { recursive: true, force: true }))
let made = 0
const fresh = () => join(scratch, `${made++}.alis`)

/** A project with a fact of every kind, closed. */
async function settled(): Promise<string> {
  const path = fresh()
  const project = await createProject(path, { annotator: 'ada' })
  await project.begin({ seed: 7, seedChosen: true, classes: ['no', 'yes'], poolSize: 100 })
  const draws = ['a', 'b'].map((id, k) => ({ id, order: k + 1, probability: 0.1, mass: 1, remaining: 10, scores: [0.5, -0] }))
  const survey = surveyor(1).survey()
  await project.openRound({
    round: 0,
    stream: 'learn/0',
    strategy: 'alis',
    design: 'successive',
    size: 2,
    model: 'm',
    survey,
    draws,
  })
  await project.answer(0, 'a', 'yes')
  await project.answer(0, 'b', null)
  await project.retract(0, 'b')
  await project.closeRound(0)
  await project.revise(0, 'a', 'no')
  await project.remember('settings', { batch: 10 })
  await project.keepCertificate({ seal: 'sha256:1', text: '{}\n' })
  await project.event('import')
  await project.close()
  return path
}

/** Takes away what guards a table, and puts it back afterwards. */
function withoutTriggers(sqlite: Database.Database, work: () => void): void {
  const triggers = sqlite.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' ORDER BY rowid").all()
  for (const { name } of triggers as { name: string }[]) sqlite.exec(`DROP TRIGGER ${name}`)
  work()
  for (const { sql } of triggers as { sql: string }[]) sqlite.exec(sql)
}

/** What opening says after another program wrote to the file. */
async function openedAfter(sql: string): Promise<string> {
  const path = await settled()
  const sqlite = new Database(join(path, 'project.sqlite'))
  sqlite.pragma('foreign_keys = OFF')
  withoutTriggers(sqlite, () => sqlite.exec(sql))
  sqlite.close()
  return openProject(path).then(
    () => 'opened',
    ({ message }) => message.split('got ')[1],
  )
}

describe('a fact that was', () => {
  it.each([
    ['changed', "UPDATE answers SET label = 'no' WHERE seq = 1", /fact 3, answer 1, to "a" in round 0, is not as it was put on/],
    ['given to somebody else', "UPDATE answers SET annotator = 'bob' WHERE seq = 2", /answer 2, to "b" in round 0, is not as/],
    ['moved in time', "UPDATE closings SET time = 'then'", /the end of round 0, is not as it was/],
    ['redrawn', 'UPDATE draws SET probability = 0.2 WHERE position = 1', /fact 2, round 0, is not as it was/],
    ['changed by a sign', "UPDATE draws SET scores = '[0.5,0]' WHERE position = 1", /fact 2, round 0, is not as it was/],
    ['left out', 'DELETE FROM answers WHERE seq = 2', /fact 5, answer 3, .*stands where 2 was put|fact 4, answer 3/],
    ['left out at the end', 'DELETE FROM events', /fact \d+, event 1, is missing/],
    [
      'left out with its link',
      'DELETE FROM answers WHERE seq = 2; DELETE FROM chain WHERE seq = 4',
      /fact 4 is missing from the/,
    ],
    [
      'left out of the middle, and what follows numbered anew',
      'DELETE FROM answers WHERE seq = 2; DELETE FROM chain WHERE seq = 4; UPDATE chain SET seq = seq - 1 WHERE seq > 4',
      /fact 4, answer 3, to "b" in round 0, is not as it was/,
    ],
    ['added', "INSERT INTO events (kind, time) VALUES ('import', 'now')", /event 2 was added past the chain/],
    ['added as a draw', "INSERT INTO draws VALUES (0, 2, 'c', 3, 0.1, 1, 10, '[]', NULL)", /round 0, is not as it was/],
    [
      'added for no round',
      "INSERT INTO draws VALUES (5, 2, 'c', 3, 0.1, 1, 10, '[]', NULL)",
      /a draw of round 5, which is not there/,
    ],
    [
      'changed places',
      'UPDATE chain SET seq = 99 WHERE seq = 3; UPDATE chain SET seq = 3 WHERE seq = 4; UPDATE chain SET seq = 4 WHERE seq = 99',
      /fact 3, answer 1, to "a" in round 0, stands where 2 was/,
    ],
    ['hashed otherwise', "UPDATE chain SET hash = x'00' WHERE seq = 1", /fact 1, what the run is 1, is not as it was/],
    ['of an unknown kind', "UPDATE chain SET about = 'rumours' WHERE seq = 1", /fact 1, of no known kind, is missing/],
  ])('%s is named', async (_, sql, says) => {
    expect(await openedAfter(sql)).toMatch(says)
  })

  it('left alone is fine', async () => {
    expect(await openedAfter('VACUUM')).toBe('opened')
  })
})

it('leads on from where it was, through openings and groups, and past what was refused', async () => {
  const path = await settled()
  const before = await openProject(path, { mode: 'read' })
  const then = (await before.head())!
  await before.close()
  const project = await openProject(path)
  expect(await project.head()).toEqual(then)
  await Promise.allSettled([project.event('one'), project.answer(0, 'a', 'yes'), project.event('two')])
  expect((await project.head())!.facts).toBe(then.facts + 2)
  expect(await project.head({ answers: 1 })).toMatchObject({ facts: 3 })
  expect(await project.head({ answers: 99 })).toBeUndefined()
  expect(await project.events(then.facts)).toHaveLength(1)
  await project.close()
  await (await openProject(path)).close()
})

it('is SHA-256 of the hash before and of the fact as JSON, as the docs have it', () => {
  const sqlite = new Database(':memory:')
  migrate(sqlite)
  const chain = chainOn(sqlite)
  chain.put('events', { kind: 'export', detail: null, time: 'now' })
  const first = '["events",1,"export",null,"now"]'
  const sha = (before: Buffer, text: string) =>
    createHash('sha256')
      .update(Buffer.concat([before, Buffer.from(text)]))
      .digest()
  const one = sha(Buffer.alloc(32), first)
  expect(chain.head()!.hash).toBe(`sha256:${one.toString('hex')}`)
  chain.put('events', { kind: 'import', detail: '{}', time: 'later' })
  const two = sha(one, '["events",2,"import","{}","later"]')
  expect(chain.head()).toEqual({ facts: 2, hash: `sha256:${two.toString('hex')}` })
  expect(chain.fault()).toBeUndefined()
})

it('of an older project begins with what is found, and says so', () => {
  const sqlite = new Database(':memory:')
  migrate(sqlite, migrations.slice(0, 5))
  sqlite.exec("INSERT INTO events (kind, time) VALUES ('import', 'then'), ('export', 'then')")
  sqlite.exec("INSERT INTO facts (name, value, time) VALUES ('settings', '{}', 'then')")
  migrate(sqlite)
  const chain = chainOn(sqlite)
  expect(chain.fault()).toBeUndefined()
  expect(chain.head()!.facts).toBe(4)
  expect(sqlite.prepare('SELECT kind, detail FROM events ORDER BY seq DESC').get()).toEqual({
    kind: 'chained',
    detail: '{"found":3}',
  })
  sqlite.exec('DROP TRIGGER facts_update')
  sqlite.exec("UPDATE facts SET value = '[]'")
  expect(chain.fault()).toMatch(/what was noted of "settings" \(1\), is not as it was/)
})
