import { expect, it } from 'vitest'
import { begunProject, learningRounds, opening, phaseOf, reopened, sessionOf } from '../../../test/server/fixture.ts'
import { openRecord } from './record.ts'
import { openShownDraws } from './shown-draws.ts'

const ids = ['a', 'b', 'c', 'd', 'e', 'f']
const page = 'page'

it('is as far as pages say, and no less than what was answered', async () => {
  const project = await begunProject()
  await project.openRound(opening(0, ids))
  const record = await openRecord(project)
  const round = record.find(0)
  const shown = await openShownDraws(project, undefined)
  expect(shown.drawsOf(round)).toBe(0)
  shown.see(round, 'c')
  shown.see(round, 'b')
  expect(shown.drawsOf(round)).toBe(3)
  await record.answer(0, 'e', 'yes')
  expect(shown.drawsOf(round)).toBe(5)
})

it('is known after a restart: what answers do not tell is on record, and the next point counts as seen', async () => {
  const project = await begunProject()
  await project.openRound(opening(0, ids))
  await project.answer(0, 'a', 'yes')
  const drawsAfter = async () => {
    const { rounds } = await openRecord(project)
    return (await openShownDraws(project, rounds[0])).drawsOf(rounds[0]!)
  }
  expect(await drawsAfter()).toBe(2)
  const record = await openRecord(project)
  const shown = await openShownDraws(project, undefined)
  shown.see(record.find(0), 'b')
  expect(await project.recall('shown')).toBeUndefined()
  shown.see(record.find(0), 'e') // on another page, or put off
  await expect.poll(() => project.recall('shown')).toEqual({ round: 0, draws: 5 })
  expect(await drawsAfter()).toBe(5)
})

it('ends the open round where an audit begins: what nobody saw may be drawn again, what was seen may not', async () => {
  const project = await begunProject()
  await project.keepModel(
    (await import('../../core/model.ts')).linearModel({
      loss: 'logistic',
      classes: ['no', 'yes'],
      weights: [[1]],
      intercepts: [0],
    }),
    0,
  )
  const { session } = await sessionOf(project, (parent) => ({
    ...learningRounds(ids)(parent),
    audit: () => new Promise(() => {}),
  }))
  await phaseOf(session, 'asking')
  session.claim(0, { page, ids: ['a', 'b', 'c'], seen: 'a' })
  await session.answer(0, 'a', { label: 'no', page })
  session.claim(0, { page, ids: ['b', 'c', 'd'], seen: 'b' })
  await session.startAudit({ budget: 6, level: 0.95 })
  await session.close()
  const again = await reopened(project)
  const [round] = await again.rounds()
  expect(round).toMatchObject({ isClosed: true, size: 6 })
  expect(round!.draws.map(({ id }) => id)).toEqual(['a', 'b'])
  expect([...round!.answers]).toEqual([['a', 'no']])
})
