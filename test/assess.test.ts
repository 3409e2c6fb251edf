import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { jsonLines, root } from './command.ts'
import { alisHere } from './in-process.ts'

const folder = mkdtempSync(join(tmpdir(), 'alis-assess-'))
afterAll(() => rmSync(folder, { recursive: true }))

const run = (...args: string[]) => alisHere(args, { cwd: folder })
const resultOf = async (...args: string[]) => jsonLines((await run(...args, '--json')).stdout).at(-1)

interface Said {
  readonly id: string
  readonly prediction: string
  readonly confidence: string
}
let own: Said[] = []
let answered = new Set<string>()
const write = (name: string, rows: readonly object[]) =>
  writeFileSync(join(folder, name), rows.map((row) => `${JSON.stringify(row)}\n`).join(''))

beforeAll(async () => {
  copyFileSync(join(root, 'data/digits.csv'), join(folder, 'digits.csv'))
  const learning = [
    'run',
    'digits.csv',
    '--label',
    'digit',
    '--positive',
    '3',
    '--seed',
    '7',
    '--start',
    '20',
    '--batch',
    '20',
    '--learner',
    'linear',
  ]
  expect((await run(...learning, '--budget', '160', '--project', 'digits.alis')).code).toBe(0)
  expect((await run('export', 'digits.alis', '--only', 'labels,predictions', '--out', 'digits-export')).code).toBe(0)
  const rowsOf = (name: string) =>
    readFileSync(join(folder, 'digits-export', name), 'utf8').trim().split('\n').slice(1).map((line) => line.split(',')) // biome-ignore format: one line
  own = rowsOf('predictions.csv').map(([id, prediction, confidence]) => ({
    id: id!,
    prediction: prediction!,
    confidence: confidence!,
  }))
  answered = new Set(rowsOf('labels.csv').map(([id]) => id!))
})

it('says of the predictions of its own model what status says of the model', async () => {
  const { now } = await resultOf('status', 'digits.alis')
  const said = await resultOf('assess', 'digits.alis', 'digits-export/predictions.csv')
  expect(said).toMatchObject({
    type: 'result',
    project: join(folder, 'digits.alis'),
    predictions: 'digits-export/predictions.csv',
  })
  expect(said.now).toMatchObject({
    low: now.low,
    high: now.high,
    level: 0.95,
    answers: 160,
    points: 1637,
    expected: 'by themselves',
  })
  expect(said.now.value).toBeCloseTo(now.value, 6)
  const { code, stdout, stderr } = await run('assess', 'digits.alis', 'digits-export/predictions.csv')
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toMatch(
    /^predictions\.csv: wrong on about \d.* of the 1,637 points nobody has answered yet, surely between 0 % and \d\d %\.\n/,
  )
  expect(stdout).toContain('whichever model was chosen; from 160 answers.')
})

it('reads other files and columns, of the points without an answer alone if need be', async () => {
  const open = own.filter(({ id }) => !answered.has(id))
  write('theirs.jsonl', open.map(({ id, prediction }) => ({ point: id, says: prediction })).reverse()) // biome-ignore format: one line
  const { now } = await resultOf('assess', 'digits.alis', 'theirs.jsonl', '--prediction', 'says', '--id', 'point')
  const { now: before } = await resultOf('status', 'digits.alis')
  expect(now).toMatchObject({ low: before.low, high: before.high, expected: 'by the last model' })
})

it('is wide where predictions differ much from what is known', async () => {
  write('other.jsonl', own.map(({ id, prediction }) => ({ id, prediction: prediction === '3' ? 'not 3' : '3' }))) // biome-ignore format: one line
  const { now } = await resultOf('assess', 'digits.alis', 'other.jsonl')
  expect(now.differing).toBeGreaterThan(1600)
  expect([now.low, now.high]).toEqual([0, 1])
  expect(now.value).toBeGreaterThan(0.9)
})

it('refuses what it cannot use, and says why', async () => {
  const refused = async (message: string, ...args: string[]) => {
    const { code, stderr } = await run('assess', 'digits.alis', ...args)
    expect(stderr).toContain(message)
    expect(code).toBe(2)
  }
  await refused(
    'prediction: a column of the file is required, got "label"',
    'digits-export/predictions.csv',
    '--prediction',
    'label',
  )
  write('few.jsonl', own.slice(0, 1000))
  await refused('predictions: one for every point without an answer is required, got none for "d1', 'few.jsonl')
  write('strange.jsonl', [...own, { id: 'x1', prediction: '3', confidence: 1 }])
  await refused('predictions: one of a point of the pool is required, got one for "x1"', 'strange.jsonl')
  write('classes.jsonl', own.map((row) => ({ ...row, prediction: 'seven' }))) // biome-ignore format: one line
  await refused('predictions: one of not 3, 3 is required, got "seven"', 'classes.jsonl')
  write('twice.jsonl', [...own, own[0]!])
  await refused('predictions: one for each point is required, got two for', 'twice.jsonl')
  write('empty.jsonl', own.map((row, k) => (k === 5 ? { ...row, prediction: null } : row))) // biome-ignore format: one line
  await refused('prediction: every row needs a prediction, got none for "d0005"', 'empty.jsonl')
})

it('says that it is too early where no model has been tested', async () => {
  const begun = [
    'run',
    'digits.csv',
    '--label',
    'digit',
    '--positive',
    '3',
    '--seed',
    '7',
    '--budget',
    '10',
    '--project',
    'new.alis',
  ]
  await run(...begun)
  expect(await resultOf('assess', 'new.alis', 'digits-export/predictions.csv')).toMatchObject({ now: null, noNow: 'too early' })
})
