import { copyFileSync, existsSync, readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { AnswerPage, Exported, PredictionPage } from '../../src/protocol/data.ts'
import { type Files, type Inspection, inspectionSchema } from '../../src/protocol/start.ts'
import { freshDirectory } from '../endings.ts'
import { digits, startPage } from './page.ts'

describe('without a pool', () => {
  it('the page chooses one: files, what is understood of them, and go', async () => {
    const directory = freshDirectory()
    copyFileSync(digits, join(directory, 'digits.csv'))
    const page = await startPage({ directory, work: undefined })
    expect((await page.state()).project).toBeUndefined()
    expect(await page.call('GET', '/round')).toMatchObject({ status: 409, body: { code: 'no-project' } })
    const files = (await page.call<Files>('GET', '/files')).body
    expect(files).toMatchObject({ directory, pools: [{ path: 'digits.csv' }], projects: [] })

    const { body: seen } = await page.call<Inspection>('POST', '/inspections', { path: 'digits.csv', wishes: {} })
    expect(inspectionSchema.parse(seen)).toEqual(seen)
    expect(seen).toMatchObject({ rows: 1797, view: { kind: 'bitmap', width: 8, height: 8 }, project: 'digits.alis' })
    expect(seen.columns.find(({ name }) => name === 'digit')).toMatchObject({ looksLikeAnswers: true })
    expect(seen.classes.map(({ name, key }) => `${name}${key}`)).toEqual([
      '00',
      '11',
      '22',
      '33',
      '44',
      '55',
      '66',
      '77',
      '88',
      '99',
    ])
    expect(seen.samples[0]).toHaveLength(64)

    const wanted = {
      path: 'digits.csv',
      project: 'digits.alis',
      wishes: { label: 'digit' },
      classes: seen.classes,
      question: 'Which digit?',
      guidelines: 'Look.',
      plan: { strategy: 'alis', batch: 5, budget: 20 },
      start: 6,
      seed: 1,
    }
    const twice = { ...wanted, classes: [...seen.classes.slice(0, 2), { name: 'x', key: '1' }] }
    expect(await page.call('POST', '/project', twice)).toMatchObject({ status: 400, body: { code: 'bad-input' } })
    expect(existsSync(join(directory, 'digits.alis'))).toBe(false)
    const stream = await page.events()
    expect((await page.call('POST', '/project', wanted)).status).toBe(204)
    const { points } = await page.round()
    expect(points).toHaveLength(6)
    expect(points[0]!.content.fields).toEqual([])
    expect(await page.project()).toMatchObject({ question: 'Which digit?', guidelines: 'Look.', features: 317 }) // not the answers
    await expect.poll(() => stream.heard.length).toBeGreaterThan(0) // a page that was there from the start hears of it
    await stream.stop()
    expect(await page.call('POST', '/project', { project: 'digits.alis' })).toMatchObject({ status: 409 })
    expect(await page.call('POST', '/inspections', { path: 'digits.csv', wishes: {} })).toMatchObject({ status: 409 })
  })
})

it('what goes wrong is said on the page, and tried again when it has been put right', async () => {
  const directory = freshDirectory()
  copyFileSync(digits, join(directory, 'digits.csv'))
  const first = await startPage({ directory, work: undefined })
  await first.call('POST', '/project', {
    path: 'digits.csv',
    project: 'x.alis',
    wishes: {},
    classes: [
      { name: 'a', key: '1' },
      { name: 'b', key: '2' },
    ],
    question: '?',
    guidelines: '',
    plan: { strategy: 'alis', batch: 5, budget: 20 },
    start: 5,
  })
  const open = await first.round()
  await first.served.close()
  renameSync(join(directory, 'digits.csv'), join(directory, 'elsewhere.csv'))
  const page = await startPage({ directory, work: { project: 'x.alis', source: { kind: 'known' } } })
  const { phase } = await page.settled()
  expect(phase).toMatchObject({ kind: 'failed', failure: { code: 'bad-input', message: expect.stringContaining('digits.csv') } })
  expect(await page.call('GET', '/round')).toMatchObject({ status: 404, body: { code: 'no-round' } })
  renameSync(join(directory, 'elsewhere.csv'), join(directory, 'digits.csv'))
  expect((await page.call('POST', '/retry')).status).toBe(204)
  expect(await page.round()).toEqual(open)
})

describe('data', () => {
  it('lists answers and predictions, hides what waits for an answer, and exports', async () => {
    const page = await startPage()
    await page.answerRound()
    await page.answerRound()
    const open = await page.round()
    await page.answer(open.round, open.points[0]!.id, null)

    const { body: answers } = await page.call<AnswerPage>('GET', '/answers?limit=5')
    expect(answers).toMatchObject({ found: 21, of: 21 })
    expect(answers.rows).toHaveLength(5)
    const { body: predictions } = await page.call<PredictionPage>('GET', '/predictions?limit=200')
    expect(predictions).toMatchObject({ hidden: 9, after: 2, of: 1797 - 9, found: 1797 - 9 })
    const waiting = open.points[1]!.id
    expect((await page.call('GET', `/predictions?search=${waiting}`)).body).toMatchObject({ found: 0 })

    const { body: exported } = await page.call<Exported>('POST', '/exports', { format: 'csv' })
    expect(exported.files.map(({ file }) => file)).toEqual(
      expect.arrayContaining(['labels.csv', 'predictions.csv', 'model.json']),
    )
    const { body: labels } = await page.call<string>('GET', '/exports/labels.csv')
    expect(labels.trimEnd().split('\n')).toHaveLength(22)
    expect(readFileSync(join(page.served.projectHost.directory, exported.folder, 'labels.csv'), 'utf8')).toBe(labels)
    expect((await page.call('GET', '/exports/..%2fdigits.alis%2fproject.sqlite')).status).toBe(404)
  })
})
