import { describe, expect, it } from 'vitest'
import { linearModel } from '../../core/model.ts'
import { stratumCodes } from '../../core/strata.ts'
import type { Engine } from '../../engines/engine.ts'
import { logistic } from '../../losses/logistic.ts'
import { axesOf } from '../../questions/frame.ts'
import type { AuditSubject } from '../../questions/subject.ts'
import { answeredPages, predictionPages, streamedPages } from './prediction-pages.ts'
import type { PredictionQuery } from './worker-protocol.ts'

const model = linearModel({ loss: 'logistic', classes: ['no', 'yes'], weights: [[1]], intercepts: [0] })
const ids = ['ada', 'bob', 'cyd', 'dan', 'eve']
const classOf = [1, 0, 1, 1, 0]

/** Five points whose classes a model predicts with a confidence of 0.9, in batches of two. */
function engineOf({ size = ids.length } = {}) {
  let passes = 0
  const engine = {
    size,
    async *predictions() {
      passes++
      for (let start = 0; start < ids.length; start += 2)
        yield ids.slice(start, start + 2).map((id, k) => {
          const label = classOf[start + k]!
          return { id, label, probabilities: label === 0 ? [0.9, 0.1] : [0.1, 0.9] }
        })
    },
    contents: async (wanted: readonly string[]) => wanted.map((id) => ({ id, fields: { name: id } })),
  } as unknown as Engine
  return { engine, passes: () => passes }
}

const display = { view: { kind: 'row' }, cells: [], full: 1, hidden: new Set<string>() } as const
const query: PredictionQuery = { model: model.id, search: '', offset: 0, limit: 10, answers: new Map(), hidden: [] }
const idsOf = ({ rows }: { rows: readonly { content: { id: string } }[] }) => rows.map(({ content }) => content.id)

describe.each([
  ['in memory', (engine: Engine) => predictionPages({ engine, loss: logistic, display }, { ids, rows: [0, 1, 2, 3, 4] })],
  ['streamed', (engine: Engine) => streamedPages({ engine, loss: logistic, display })],
] as const)('predictions %s', (_, pagesOf) => {
  const pages = pagesOf(engineOf().engine)

  it('say what the model says, how sure it is, and what people said instead', async () => {
    const answers = new Map([
      ['bob', 'yes'],
      ['cyd', null],
    ])
    const { rows } = await pages(model, { ...query, answers, limit: 3 })
    const content = (id: string) => ({ id, fields: [{ name: 'name', value: id }] })
    const sure = expect.closeTo(0.9, 6)
    expect(rows).toEqual([
      { content: content('ada'), prediction: 'yes', confidence: sure, source: 'model' },
      { content: content('bob'), prediction: 'yes', source: 'person' },
      { content: content('cyd'), prediction: 'yes', confidence: sure, source: 'model' }, // "cannot tell" says nothing
    ])
  })

  it('are given page by page', async () => {
    const first = await pages(model, { ...query, limit: 2 })
    expect([idsOf(first), first.found, first.of]).toEqual([['ada', 'bob'], 5, 5])
    expect(idsOf(await pages(model, { ...query, offset: 3, limit: 2 }))).toEqual(['dan', 'eve'])
    expect(idsOf(await pages(model, { ...query, offset: 5 }))).toEqual([])
  })

  it('of points that wait for an answer are hidden, also from a search', async () => {
    const page = await pages(model, { ...query, hidden: ['ada', 'dan'] })
    expect([idsOf(page), page.found, page.of]).toEqual([['bob', 'cyd', 'eve'], 3, 3])
    expect(await pages(model, { ...query, hidden: ['ada'], search: 'ada' })).toEqual({ rows: [], found: 0, of: 4 })
  })

  it('are found by id and by what is said, in any case', async () => {
    const page = await pages(model, { ...query, search: ' YES ', limit: 2 })
    expect([idsOf(page), page.found, page.of]).toEqual([['ada', 'cyd'], 3, 5])
    expect(idsOf(await pages(model, { ...query, search: 'Eve' }))).toEqual(['eve'])
    const answers = new Map([['eve', 'yes']])
    expect((await pages(model, { ...query, answers, search: 'yes' })).found).toBe(4)
  })
})

it('a pool in memory is read once for each model, and shown in the order of its file', async () => {
  const { engine, passes } = engineOf()
  const pages = predictionPages({ engine, loss: logistic, display }, { ids, rows: [4, 3, 2, 1, 0] })
  expect(idsOf(await pages(model, query))).toEqual(['eve', 'dan', 'cyd', 'bob', 'ada'])
  await pages(model, query)
  expect(passes()).toBe(1)
  await pages(linearModel({ ...model, intercepts: [1] }), query)
  expect(passes()).toBe(2)
})

it('a large pool that is not in memory is not searched', async () => {
  const pages = streamedPages({ engine: engineOf({ size: 1_000_001 }).engine, loss: logistic, display })
  await expect(pages(model, { ...query, search: 'a' })).rejects.toThrow('search: a pool of at most 1000000 points is required')
  expect((await pages(model, { ...query, limit: 2 })).found).toBe(1_000_001)
})

describe('predictions of an audit', () => {
  const frame = { classes: ['no', 'yes'], models: ['theirs'], slices: [] }
  const { code } = stratumCodes(axesOf(frame))
  const codeOf = (id: string) =>
    code({
      predicted: [classOf[ids.indexOf(id)]!],
      doubt: 0,
      runnerUp: frame.classes.length,
      share: 0,
      grade: 0,
      slices: [],
      arrival: 0,
    })
  const pool = { codesOf: async (wanted: readonly string[]) => wanted.map(codeOf) }
  const contents = async (wanted: readonly string[]) => wanted.map((id) => ({ id, fields: {} }))
  const pages = answeredPages({ pool, frame, model: 'sha256:0' } as unknown as AuditSubject, contents, display)

  it('are shown of answered points only, beside the answers', async () => {
    const answers = new Map([
      ['bob', 'yes'],
      ['cyd', null],
    ])
    expect(await pages({ ...query, answers })).toEqual({
      rows: [
        { content: { id: 'bob', fields: [] }, prediction: 'no', answer: 'yes', source: 'model' },
        { content: { id: 'cyd', fields: [] }, prediction: 'yes', answer: null, source: 'model' },
      ],
      found: 2,
      of: 2,
    })
    expect(idsOf(await pages({ ...query, answers, search: 'cyd' }))).toEqual(['cyd'])
    expect(await pages(query)).toEqual({ rows: [], found: 0, of: 0 })
  })
})
