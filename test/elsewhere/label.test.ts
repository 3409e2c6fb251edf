import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { keyed } from '../../src/text/class-keys.ts'
import { freshDirectory } from '../endings.ts'
import { type Page, startPage } from '../server/page.ts'
import { folder, inline, pool, program } from './small-pool.ts'

const truth = new Map(
  readFileSync(pool, 'utf8')
    .split('\n')
    .map((line) => line.split(','))
    .map(([id, , answer]) => [id, answer]),
)
async function answerAll(page: Page): Promise<void> {
  const { round, points } = await page.round()
  for (const { id, answer } of points) if (!answer) await page.answer(round, id, truth.get(id)!)
}

it('people answer about a model that a program fits; one that fails is said, and asked again when they want, or after a restart', async () => {
  const directory = freshDirectory()
  const broken = join(folder, 'broken')
  const fails = `if os.path.exists(${JSON.stringify(broken)}): os._exit(4)\n${inline}`
  const classes = ['no', 'yes']
  const beginning = {
    path: pool,
    wishes: { elsewhere: true, ignore: ['y', 'colour'] },
    classes,
    plan: { strategy: 'alis', batch: 6, budget: 60 },
    start: 6,
    loss: 'logistic' as const,
    l2: 1,
    seed: 5,
  }
  const labelling = { question: 'Yes?', guidelines: '', classes: keyed(classes) }
  const wish = { learnerCommand: program('labelled', fails) }
  const started = { directory, wish, work: { project: 'own.alis', source: { kind: 'new', beginning, labelling } } } as const
  const page = await startPage(started)
  await answerAll(page)
  const before = (await page.until(({ answers, phase }) => answers === 6 && phase.kind === 'asking')).model!.id

  writeFileSync(broken, '')
  await answerAll(page)
  const failed = await page.until(({ phase }) => phase.kind === 'failed')
  expect(failed).toMatchObject({
    answers: 12,
    phase: { failure: { code: 'learner-failed', message: 'command: a reply to fit 2 is required, got exit code 4' } },
  })
  rmSync(broken)
  await page.call('POST', '/retry')
  const after = (await page.until(({ phase }) => phase.kind === 'asking')).model!.id
  expect(after).not.toBe(before)

  writeFileSync(broken, '')
  await answerAll(page)
  await page.until(({ phase }) => phase.kind === 'failed')
  await page.served.close()
  rmSync(broken)
  const again = await startPage({ ...started, work: { project: 'own.alis', source: { kind: 'known' } } })
  const { answers, model } = await again.until(({ phase }) => phase.kind === 'asking')
  expect(answers).toBe(18)
  expect([before, after]).not.toContain(model!.id)
  expect((await again.call('POST', '/audit', { metric: 'error', tolerance: 0.2, level: 0.95 })).status).toBe(204)
  await again.until(({ phase }) => phase.kind === 'asking' && phase.purpose === 'audit')
})
