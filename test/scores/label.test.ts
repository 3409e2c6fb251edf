import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { PredictionPage } from '../../src/protocol/data.ts'
import { keyed } from '../../src/text/class-keys.ts'
import { freshDirectory } from '../endings.ts'
import { type Page, startPage } from '../server/page.ts'
import { scoredLines, scoredPoints } from './scored-pool.ts'

async function answerAll(page: Page): Promise<void> {
  const { round, points } = await page.round()
  for (const { id } of points) await page.answer(round, id, 'spam')
}

it('people answer about scores in a column, which they do not see, and which may be refreshed between rounds', async () => {
  const directory = freshDirectory()
  const path = join(directory, 'scored.jsonl')
  writeFileSync(path, scoredLines(scoredPoints(200)))
  const classes = ['ham', 'spam']
  const beginning = {
    path,
    wishes: { scores: ['p'] },
    classes,
    plan: { strategy: 'alis', batch: 4, budget: 60 },
    start: 4,
    loss: 'logistic' as const,
    l2: 1,
    seed: 7,
  }
  const labelling = { question: 'Spam?', guidelines: '', classes: keyed(classes) }
  const page = await startPage({ directory, work: { project: 'scored.alis', source: { kind: 'new', beginning, labelling } } })
  for (const { content } of (await page.round()).points) expect(content.fields.map(({ name }) => name)).toEqual(['body'])
  await answerAll(page)
  const before = (await page.until(({ answers, phase }) => answers === 4 && phase.kind === 'asking')).model!.id
  const predictions = await page.call<PredictionPage>('GET', '/predictions?offset=0&limit=10')
  expect(predictions.body.rows).toHaveLength(10)
  const p = new Map(scoredPoints(200).map((point) => [point.id, point.p]))
  for (const { content, confidence, source } of predictions.body.rows)
    if (source === 'model') expect(confidence).toBeCloseTo(Math.max(p.get(content.id)!, 1 - p.get(content.id)!), 5)

  writeFileSync(path, scoredLines(scoredPoints(200, 2)))
  await answerAll(page)
  const after = (await page.until(({ answers, phase }) => answers === 8 && phase.kind === 'asking')).model!.id
  expect(after).not.toBe(before)
  expect((await page.call('POST', '/audit', { metric: 'error', tolerance: 0.1, level: 0.95 })).status).toBe(204)
  await page.until(({ phase }) => phase.kind === 'asking' && phase.purpose === 'audit')
})
