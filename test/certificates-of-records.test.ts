// Certificates of one record as it goes on, and what the record says of them: another goal, batch or question never makes one that fails.
import { copyFileSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { identityOf } from '../src/core/hash.ts'
import type { Certificate } from '../src/questions/certificate.ts'
import { chainOn, linkAll } from '../src/stores/sqlite-chain.ts'
import { alisHere } from './in-process.ts'

const folder = mkdtempSync(join(tmpdir(), 'alis-records-'))
afterAll(() => rmSync(folder, { recursive: true }))
const pool = join(folder, 'pool.csv')
copyFileSync(join(import.meta.dirname, 'golden', 'certificates', 'pool.csv'), pool)
const columns = ['--prediction', 'label', '--confidence', 'p', '--truth', 'y']
const at = (name: string) => join(folder, name)

async function audited(name: string, project: string, ...more: string[]): Promise<Certificate> {
  const args = ['audit', pool, ...columns, '--project', at(project), '--certificate', at(name), '--quiet', ...more]
  const { code, stderr } = await alisHere(args)
  expect({ code, stderr }).toMatchObject({ stderr: '' })
  return JSON.parse(readFileSync(at(name), 'utf8'))
}

async function verified(name: string, ...where: string[]): Promise<string> {
  const { code, stdout, stderr } = await alisHere(['verify', at(name), ...where])
  return code === 0 ? stdout : stderr
}

describe('a record that goes on', () => {
  const steps: [string, ...string[]][] = [
    ['with a goal', '--tolerance', '0.25'],
    ['with the same goal again', '--tolerance', '0.25'],
    ['with another batch', '--tolerance', '0.2', '--batch', '7'],
    ['with a budget', '--budget', '37', '--batch', '11'],
    ['with a larger one and another question', '--budget', '60', '--metric', 'recall:dog'],
    ['with a smaller one', '--budget', '45', '--batch', '3'],
    ['with slices and a ceiling', '--below', '0.4', '--by', 'region', '--batch', '20'],
    ['with all at once', '--budget', '90', '--metric', 'error,f1:cat', '--together'],
  ]

  it('has a certificate that verifies at every step, and later ones leave it so', { timeout: 120_000 }, async () => {
    const befores: number[] = []
    for (const [k, [, ...options]] of steps.entries()) {
      const { conduct } = await audited(`${k}.json`, 'on.alis', '--seed', '5', ...options)
      befores.push(conduct!.before)
      expect(conduct!.people).toEqual([{ name: 'the column y', answers: expect.any(Number) }])
      expect(await verified(`${k}.json`, '--pool', pool)).toMatch(/^Verified/)
    }
    expect(befores).toEqual([0, 0, 1, 2, 3, 4, 5, 6]) // the second went on as the first had begun
    expect(readFileSync(at('1.json'), 'utf8')).toBe(readFileSync(at('0.json'), 'utf8'))
    for (const k of steps.keys()) expect(await verified(`${k}.json`, '--project', at('on.alis'))).toMatch(/^Verified/)
  })
})

it('what is said of who made the predictions is on the certificate, and nothing else is', async () => {
  const { madeBy } = await audited('made.json', 'made.alis', '--budget', '30', '--made-by', 'others')
  expect(madeBy).toBe('others')
  expect(await verified('made.json', '--pool', pool)).toContain('says that those who answered did not make the predictions')
  const { seal: _, signature: __, ...draft } = JSON.parse(readFileSync(at('made.json'), 'utf8'))
  const forged = { ...draft, madeBy: 'angels' }
  writeFileSync(at('made.json'), `${JSON.stringify({ ...forged, seal: identityOf(forged) }, null, 2)}\n`)
  expect(await verified('made.json', '--pool', pool)).toContain(
    'madeBy: one of those-who-answer, others is required, got "angels"',
  )
})

it('what looks like a mistake is pointed out before an answer is spent', async () => {
  const args = ['audit', pool, '--prediction', 'label', '--truth', 'region', '--budget', '5', '--quiet']
  expect((await alisHere(args)).stderr).toMatch(/^warning: --truth: region has no value in common with the predictions/)
})

describe('somebody forges', () => {
  beforeAll(() => audited('honest.json', 'honest.alis', '--budget', '40'))

  const honest = () => JSON.parse(readFileSync(at('honest.json'), 'utf8'))
  /** Sealed anew, and unsigned. */
  function forged(change: (draft: ReturnType<typeof honest>) => void): string {
    const { seal: _, signature: __, ...draft } = honest()
    change(draft)
    writeFileSync(at('forged.json'), `${JSON.stringify({ ...draft, seal: identityOf(draft) }, null, 2)}\n`)
    return 'forged.json'
  }
  /** A copy of the project, changed by another program that knows of triggers, and of the chain if it is linked anew. */
  function tampered(sql: string, isLinked: boolean): string {
    rmSync(at('tampered.alis'), { recursive: true, force: true })
    cpSync(at('honest.alis'), at('tampered.alis'), { recursive: true })
    const sqlite = new Database(join(at('tampered.alis'), 'project.sqlite'))
    const triggers = sqlite.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").all() as Record<
      string,
      string
    >[]
    for (const { name } of triggers) sqlite.exec(`DROP TRIGGER ${name}`)
    sqlite.exec(sql)
    if (isLinked) {
      sqlite.exec('DELETE FROM chain')
      linkAll(sqlite)
      expect(chainOn(sqlite).fault()).toBeUndefined()
    }
    for (const trigger of triggers) sqlite.exec(trigger.sql!)
    sqlite.close()
    return at('tampered.alis')
  }

  const others = "UPDATE answers SET label = CASE label WHEN 'cat' THEN 'dog' ELSE 'cat' END WHERE label IS NOT NULL"

  it('answers in a certificate', async () => {
    const name = forged(({ rounds }) => {
      const draw = rounds[0].draws.find((each: { answer: string | null }) => each.answer !== null)
      draw.answer = draw.answer === 'cat' ? 'dog' : 'cat'
    })
    expect(await verified(name, '--project', at('honest.alis'))).toMatch(/answers of the project are required.*nobody gave/)
  })

  it('answers in the record', async () => {
    const project = tampered(others, false)
    expect(await verified('honest.json', '--project', project)).toMatch(
      /fact \d+, answer 1, to .* is not as it was put on record/,
    )
    const { code, stderr } = await alisHere(['status', project, '--check'])
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(/fact \d+, answer 1, to .* is not as it was put/) })
  })

  it('answers in the record, and writes the chain anew', async () => {
    const project = tampered(others, true)
    expect(await verified('honest.json', '--project', project)).toMatch(/nobody gave/)
  })

  it('who answered, in the record with a new chain, or when', async () => {
    for (const sql of [
      "UPDATE answers SET annotator = 'somebody else'",
      "UPDATE answers SET time = '2020-01-01T00:00:00.000Z' WHERE seq = 1",
      "DELETE FROM events WHERE kind = 'audit'",
    ])
      expect(await verified('honest.json', '--project', tampered(sql, true))).toMatch(
        /certificate: conduct\.record\.\w+: must be/,
      )
  })

  it.each([
    [
      'who answered',
      ({ conduct }) => Object.assign(conduct.people[0], { name: 'Ada' }),
      'conduct.people.0.name: must be "the column y"',
    ],
    ['when it began', ({ conduct }) => Object.assign(conduct, { began: '2020-01-01T00:00:00.000Z' }), 'conduct.began: must be'],
    ['how many audits there were', ({ conduct }) => Object.assign(conduct, { before: 7 }), 'conduct.before: must be 0, got 7'],
    [
      'the head',
      ({ conduct }) => Object.assign(conduct.record, { head: `sha256:${'0'.repeat(64)}` }),
      'conduct.record.head: must',
    ],
    ['what it rests on', (draft) => Object.assign(draft.conduct, { record: null }), 'conduct.record: must be {'],
    ['that there is no record', (draft) => void delete draft.conduct, 'conduct: must be {'],
    ['versions of parts', ({ versions }) => Object.assign(versions, { bets: 2 }), 'version 1 of bets is required, got 2'],
    ['its format', (draft) => Object.assign(draft, { format: 2 }), 'conduct: must be absent'],
    ['a later format', (draft) => Object.assign(draft, { format: 4 }), 'a certificate of format 3 or older is required, got 4'],
  ] as [string, (draft: ReturnType<typeof honest>) => void, string][])('%s in a certificate', async (_, change, says) => {
    expect(await verified(forged(change), '--project', at('honest.alis'))).toContain(says)
  })

  it.each([
    ['people', ({ conduct }) => Object.assign(conduct.people[0], { answers: 400 }), 'conduct.people: at most 40 answers'],
    ['a time', ({ conduct }) => Object.assign(conduct, { ended: 'yesterday' }), 'conduct.ended: a time is required'],
    ['facts', ({ conduct }) => Object.assign(conduct.record, { facts: -1 }), 'conduct.record.facts: a number of facts'],
  ] as [string, (draft: ReturnType<typeof honest>) => void, string][])(
    '%s that cannot be, where no project is asked',
    async (_, change, says) => {
      expect(await verified(forged(change), '--pool', pool)).toContain(says)
    },
  )
})
