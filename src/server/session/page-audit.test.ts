import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { freshDirectory } from '../../../test/endings.ts'
import { beginSchema } from '../../protocol/start.ts'
import { workerThreads } from '../worker/start-worker.ts'
import { projectHost } from './project-host.ts'

const topics = ['billing', 'delivery', 'other']
const rows = Array.from({ length: 120 }, (_, k) => {
  const [gpt, bert] = [topics[k % 3], topics[(k + (k % 7 === 0 ? 1 : 0)) % 3]]
  return `m${k},text number ${k},${gpt},${(0.5 + (k % 50) / 100).toFixed(2)},${bert},${k % 2 ? 'app' : 'web'},${1 + (k % 5)}`
})

function hostIn(directory: string) {
  return projectHost({ directory, startWorker: workerThreads({}), log: () => {} })
}

const asked = (audit: object, classes = topics, more = {}) =>
  beginSchema.parse({
    path: 'mails.csv',
    project: 'mails.alis',
    audit,
    classes: classes.map((name, k) => ({ name, key: `${k + 1}` })),
    question: 'What is it about?',
    guidelines: '',
    seed: 3,
    ...more,
  })

it('is begun with every question that was chosen, answered without a hint, and gone on with by its project alone', async () => {
  const directory = freshDirectory()
  writeFileSync(join(directory, 'mails.csv'), `id,body,gpt,p,bert,channel,grade\n${rows.join('\n')}\n`)
  let host = hostIn(directory)
  const audit = {
    ...{ prediction: 'gpt', confidence: 'p', show: ['body'], by: ['channel'] },
    ...{ metric: ['error', 'recall'], eachClass: true, budget: 20, tolerance: 0.05 },
  }
  const { points, classes, prices } = await host.price('mails.csv', { level: 0.95, batch: 10, ...audit })
  expect([points, classes]).toEqual([120, topics])
  expect(prices.map(({ tolerance }) => tolerance)).toEqual([0.1, 0.05, 0.03])
  expect(prices.every(({ answers }) => answers > 0 && answers <= 120)).toBe(true)

  await host.begin(asked(audit))
  const asking = () => expect.poll(() => host.session()!.view().phase.kind, { timeout: 20_000 }).toBe('asking')
  await asking()
  const { question, purpose, view } = host.session()!.view()
  expect([question, purpose, view]).toEqual(['What is it about?', 'audit', { kind: 'text', column: 'body' }])
  const round = host.session()!.openRound()
  expect(round.points.length).toBe(10)
  for (const { content } of round.points) expect(content.fields.map(({ name }) => name)).toEqual(['body'])
  for (const { id } of round.points) await host.session()!.answer(round.round, id, { label: 'other', page: 'a' })
  await expect.poll(() => host.session()!.view().audit!.questions.length, { timeout: 20_000 }).toBeGreaterThan(0)
  const labels = host
    .session()!
    .view()
    .audit!.questions.map(({ label }) => label)
  expect(labels.length).toBe(4 * 3) // error and three recalls: of all, and in both channels
  expect(labels).toContain('recall of billing where channel = app')
  await asking()
  await host.close()

  host = hostIn(directory)
  await host.begin({ project: 'mails.alis' })
  await asking()
  expect(host.session()!.view()).toMatchObject({ answers: 10, question: 'What is it about?', audit: { goal: { budget: 20 } } })
  await host.close()
}, 60_000)

it.each([
  ['the best of several', { models: ['gpt', 'bert'], within: 0.05, budget: 20 }, topics],
  ['another column', { prediction: 'gpt', against: 'bert', alone: ['error'], budget: 20 }, topics],
  ['grades', { score: 'grade', range: [1, 5], budget: 20, show: ['body'] }, ['1', '2', '3', '4', '5']],
])(
  'asks about %s',
  async (_, audit, classes) => {
    const directory = freshDirectory()
    writeFileSync(join(directory, 'mails.csv'), `id,body,gpt,p,bert,channel,grade\n${rows.join('\n')}\n`)
    const host = hostIn(directory)
    await host.begin(asked(audit, classes))
    await expect.poll(() => host.session()!.view().phase.kind, { timeout: 20_000 }).toBe('asking')
    await host.close()
  },
  60_000,
)

it('that cannot be refuses before anything is written', async () => {
  const directory = freshDirectory()
  writeFileSync(join(directory, 'mails.csv'), `id,body,gpt,p,bert,channel,grade\n${rows.join('\n')}\n`)
  const host = hostIn(directory)
  await expect(host.begin(asked({ prediction: 'gpt', confidence: 'body' }))).rejects.toThrow('body')
  await expect(host.begin(asked({ prediction: 'gpt', show: ['gpt'] }))).rejects.toThrow('gives no answer away')
  await expect(host.begin({ project: 'mails.alis' })).rejects.toThrow('got nothing there')
  await host.close()
}, 60_000)
