import { describe, expect, it } from 'vitest'
import { begunProject, learningRounds, phaseOf, sessionOf } from '../../../test/server/fixture.ts'

const page = 'page'
const answered = async (...rounds: string[][]) => {
  const project = await begunProject()
  const opened = await sessionOf(project, learningRounds(...rounds))
  await phaseOf(opened.session, 'asking')
  return { project, ...opened }
}

describe('an answer', () => {
  it('that could not be written is not acknowledged, and is no part of the round', async () => {
    const { project, session, heard } = await answered(['a', 'b'])
    const { answer } = project
    project.answer = () => Promise.reject(new Error('disk full'))
    await expect(session.answer(0, 'a', { label: 'yes', page })).rejects.toThrow('disk full')
    expect(session.openRound().points[0]).not.toHaveProperty('answer')
    project.answer = answer
    await session.answer(0, 'a', { label: 'no', page })
    await expect.poll(() => heard.filter(({ type }) => type === 'answer')).toHaveLength(1)
  })

  it('is refused where it is no class, with what is one', async () => {
    const { session } = await answered(['a'])
    await expect(session.answer(0, 'a', { label: 'maybe', page })).rejects.toMatchObject({
      message: 'answer: one of no, yes or "cannot tell" is required, got "maybe"',
    })
    expect(session.view().answers).toBe(0)
  })

  it('means the same sent again after its round has closed, and another one is refused', async () => {
    const { project, session } = await answered(['a'])
    await session.answer(0, 'a', { label: 'yes', page })
    expect(await session.answer(0, 'a', { label: 'yes', page })).toEqual({ answered: 1, of: 1, isClosed: true })
    await expect(session.answer(0, 'a', { label: 'no', page })).rejects.toMatchObject({ code: 'round-closed' })
    expect(await project.answers()).toHaveLength(1)
  })

  it('of a closed round is revised as a new fact, and learning begins anew', async () => {
    const { project, session, started } = await answered(['a'])
    await session.answer(0, 'a', { label: 'yes', page })
    await phaseOf(session, 'done')
    await session.answer(0, 'a', { label: 'no', page, isRevision: true })
    await expect.poll(() => started[0]!.calls.filter((call) => call === 'learn')).toHaveLength(2)
    expect((await project.answers()).map(({ kind, label }) => [kind, label])).toEqual([
      ['answer', 'yes'],
      ['revision', 'no'],
    ])
  })

  it('has the name of who gave it, and whoever the command names where a page says nothing', async () => {
    const { project, session } = await answered(['a', 'b'])
    await session.answer(0, 'a', { label: 'yes', page, annotator: 'Ada' })
    await session.retract(0, 'a', page, 'Grace')
    await session.answer(0, 'a', { label: 'no', page })
    await session.answer(0, 'b', { label: 'no', page, annotator: 'Ada' })
    await session.answer(0, 'b', { label: 'yes', page, annotator: 'Grace', isRevision: true })
    const given = (await project.answers()).map(({ kind, annotator }) => [kind, annotator])
    expect(given).toEqual([
      ['answer', 'Ada'],
      ['retraction', 'Grace'],
      ['answer', 'anonymous'],
      ['answer', 'Ada'],
      ['revision', 'Grace'],
    ])
  })

  it('is taken back while its round is open, and pages hear of both', async () => {
    const { session, heard } = await answered(['a', 'b'])
    await session.answer(0, 'a', { label: 'yes', page })
    expect(await session.retract(0, 'a', page)).toEqual({ answered: 0, of: 2, isClosed: false })
    expect(session.openRound().points[0]).not.toHaveProperty('answer')
    await expect
      .poll(() => heard.filter(({ type }) => type === 'answer'))
      .toEqual([
        { type: 'answer', round: 0, id: 'a', label: 'yes', page },
        { type: 'answer', round: 0, id: 'a', page },
      ])
  })
})

describe('an open round', () => {
  it('is given in draw order, with what other pages hold', async () => {
    const { session } = await answered(['b', 'a', 'c'])
    expect(session.claim(0, { page: 'other', ids: ['a', 'elsewhere'] })).toEqual(['a'])
    expect(session.claim(7, { page: 'other', ids: ['b'] })).toEqual([]) // of a round that is not open
    const seen = (by?: string) => session.openRound(by).points.map(({ id, order, isElsewhere }) => [id, order, isElsewhere])
    expect(seen('page')).toEqual([
      ['b', 1, false],
      ['a', 2, true],
      ['c', 3, false],
    ])
    expect(seen('other').map(([, , isElsewhere]) => isElsewhere)).toEqual([false, false, false])
  })

  it('is free again of the claims of a page that has left', async () => {
    const { session, events, heard } = await answered(['a', 'b'])
    const leave = events.listen('other', () => {})
    session.claim(0, { page: 'other', ids: ['a'] })
    leave()
    await expect.poll(() => heard).toContainEqual({ type: 'claim', round: 0, page: 'other', ids: [] })
    expect(session.claim(0, { page: 'page', ids: ['a', 'b'] })).toEqual(['a', 'b'])
  })

  it('is not there before the worker has opened one', async () => {
    const { session } = await sessionOf(await begunProject())
    await phaseOf(session, 'done')
    expect(() => session.openRound()).toThrow(expect.objectContaining({ status: 404, code: 'no-round' }))
  })
})
