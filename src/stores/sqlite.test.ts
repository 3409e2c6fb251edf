import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import type { PoolDraw } from '../core/draw.ts'
import { linearModel } from '../core/model.ts'
import type { RoundOpening, RunFacts } from '../core/record.ts'
import { surveyor } from '../core/survey.ts'
import type { Project } from './project.ts'
import { createProject, openProject } from './sqlite.ts'
import { commitsTo } from './sqlite-commits.ts'
import { projectError } from './sqlite-errors.ts'
import { describeStore } from './store.contract.ts'

const scratch = mkdtempSync(join(tmpdir(), 'alis-sqlite-'))
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

let made = 0
const fresh = () => join(scratch, `${++made}.alis`)

describeStore('sqlite', () => createProject(fresh()))

const run: RunFacts = { seed: 2 ** 53 - 1, seedChosen: false, classes: ['no', 'yes'], poolSize: 100 }

const opening = (round: number, draws: readonly Partial<PoolDraw>[] = [{ id: 'a' }, { id: 'b' }]): RoundOpening => ({
  round,
  stream: `learn/${round}`,
  strategy: 'alis',
  design: 'successive',
  size: draws.length,
  model: 'sha256:abc',
  survey: surveyor(1).survey([1, 2]),
  draws: draws.map((draw, k) => ({
    id: `p${k}`,
    order: k + 1,
    probability: 0.1,
    mass: 1,
    remaining: 10,
    scores: [0.5],
    ...draw,
  })),
})

/** A project with a closed round, an open one and a little of everything else, on disk and closed. */
async function settled(path = fresh()): Promise<string> {
  const project = await createProject(path)
  await project.begin(run)
  const many = Array.from({ length: 200 }, (_, i) => ({ id: `p${i}`, scores: [i / 7] }))
  await project.openRound(opening(0, many))
  await Promise.all(many.map(({ id }) => project.answer(0, id, 'yes')))
  await project.closeRound(0)
  await project.revise(0, 'p1', 'no')
  await project.openRound({ ...opening(1), rules: { isPlain: true } })
  await project.answer(1, 'a', null)
  await project.remember('settings', { batch: 10 })
  await project.keepModel(model, 1)
  await project.keepCertificate({ seal: 'sha256:1', text: '{}\n' })
  await project.event('import')
  await project.close()
  return path
}

const model = linearModel({ loss: 'logistic', classes: ['no', 'yes'], weights: [[0.1, -1 / 3]], intercepts: [5e-324] })

async function everything(project: Project) {
  const facts = { settings: await project.recall('settings'), events: await project.events() }
  const kept = { models: await project.models(), certificates: await project.certificates() }
  return { rounds: await project.rounds(), answers: await project.answers(), ...facts, ...kept }
}

async function recordAt(path: string) {
  const project = await openProject(path, { mode: 'read' })
  const record = await everything(project)
  await project.close()
  return record
}

