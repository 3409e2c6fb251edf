import { describe, expect, it } from 'vitest'
import { begunProject, opening, reopened } from '../../../test/server/fixture.ts'
import { answersInOrder, isComplete, openRecord, purposeOf } from './record.ts'

async function recordWith(ids: readonly string[]) {
  const project = await begunProject()
  const record = await openRecord(project)
  await record.open(opening(0, ids))
  return { project, record, round: record.rounds[0]! }
}

describe('answers', () => {
  it('are handed on in draw order, whatever order they came in', async () => {
    const { record, round } = await recordWith(['c', 'a', 'b'])
    for (const [id, label] of [
      ['b', 'yes'],
      ['a', null],
      ['c', 'no'],
    ] as const)
      await record.answer(0, id, label)
    expect([...round.answers.keys()]).toEqual(['b', 'a', 'c'])
    expect(answersInOrder(round)).toEqual([
      { id: 'c', label: 'no' },
      { id: 'a', label: null },
      { id: 'b', label: 'yes' },
    ])
  })

  it('are handed on up to the first that is missing', async () => {
    const { record, round } = await recordWith(['a', 'b', 'c', 'd'])
    expect(answersInOrder(round)).toEqual([])
    for (const id of ['d', 'a', 'b']) await record.answer(0, id, 'yes')
    expect(answersInOrder(round).map(({ id }) => id)).toEqual(['a', 'b'])
    expect(isComplete(round)).toBe(false)
    await record.answer(0, 'c', 'no')
    expect(answersInOrder(round).map(({ id }) => id)).toEqual(['a', 'b', 'c', 'd'])
    expect(isComplete(round)).toBe(true)
  })

  it('are in memory only once they are on disk', async () => {
    const { project, record, round } = await recordWith(['a'])
    const full = new Error('disk full')
    const { answer } = project
    project.answer = () => Promise.reject(full)
    await expect(record.answer(0, 'a', 'yes')).rejects.toBe(full)
    expect(round.answers.size).toBe(0)
    project.answer = answer
    await record.answer(0, 'a', 'yes')
    project.retract = () => Promise.reject(full)
    await expect(record.retract(0, 'a')).rejects.toBe(full)
    expect(round.answers.get('a')).toBe('yes')
  })

  it('are refused for a round that was not opened, a point that was not drawn, and a round that is closed', async () => {
    const { record } = await recordWith(['a'])
    await expect(record.answer(1, 'a', 'yes')).rejects.toMatchObject({ code: 'not-drawn' })
    await expect(record.answer(0, 'b', 'yes')).rejects.toMatchObject({ code: 'not-drawn' })
    await record.answer(0, 'a', 'yes')
    await record.close(0)
    await expect(record.answer(0, 'a', 'no')).rejects.toMatchObject({ code: 'round-closed' })
    await expect(record.retract(0, 'a')).rejects.toMatchObject({ code: 'round-closed' })
  })

  it('cannot change while their round is being closed', async () => {
    const { record } = await recordWith(['a'])
    const closing = record.close(0)
    await expect(record.answer(0, 'a', 'no')).rejects.toMatchObject({ code: 'round-closed' })
    await closing
  })
})

describe('a round', () => {
  it('is closed once, however many callers close it', async () => {
    const { project, record, round } = await recordWith(['a'])
    const { closeRound } = project
    let closed = 0
    project.closeRound = (number) => {
      closed++
      return closeRound(number)
    }
    await Promise.all([record.close(0), record.close(0)])
    await record.close(0)
    expect([closed, round.isClosed, round.closing]).toEqual([1, true, undefined])
  })

  it('stays open if it could not be closed, and can be closed later', async () => {
    const { project, record, round } = await recordWith(['a'])
    const { closeRound } = project
    project.closeRound = () => Promise.reject(new Error('disk full'))
    await expect(record.close(0)).rejects.toThrow('disk full')
    expect(round.isClosed).toBe(false)
    await record.answer(0, 'a', 'yes')
    project.closeRound = closeRound
    await record.close(0)
    expect(round.isClosed).toBe(true)
  })

  it('asks once about a point that was drawn twice', async () => {
    const { record, round } = await recordWith(['a', 'b', 'a'])
    expect([...round.ids]).toEqual(['a', 'b'])
    await record.answer(0, 'a', 'yes')
    await record.answer(0, 'b', 'yes')
    expect(isComplete(round)).toBe(true)
  })

  it('is one of an audit by its stream', async () => {
    const { round } = await recordWith(['a'])
    expect(purposeOf(round)).toBe('learn')
    expect(purposeOf({ ...round, stream: 'audit/3' })).toBe('audit')
  })

  it('is found again as it was, with what was revised', async () => {
    const { project, record } = await recordWith(['a', 'b', 'c'])
    for (const id of ['a', 'b', 'c']) await record.answer(0, id, 'yes')
    await record.retract(0, 'c')
    await record.close(0)
    await record.revise(0, 'b', 'no')
    expect(record.rounds[0]!.revised).toEqual(new Set(['b']))
    const again = await openRecord(await reopened(project))
    expect(again.rounds).toEqual(record.rounds)
    expect([...again.rounds[0]!.answers]).toEqual([
      ['a', 'yes'],
      ['b', 'no'],
    ])
  })
})
