import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { closing } from '../src/core/closing.ts'
import { openToWrite } from '../src/projects/settings.ts'
import { jsonLines, root } from './command.ts'
import { alisHere } from './in-process.ts'

const digits = join(root, 'data/digits.csv')
const folder = mkdtempSync(join(tmpdir(), 'alis-certify-'))
const project = join(folder, 'digits.alis')
afterAll(() => rmSync(folder, { recursive: true }))

const run = (...args: string[]) => alisHere(args, { cwd: folder })
const learnUntil = (rounds: number) =>
  run(
    'run',
    digits,
    '--label',
    'digit',
    '--positive',
    '3',
    '--rounds',
    `${rounds}`,
    '--seed',
    '7',
    '--project',
    project,
    '--json',
  )

describe('certifying the model of a project', () => {
  let file = ''
  let text = ''
  beforeAll(async () => {
    expect((await learnUntil(4)).code).toBe(0)
    const { code, stdout } = await run('certify', project, '--tolerance', '0.04', '--json')
    expect(code).toBe(0)
    const result = jsonLines(stdout).at(-1)
    expect(result).toMatchObject({ type: 'result', metric: 'error', reached: true, pool: 1797 - 50 })
    expect(result.learned).toEqual({ answers: 10, keptBack: 0.5, calibrating: 40 }) // bets begin with the answers after the fortieth
    expect(result.questions).toMatchObject([{ learned: 10 }])
    file = result.certificate
    text = readFileSync(file, 'utf8')
  }, 60_000)

  const verify = (certificate: string) => run('verify', certificate, '--project', project, '--json')
  const verifyChanged = (change: (text: string) => string) => {
    const changed = join(folder, 'changed.json')
    expect(change(text)).not.toBe(text)
    writeFileSync(changed, change(text))
    return verify(changed)
  }

  it('is verified from the project, also after the model has moved on', async () => {
    expect((await verify(file)).stdout).toContain('"verified":true')
    const before = jsonLines((await learnUntil(4)).stdout).at(-1)
    const after = jsonLines((await learnUntil(6)).stdout).at(-1)
    expect(after.labels).toBe(50 + JSON.parse(text).answers + 20) // the answers of the audit count, and no point is asked about twice
    expect(after.model).not.toBe(before.model)
    expect((await verify(file)).stdout).toContain('"verified":true')
    expect(readdirSync(join(project, 'certificates')).length).toBe(2) // and a page for people
  }, 60_000)

  it.each<[string, (text: string) => string, RegExp]>([
    ['seed', (t) => t.replace('"seed": 7', '"seed": 8'), /seed: must be 7, got 8/],
    ['an answer', (t) => t.replace(/"answer": "not 3"/, '"answer": "3"'), /got "3" for "d\d+", which nobody gave/],
    [
      'a probability',
      (t) => t.replace(/("probability": 0\.\d{5})(\d)/, (_, a, d) => `${a}${(Number(d) + 1) % 10}`),
      /draws\.\d+\.probability/,
    ],
    ['a limit', (t) => t.replace(/"high": 0\.(\d)/, (_, d) => `"high": 0.${(Number(d) + 1) % 10}`), /high|claim/],
    [
      'the model',
      (t) => t.replace(/"model": "sha256:(.)/, (_, d) => `"model": "sha256:${d === '0' ? '1' : '0'}`),
      /model|rounds\.0/,
    ],
    ['the rounds before', (t) => t.replace(/"after": 5/, '"after": 4'), /after|pool|draws/],
    ['the pool', (t) => t.replace(/"hash": "sha256:(.)/, (_, d) => `"hash": "sha256:${d === '0' ? '1' : '0'}`), /pool\.hash/],
    ['an error of learning', (t) => t.replace(/"mostErrors": (\d)/, '"mostErrors": 1$1'), /learned\.rounds\.0\.mostErrors/],
    ['a difference of models', (t) => t.replace(/"differing": (\d)/, '"differing": 1$1'), /learned\.rounds\.0\.differing/],
    ['one of both on record', (t) => t.replace(/("evidence": \{[^}]*"differing": )(\d)/, '$11$2'), /rules\.learned\.evidence/],
    ['a point of learning', (t) => t.replace(/("points": \[\s*\{\s*"id": )"d\d+"/, '$1"d0"'), /learned\.points\.0\.id|never did/],
    [
      'how much was learned from',
      (t) => t.replace('"keptBack": 0.5,\n    "calibrating": 40', '"keptBack": 0.1,\n    "calibrating": 40'),
      /learned\.keptBack/,
    ],
  ])('does not follow once %s is changed', async (_, change, message) => {
    const { code, stderr } = await verifyChanged(change)
    expect(stderr).toMatch(message)
    expect(code).toBe(2)
  })

  it('certifies several metrics from one record, all at once, with a report; more can be asked afterwards', async () => {
    const asked = ['--metric', 'error,recall:3,kappa', '--together', '--budget', '60', '--report', 'report.html', '--json']
    const { questions, certificate, report } = jsonLines((await run('certify', project, ...asked)).stdout).at(-1)
    expect(questions.map(({ metric }: { metric: string }) => metric)).toEqual(['error', 'recall', 'kappa'])
    for (const { low, high, together } of questions) expect(together.low <= low && high <= together.high).toBe(true)
    expect(readFileSync(join(folder, report), 'utf8')).toContain('digits.alis')
    expect((await verify(certificate)).stdout).toContain('"verified":true')
    const later = jsonLines((await run('ask', project, '--metric', 'recall:3,precision:3', '--json')).stdout).at(-1)
    expect(later.questions.map((told: { asked: string }) => told.asked)).toEqual(['before', 'afterwards'])
    expect(later.questions[0]).toMatchObject({ low: questions[1].low, high: questions[1].high })
  }, 60_000)

  it('is void once an answer is revised that the model had learned from', async () => {
    expect((await verify(file)).code).toBe(0)
    await closing(openToWrite(project), async (open) => {
      const { round, answers } = (await open.rounds())[2]!
      const [id, label] = [...answers][0]!
      await open.revise(round, id, label === '3' ? 'not 3' : '3')
    })
    expect((await verify(file)).stderr).toContain('some that were revised since: it is void')
    expect(JSON.parse((await run('status', project, '--json')).stdout).void).toBe(2)
  }, 60_000)

  it('asks for the project, a model and somebody to ask, where they are missing', async () => {
    expect((await run('verify', file)).stderr).toMatch(/either --pool or --project is required, got none/)
    expect((await run('certify', join(folder, 'none.alis'))).code).toBe(2)
  })
})