describe('a project', () => {
  it('has the same record when it is opened again, to write or to read', async () => {
    const path = fresh()
    const project = await createProject(path)
    await project.begin(run)
    await project.openRound(opening(0))
    await project.answer(0, 'a', 'yes')
    const before = await everything(project)
    await project.close()
    expect(await recordAt(path)).toEqual(before)
    const again = await openProject(path)
    expect(again.path).toBe(path)
    await again.begin(run)
    await again.answer(0, 'b', 'no')
    expect([...(await again.rounds())[0]!.answers]).toEqual([
      ['a', 'yes'],
      ['b', 'no'],
    ])
    await again.close()
    await again.close() // once is enough, twice does no harm
  })

  it('gives every number back to the last bit', async () => {
    const path = fresh()
    const project = await createProject(path)
    let round = 0
    const number = fc.double({ noNaN: true })
    const positive = fc.double({ min: 5e-324, noNaN: true })
    const numbers = fc.record({
      probability: positive,
      mass: positive,
      remaining: positive,
      scores: fc.array(number, { maxLength: 4 }),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(numbers, { maxLength: 5 }), fc.array(number), async (draws, margins) => {
        const given = opening(round++, draws)
        const rules = { line: { slope: margins }, totals: margins.map((sum) => [{ sum }]) }
        const whole = { ...given, survey: { ...given.survey, margins, mass: margins[0] ?? -0 }, rules }
        await project.openRound(whole)
        await project.closeRound(whole.round)
        expect((await project.rounds()).at(-1)).toEqual({ ...whole, answers: new Map(), revisions: [], isClosed: true }) // −0 is not 0 here
      }),
      { numRuns: 40 },
    )
    await project.close()
  })

  it('keeps text as it is: any script, any sign, no half character', async () => {
    const project = await createProject(fresh())
    const texts = ['', ' ', '\0', 'a\0b', "it's", '"', '日本', '👩‍👩‍👧', '\u202e', '\r\n', 'é', 'e\u0301']
    await project.openRound(
      opening(
        0,
        texts.map((id) => ({ id })),
      ),
    )
    for (const text of texts) await project.answer(0, text, text, { annotator: text })
    expect((await project.answers()).map(({ id, label, annotator }) => [id, label, annotator])).toEqual(
      texts.map((t) => [t, t, t]),
    )
    await expect(project.answer(0, '', 'half \ud800')).rejects.toMatchObject({ code: 'bad-input' })
    await project.close()
  })

  it('says who gave which answer when, also those replaced, taken back and revised', async () => {
    let minute = 0
    const clock = () => new Date(Date.UTC(2026, 0, 1, 12, minute++))
    const project = await createProject(fresh(), { clock, annotator: 'ada' })
    await project.openRound(opening(0))
    await project.answer(0, 'a', 'yes')
    await project.answer(0, 'b', null, { annotator: 'bob' })
    await project.answer(0, 'a', 'no', {})
    await project.retract(0, 'b', { annotator: 'bob' })
    await project.closeRound(0)
    await project.revise(0, 'a', 'yes')
    const at = (minute: number) => `2026-01-01T12:0${minute}:00.000Z`
    expect(await project.answers()).toEqual([
      { round: 0, id: 'a', label: 'yes', kind: 'answer', annotator: 'ada', time: at(1) },
      { round: 0, id: 'b', label: null, kind: 'answer', annotator: 'bob', time: at(2) },
      { round: 0, id: 'a', label: 'no', kind: 'answer', annotator: 'ada', time: at(3) },
      { round: 0, id: 'b', label: null, kind: 'retraction', annotator: 'bob', time: at(4) },
      { round: 0, id: 'a', label: 'yes', kind: 'revision', annotator: 'ada', time: at(6) },
    ])
    expect([...(await project.rounds())[0]!.answers]).toEqual([['a', 'yes']])
    await project.close()
  })

  it('recalls the newest of each fact, and keeps models, certificates and events', async () => {
    const project = await createProject(fresh(), { clock: () => new Date(0) })
    const time = '1970-01-01T00:00:00.000Z'
    expect(await project.recall('pool')).toBeUndefined()
    await project.remember('pool', { hash: 'one' })
    await project.remember('columns', ['x'])
    await project.remember('pool', { hash: 'two' })
    expect(await project.recall('pool')).toEqual({ hash: 'two' })
    expect(await project.recall('columns')).toEqual(['x'])
    await expect(project.remember('pool', undefined)).rejects.toMatchObject({ code: 'bad-input' })
    await project.keepModel(model, 3)
    await project.keepModel(model, 4)
    expect(await project.models()).toEqual([{ model, round: 3, time }])
    await project.keepCertificate({ seal: 'sha256:1', text: '{"value": 1}\n' })
    await project.keepCertificate({ seal: 'sha256:1', text: 'something else' })
    expect(await project.certificates()).toEqual([{ seal: 'sha256:1', text: '{"value": 1}\n', time }])
    await project.event('import', { rows: 10 })
    await project.event('export')
    expect(await project.events()).toEqual([
      { kind: 'import', detail: { rows: 10 }, time },
      { kind: 'export', time },
    ])
    await project.close()
  })

  it('takes many answers at once, each for itself', async () => {
    const path = fresh()
    const project = await createProject(path)
    await project.openRound(opening(0))
    const results = await Promise.allSettled([
      project.answer(0, 'a', 'yes'),
      project.answer(0, 'z', 'yes'),
      project.answer(0, 'b', 'no'),
      project.closeRound(0),
      project.answer(0, 'a', 'no'),
    ])
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled', 'rejected'])
    const unawaited = project.openRound(opening(1))
    await project.close() // what was asked for before is done first
    await unawaited
    const { rounds, answers } = await recordAt(path)
    expect(answers.map(({ id, label }) => [id, label])).toEqual([
      ['a', 'yes'],
      ['b', 'no'],
    ])
    expect(rounds.map(({ isClosed }) => isClosed)).toEqual([true, false])
  })

  it('opened to read, refuses to write', async () => {
    const project = await openProject(await settled(), { mode: 'read' })
    for (const write of [project.answer(1, 'b', 'no'), project.closeRound(1), project.event('x'), project.grow(200)]) {
      await expect(write).rejects.toMatchObject({
        code: 'store-failed',
        message: expect.stringContaining('must be open to write'),
      })
    }
    await project.close()
  })
})

