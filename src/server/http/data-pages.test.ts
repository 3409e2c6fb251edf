import { describe, expect, it } from 'vitest'
import { begunProject, learningRounds, loaded, opening, phaseOf, sessionOf } from '../../../test/server/fixture.ts'
import { linearModel } from '../../core/model.ts'
import type { PredictionQuery } from '../worker/worker-protocol.ts'
import { answerPage, predictionPage } from './data-pages.ts'

const page = 'page'
const all = { search: '', offset: 0, limit: 50 }
const model = linearModel({ loss: 'logistic', classes: ['no', 'yes'], weights: [[1, 0]], intercepts: [0] })

/** A session with a round of a and b that is closed, and one of c and d that has an answer to c. */
async function answered() {
  const asked: PredictionQuery[] = []
  const { session } = await sessionOf(await begunProject(), (parent) => ({
    ...learningRounds(['a', 'b'], ['c', 'd'])(parent),
    fields: async (ids) => ids.map((id) => ({ letter: id, sound: id === 'a' ? 'Aaah' : 'hm' })),
    async predictions(query) {
      asked.push(query)
      return { rows: [], found: 0, of: 0 }
    },
  }))
  await phaseOf(session, 'asking')
  await session.answer(0, 'b', { label: 'no', page })
  await session.answer(0, 'a', { label: 'yes', page })
  await expect.poll(() => session.view().phase).toMatchObject({ round: 1 })
  await session.answer(1, 'c', { label: null, page })
  return { session, asked }
}

describe('answers', () => {
  it('are listed from the newest on, each with its round, and with a weight once that is closed', async () => {
    const { session } = await answered()
    const { rows, found, of } = await answerPage(session, all)
    expect([found, of]).toEqual([3, 3])
    expect(rows.map(({ content, label }) => [content.id, label])).toEqual([
      ['c', null],
      ['a', 'yes'],
      ['b', 'no'],
    ])
    expect(rows[0]).toMatchObject({ round: 1, number: 2, purpose: 'learn', isOpen: true, order: 1, annotator: 'anonymous' })
    expect(rows[0]).not.toHaveProperty('weight')
    expect(rows[1]).toMatchObject({ round: 0, number: 1, isOpen: false, order: 1, probability: 0.1, weight: expect.any(Number) })
    expect(rows.map(({ isRevised }) => isRevised)).toEqual([false, false, false])
  })

  it('are given page by page, and found by id, label, person and what the point says', async () => {
    const { session } = await answered()
    const idsOf = async (search: string, offset = 0, limit = 50) =>
      (await answerPage(session, { search, offset, limit })).rows.map(({ content }) => content.id)
    expect(await idsOf('', 1, 1)).toEqual(['a'])
    expect(await idsOf('', 3)).toEqual([])
    expect(await idsOf('YES ')).toEqual(['a'])
    expect(await idsOf('cannot tell')).toEqual(['c'])
    expect(await idsOf('aaah')).toEqual(['a'])
    expect(await idsOf('anonymous')).toEqual(['c', 'a', 'b'])
    expect(await answerPage(session, { ...all, search: 'xyz' })).toEqual({ rows: [], found: 0, of: 3 })
  })

  it('that are asked for while the pool is being read come when it is there', async () => {
    const project = await begunProject()
    await project.openRound(opening(0, ['a']))
    await project.answer(0, 'a', 'yes')
    const reading = Promise.withResolvers<void>()
    const { session } = await sessionOf(project, (parent) => ({
      ...learningRounds(['a'])(parent),
      async load() {
        await reading.promise
        return loaded
      },
    }))
    const asked = answerPage(session, all)
    expect(await Promise.race([asked, new Promise((resolve) => setTimeout(resolve, 20))])).toBeUndefined()
    reading.resolve()
    expect(await asked).toMatchObject({ found: 1, rows: [{ label: 'yes' }] })
  })

  it('that were revised say so', async () => {
    const { session } = await answered()
    await session.answer(0, 'b', { label: 'yes', page, isRevision: true })
    const { rows } = await answerPage(session, all)
    expect(rows.find(({ content }) => content.id === 'b')).toMatchObject({ label: 'yes', isRevised: true })
  })
})

describe('predictions', () => {
  it('are those of the newest model, and say nothing of points that wait for an answer', async () => {
    const { session, asked } = await answered()
    expect(await predictionPage(session, all)).toEqual({ rows: [], found: 0, of: 0, hidden: 0, after: 0 })
    expect(asked).toEqual([])
    await session.project.keepModel(model, 0)
    const later = await sessionOf(session.project, (parent) => ({
      ...learningRounds()(parent),
      async predictions(query) {
        asked.push(query)
        return { rows: [], found: 7, of: 9 }
      },
    }))
    expect(await predictionPage(later.session, { ...all, search: 'x' })).toEqual({
      rows: [],
      found: 7,
      of: 9,
      hidden: 1,
      after: 1,
    })
    expect(asked).toEqual([
      {
        search: 'x',
        offset: 0,
        limit: 50,
        model: model.id,
        hidden: ['d'],
        answers: new Map([
          ['b', 'no'],
          ['a', 'yes'],
          ['c', null],
        ]),
      },
    ])
  })
})
