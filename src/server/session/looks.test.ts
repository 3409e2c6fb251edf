import { describe, expect, it } from 'vitest'
import { begunProject, learningRounds, phaseOf, reopened, sessionOf } from '../../../test/server/fixture.ts'
import { linearModel } from '../../core/model.ts'
import { type Now, standOf } from '../../core/now.ts'
import { projectSchema } from '../../protocol/project.ts'
import type { Project } from '../../stores/project.ts'
import type { ParentMethods, WorkerMethods } from '../worker/worker-protocol.ts'

const page = 'page'
const model = linearModel({ loss: 'logistic', classes: ['no', 'yes'], weights: [[1, 0]], intercepts: [0] })
const now: Now = { value: 0.1, low: 0.02, high: 0.3, level: 0.95, answers: 120, over: 'unanswered', points: 97 }

/** Puts a look at the newest model on record, of the closed rounds, as the loop does. */
async function look(parent: Pick<ParentMethods, 'rounds' | 'keepLook'>, said: Now | null = now): Promise<void> {
  await parent.keepLook({ ...standOf(await parent.rounds(), { model: model.id, poolSize: 100 }), now: said })
}

/** Two rounds; after the first there is a model, and a look at it where `looks`. */
const learning =
  (looks: boolean, asked: () => Promise<Now | null> = async () => now) =>
  (parent: ParentMethods): Partial<WorkerMethods> => ({
    async learn(plan) {
      if ((await parent.rounds()).length === 0) {
        await learningRounds(['a', 'b'])(parent).learn(plan)
        await parent.keepModel(model, 0)
        if (looks) await look(parent)
      }
      return learningRounds([], ['c', 'd'])(parent).learn(plan)
    },
    async look() {
      await look(parent, await asked())
    },
  })

/** A session whose first round is answered. */
async function begun(scripts: (parent: ParentMethods) => Partial<WorkerMethods>, project?: Project) {
  const opened = await sessionOf(project ?? (await begunProject()), scripts)
  await phaseOf(opened.session, 'asking')
  for (const id of ['a', 'b']) await opened.session.answer(0, id, { label: 'yes', page })
  await expect.poll(() => opened.session.view().phase).toMatchObject({ kind: 'asking', round: 1 })
  return opened
}

const looksOf = ({ calls }: { readonly calls: readonly string[] }) => calls.filter((call) => call === 'look').length

describe('a look at the model after a round', () => {
  it('is on record, told to pages, and shown at once by a session that starts later', async () => {
    const project = await begunProject()
    const { session, heard, started } = await begun(learning(true), project)
    const told = {
      model: model.id,
      after: 1,
      answers: 2,
      value: 0.1,
      low: 0.02,
      high: 0.3,
      level: 0.95,
      counted: 120,
      points: 97,
      isRevised: false,
    }
    expect(session.view().now).toMatchObject({ looks: [told], isBehind: false })
    expect(projectSchema.parse(session.view())).toEqual(session.view())
    await expect.poll(() => heard.some((event) => event.type === 'project' && event.project.now?.looks.length === 1)).toBe(true)
    expect(looksOf(started[0]!)).toBe(0)
    await session.close()
    const never = new Promise<never>(() => {})
    const later = await sessionOf(await reopened(project), () => ({ load: () => never }))
    expect(later.session.view().now!.looks).toEqual([told])
  })

  it('says which goals are reached, and guesses at the others', async () => {
    const { session } = await begun(learning(true))
    const goals = session.view().now!.goals
    expect(goals.map(({ tolerance, isReached }) => [tolerance, isReached])).toEqual([
      [0.1, false],
      [0.05, false],
      [0.03, false],
    ])
    for (const { more } of goals) expect(more!.low).toBeLessThan(more!.high)
    await session.close()
    const narrow = { ...now, low: 0.06, high: 0.16 }
    const reached = await begun(learning(false, async () => narrow))
    await expect.poll(() => reached.session.view().now!.goals.map(({ isReached }) => isReached)).toEqual([true, true, false])
  })

  it('is no goal reached, and nothing to guess by, where it is too early for a guarantee', async () => {
    const { session } = await begun(learning(false, async () => ({ ...now, answers: 90, low: 0.1, high: 0.11 })))
    await expect.poll(() => session.view().now!.looks).toHaveLength(1)
    expect(session.view().now!.goals.every(({ isReached, more }) => !isReached && !more)).toBe(true)
  })
})

describe('what is not on record', () => {
  it('is looked at while people are asked', async () => {
    const { session, started } = await begun(learning(false))
    await expect.poll(() => session.view().now).toMatchObject({ looks: [{ answers: 2 }], isBehind: false })
    expect(looksOf(started[0]!)).toBe(1)
  })

  it('is looked at once where nothing can be said', async () => {
    const { session, started } = await begun(learning(false, async () => null))
    await expect.poll(() => session.view().now!.isBehind).toBe(false)
    await session.answer(1, 'c', { label: 'yes', page })
    await session.answer(1, 'd', { label: 'yes', page })
    await phaseOf(session, 'done')
    expect(session.view().now!.looks).toEqual([])
    expect(looksOf(started[0]!)).toBe(1)
  })

  it('and cannot be looked at is logged, and labelling goes on', async () => {
    const { session, logged } = await begun(
      learning(false, async () => {
        throw new Error('pool is gone')
      }),
    )
    await expect.poll(() => logged).toHaveLength(1)
    await session.answer(1, 'c', { label: 'yes', page })
    expect(session.view().now).toMatchObject({ looks: [], isBehind: true })
  })
})

describe('an answer that is revised', () => {
  it('has the model looked at again, and nobody waits for it', async () => {
    const looking = Promise.withResolvers<Now>()
    const { session, started } = await begun(learning(true, () => looking.promise))
    await session.answer(0, 'a', { label: 'no', page, isRevision: true })
    expect(session.view().now).toMatchObject({ looks: [{ high: 0.3, isRevised: true }], isBehind: true })
    expect(looksOf(started[0]!)).toBe(1)
    await session.answer(1, 'c', { label: 'no', page }) // acknowledged, though the look is under way
    looking.resolve({ ...now, high: 0.4 })
    await expect.poll(() => session.view().now).toMatchObject({ looks: [{ high: 0.4, isRevised: false }], isBehind: false }) // in its place
  })

  it('while one is under way is not forgotten', async () => {
    const first = Promise.withResolvers<Now>()
    const asked: Promise<Now>[] = [first.promise, Promise.resolve({ ...now, high: 0.5 })]
    const { session, started } = await begun(learning(true, () => asked.shift()!))
    await session.answer(0, 'a', { label: 'no', page, isRevision: true })
    const before = (await session.project.rounds()).map(({ revisions }) => revisions.length)
    await session.answer(0, 'b', { label: 'no', page, isRevision: true })
    first.resolve({ ...now, high: 0.4 })
    await expect.poll(() => session.view().now).toMatchObject({ isBehind: false })
    expect(before).toEqual([1, 0])
    expect(session.view().now!.looks.at(-1)).toMatchObject({ isRevised: false })
    expect(looksOf(started[0]!)).toBeLessThanOrEqual(2)
  })

  it('is no part of looks at rounds before its own', async () => {
    const { session } = await begun(learning(true))
    for (const id of ['c', 'd']) await session.answer(1, id, { label: 'yes', page })
    await phaseOf(session, 'done')
    await session.answer(1, 'c', { label: 'no', page, isRevision: true })
    expect(session.view().now!.looks[0]!.isRevised).toBe(false)
  })
})