it('refuses to change or remove any row of any table, by whatever program', async () => {
  const sqlite = new Database(join(await settled(), 'project.sqlite'))
  const tables = sqlite.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all() as string[]
  expect(tables).toHaveLength(10)
  for (const table of tables) {
    const count = () => sqlite.prepare(`SELECT count(*) FROM ${table}`).pluck().get()
    const before = count()
    expect(before).toBeGreaterThan(0)
    const [column] = (sqlite.pragma(`table_info(${table})`) as { name: string }[]).slice(-1)
    expect(() => sqlite.exec(`UPDATE ${table} SET ${column!.name} = ${column!.name}`)).toThrow('is append-only')
    expect(() => sqlite.exec(`DELETE FROM ${table}`)).toThrow('is append-only')
    expect(() => sqlite.exec(`REPLACE INTO ${table} SELECT * FROM ${table}`)).toThrow('is append-only')
    expect(() =>
      sqlite.exec(
        `INSERT INTO ${table} SELECT * FROM ${table} WHERE true ON CONFLICT DO UPDATE SET ${column!.name} = ${column!.name}`,
      ),
    ).toThrow('is append-only')
    expect(count()).toBe(before)
  }
  sqlite.close()
})

describe('a path that is no project is refused:', () => {
  const bad = (work: Promise<unknown>, message: string) =>
    expect(work).rejects.toMatchObject({ code: 'bad-input', message: expect.stringContaining(message) })

  it('another ending', async () => {
    await bad(createProject(join(scratch, 'spam')), 'a name that ends in .alis is required')
    await bad(openProject(join(scratch, 'spam')), 'a name that ends in .alis is required')
  })

  it('nothing there, a file, or an empty directory', async () => {
    const [none, file, empty] = [fresh(), fresh(), fresh()]
    writeFileSync(file, '')
    mkdirSync(empty)
    for (const path of [none, file, empty]) await bad(openProject(path), 'a project is required')
    expect(existsSync(none)).toBe(false)
    await bad(createProject(file), 'a directory is required, got the file')
    await bad(createProject(join(none, 'deep.alis')), 'must be there')
    await (await createProject(empty)).close()
  })

  it('a name that is taken', async () => {
    const path = await settled()
    const before = await recordAt(path)
    await bad(createProject(path), 'a name that is not taken')
    const project = await openProject(path)
    await bad(createProject(path), 'a name that is not taken') // also while a writer is at work there
    await bad(project.backup(path), 'a name that is not taken')
    await project.close()
    expect(await recordAt(path)).toEqual(before)
  })

  it('another database', async () => {
    const path = fresh()
    mkdirSync(path)
    new Database(join(path, 'project.sqlite')).exec('CREATE TABLE other (x)').close()
    await bad(openProject(path), 'with another database in it')
  })

  it('one of a newer alis', async () => {
    const path = await settled()
    const sqlite = new Database(join(path, 'project.sqlite'))
    sqlite.pragma('user_version = 99')
    sqlite.close()
    for (const mode of ['read', 'write'] as const) await bad(openProject(path, { mode }), 'or older is required, got version 99')
  })
})

