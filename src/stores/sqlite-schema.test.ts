import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, describe, expect, it } from 'vitest'
import type { RoundOpening } from '../core/record.ts'
import { surveyor } from '../core/survey.ts'
import { openProject } from './sqlite.ts'
import { migrate, migrations, versionOf } from './sqlite-schema.ts'

const scratch = mkdtempSync(join(tmpdir(), 'alis-schema-'))
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

describe('migrations', () => {
  const steps = ['CREATE TABLE one (x)', 'ALTER TABLE one ADD COLUMN y', 'CREATE TABLE two (x)']

  it('bring an old file up to date, and do nothing to a new one', () => {
    const sqlite = new Database(':memory:')
    migrate(sqlite, steps.slice(0, 1))
    sqlite.exec('INSERT INTO one VALUES (1)')
    for (let again = 0; again < 2; again++) {
      migrate(sqlite, steps)
      expect(versionOf(sqlite)).toBe(3)
      expect(sqlite.prepare('SELECT * FROM one').all()).toEqual([{ x: 1, y: null }])
    }
  })

  it('give every answer of an older project its kind', () => {
    const sqlite = new Database(':memory:')
    migrate(sqlite, migrations.slice(0, 1))
    sqlite.exec("INSERT INTO rounds VALUES (0, 'learn/0', 'alis', 'successive', 1, 'm', '{}', 'then')")
    sqlite.exec("INSERT INTO answers (round, id, label, annotator, time) VALUES (0, 'a', 'yes', 'ada', 'then')")
    migrate(sqlite)
    expect(sqlite.prepare('SELECT id, label, kind FROM answers').all()).toEqual([{ id: 'a', label: 'yes', kind: 'answer' }])
    expect(() => sqlite.exec("UPDATE answers SET kind = 'revision'")).toThrow('append-only')
    expect(() =>
      sqlite.exec("INSERT INTO answers (round, id, annotator, time, kind) VALUES (0, 'a', 'x', 'now', 'lie')"),
    ).toThrow('CHECK')
  })

  it('are done all or not at all', () => {
    const sqlite = new Database(':memory:')
    migrate(sqlite, steps.slice(0, 1))
    expect(() => migrate(sqlite, [...steps, 'CREATE TABLE one (z)'])).toThrow('already exists')
    expect(versionOf(sqlite)).toBe(1)
    expect(sqlite.prepare('SELECT name FROM sqlite_schema').pluck().all()).toEqual(['one'])
  })
})

/** Rounds 0, 1, …, in each of which `a` was drawn. */
const opening = (round: number): RoundOpening => ({
  round,
  stream: `audit/${round}`,
  strategy: 'alis-audit',
  design: 'successive',
  size: 1,
  model: 'm',
  survey: surveyor(1).survey(),
  draws: [{ id: 'a', order: 1, probability: 0.1, mass: 1, remaining: 10, scores: [0.5] }],
})

/** A project as version 3 left it, without rules: two closed rounds and an open one, and answers revised before, between and after. */
function projectBeforeRules(): string {
  const path = join(scratch, 'old.alis')
  mkdirSync(path)
  const sqlite = new Database(join(path, 'project.sqlite'))
  sqlite.pragma('journal_mode = WAL')
  migrate(sqlite, migrations.slice(0, 3))
  const at = (minute: number) => `2026-01-01T12:0${minute}:00.000Z`
  const said = sqlite.prepare("INSERT INTO answers (round, id, label, annotator, time, kind) VALUES (?, 'a', ?, 'ada', ?, ?)")
  const open = (round: number, time: string) => {
    const insert = sqlite.prepare("INSERT INTO rounds VALUES (?, ?, 'alis-audit', 'successive', 1, 'm', ?, ?)")
    insert.run(round, `audit/${round}`, JSON.stringify(opening(round).survey), time)
    sqlite.prepare("INSERT INTO draws VALUES (?, 0, 'a', 1, 0.1, 1, 10, '[0.5]', NULL)").run(round)
    said.run(round, 'yes', time, 'answer')
  }
  const close = (round: number, time: string) => sqlite.prepare('INSERT INTO closings VALUES (?, ?)').run(round, time)
  open(0, at(1))
  close(0, at(2))
  said.run(0, 'no', at(3), 'revision')
  open(1, at(4))
  close(1, at(5))
  said.run(0, null, at(8), 'revision') // in the moment in which the third round was opened
  open(2, at(8))
  said.run(1, 'no', at(0), 'revision') // the clock was set back
  sqlite.close()
  return path
}

const expected = [
  {
    answers: new Map([['a', null]]),
    revisions: [
      { id: 'a', from: 'yes', to: 'no', opened: 1 },
      { id: 'a', from: 'no', to: null, opened: 2 },
    ],
    isClosed: true,
  },
  { answers: new Map([['a', 'no']]), revisions: [{ id: 'a', from: 'yes', to: 'no', opened: 3 }], isClosed: true },
  { answers: new Map([['a', 'yes']]), revisions: [], isClosed: false },
].map((facts, round) => ({ ...opening(round), ...facts }))

async function roundsAt(path: string) {
  const project = await openProject(path, { mode: 'read' })
  const rounds = await project.rounds()
  await project.close()
  return rounds
}

it('a project before rules can be read, which changes no file, and gone on with', async () => {
  const path = projectBeforeRules()
  const file = join(path, 'project.sqlite')
  const before = readFileSync(file)
  const rounds = await roundsAt(path)
  expect(rounds).toEqual(expected)
  expect(rounds.some((round) => 'rules' in round)).toBe(false)
  expect(readFileSync(file).equals(before)).toBe(true)

  const project = await openProject(path)
  expect(await project.rounds()).toEqual(expected)
  await project.closeRound(2)
  await project.openRound({ ...opening(3), rules: { isPlain: false } })
  await project.revise(0, 'a', 'yes')
  await project.close()
  const after = await roundsAt(path)
  expect(after.map(({ rules }) => rules)).toEqual([undefined, undefined, undefined, { isPlain: false }])
  expect(after[0]!.revisions.at(-1)).toEqual({ id: 'a', from: null, to: 'yes', opened: 4 })
})