describe('a file that was damaged', () => {
  const refused = (path: string) =>
    expect(openProject(path)).rejects.toMatchObject({ code: 'store-failed', message: expect.stringContaining('must be whole') })

  it.each([0, 1, 99, 100, 4096, 5000, 20000])('cut after %i bytes is refused and left as it is', async (size) => {
    const file = join(await settled(), 'project.sqlite')
    truncateSync(file, size)
    const before = readFileSync(file)
    await refused(join(file, '..'))
    expect(readFileSync(file).equals(before)).toBe(true)
  })

  it('that is no database is refused', async () => {
    const path = await settled()
    writeFileSync(join(path, 'project.sqlite'), 'Dear diary,\n'.repeat(1000))
    await refused(path)
  })

  it('in the middle of a value names the fact', async () => {
    const path = await settled()
    const file = join(path, 'project.sqlite')
    const bytes = readFileSync(file)
    bytes.write('}', bytes.indexOf('{"batch":10}'))
    writeFileSync(file, bytes)
    await expect(openProject(path, { mode: 'read' })).rejects.toMatchObject({
      code: 'store-failed',
      message: expect.stringMatching(/fact \d+, what was noted of "settings" \(1\), is not as it was put on record/),
    })
  })

  it('on any of its pages is refused, or reads as it was', async () => {
    const path = await settled()
    const file = join(path, 'project.sqlite')
    copyFileSync(file, `${file}.whole`)
    const whole = readFileSync(`${file}.whole`)
    const before = await recordAt(path)
    let refusals = 0
    for (let page = 0; page * 4096 < whole.length; page++) {
      writeFileSync(file, Buffer.from(whole).fill(0xa5, page * 4096 + 8, (page + 1) * 4096))
      const outcome = await recordAt(path).catch((error) => error)
      if (!(outcome instanceof Error)) expect(outcome).toEqual(before)
      else {
        expect(outcome).toMatchObject({ code: expect.stringMatching(/store-failed|bad-input/) })
        refusals++
      }
    }
    expect(refusals).toBeGreaterThan((whole.length / 4096) * 0.8)
  })

  it('emptied beside a log that still has everything keeps the log', async () => {
    const path = fresh()
    const project = await createProject(path)
    await project.openRound(opening(0))
    const copy = fresh()
    mkdirSync(copy)
    copyFileSync(join(path, 'project.sqlite-wal'), join(copy, 'project.sqlite-wal'))
    writeFileSync(join(copy, 'project.sqlite'), '')
    const log = readFileSync(join(copy, 'project.sqlite-wal'))
    await refused(copy)
    expect(readFileSync(join(copy, 'project.sqlite-wal')).equals(log)).toBe(true)
    await project.close()
  })
})

it('when there is no room, rejects every write that waits and keeps what it had', async () => {
  const sqlite = new Database(join(scratch, 'full.sqlite'))
  sqlite.pragma('journal_mode = WAL')
  sqlite.exec('CREATE TABLE t (x)')
  const { commit } = commitsTo(sqlite)
  const insert = (bytes: number) => commit(() => void sqlite.prepare('INSERT INTO t VALUES (?)').run(Buffer.alloc(bytes)))
  await insert(10)
  sqlite.pragma('max_page_count = 10')
  const results = await Promise.allSettled([insert(10), insert(100_000), insert(10)])
  const told = results.map((result) => result.status === 'rejected' && projectError('x.alis', result.reason))
  const count = () => sqlite.prepare('SELECT count(*) FROM t').pluck().get()
  expect(count()).toBe(1 + told.filter((reason) => reason === false).length) // no caller is told otherwise than it is
  expect(told[1]).toMatchObject({
    code: 'store-failed',
    message: 'x.alis: there must be room on the disk, got a full one',
    cause: { code: 'SQLITE_FULL' },
  })
  sqlite.pragma('max_page_count = 1000')
  await insert(100_000)
  sqlite.close()
})
