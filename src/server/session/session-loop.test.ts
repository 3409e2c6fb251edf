import { describe, expect, it } from 'vitest'
import {
  askedError,
  auditOpening,
  begunProject,
  emptyProject,
  labelling,
  learningRounds,
  opening,
  outcomeOf,
  phaseOf,
  sessionOf,
  settings,
} from '../../../test/server/fixture.ts'
import { AlisError } from '../../core/errors.ts'
import { linearModel } from '../../core/model.ts'
import type { Answer } from '../../oracles/oracle.ts'
import type { AuditOptions } from '../../projects/certify.ts'
import type { LabellingPlan } from '../../protocol/project.ts'
import { question } from '../../questions/spec.ts'
import type { ParentMethods, WorkerMethods } from '../worker/worker-protocol.ts'

const page = 'page'
const model = linearModel({ loss: 'logistic', classes: ['no', 'yes'], weights: [[1, 0]], intercepts: [0] })
const certificate = outcomeOf(model.id, { p1: 'yes' })

/** One round of a, b and c, asked about again and again; what the worker got is pushed to `got`. */
const askingOf =
  (got: (readonly Answer[] | null)[], ids = ['a', 'b', 'c']) =>
  (parent: ParentMethods): Partial<WorkerMethods> => ({
    async learn() {
      if ((await parent.rounds()).length === 0) await parent.openRound(opening(0, ids))
      got.push(await parent.ask(ids))
      return got.at(-1) ? 'done' : 'cancelled'
    },
  })

describe('a round', () => {
  it('goes to the worker in draw order when all is answered, closed and on record', async () => {
    const project = await begunProject()
    const got: (readonly Answer[] | null)[] = []
    const { session } = await sessionOf(project, askingOf(got))
    await phaseOf(session, 'asking')
    expect(session.view().phase).toEqual({ kind: 'asking', purpose: 'learn', round: 0, number: 1, size: 3 })
    expect(await session.answer(0, 'c', { label: 'yes', page })).toEqual({ answered: 1, of: 3, isClosed: false })
    await session.answer(0, 'a', { label: 'no', page })
    expect(got).toEqual([])
    expect(await session.answer(0, 'b', { label: null, page })).toEqual({ answered: 3, of: 3, isClosed: true })
    await phaseOf(session, 'done')
    expect(got).toEqual([
      [
        { id: 'a', label: 'no' },
        { id: 'b', label: null },
        { id: 'c', label: 'yes' },
      ],
    ])
    expect((await project.rounds())[0]!.isClosed).toBe(true)
  })

  it('that a restart finds half answered is shown whole, and only what was asked about is handed on', async () => {
    const project = await begunProject()
    await project.openRound(opening(0, ['a', 'b', 'c']))
    await project.answer(0, 'b', 'yes')
    const got: (readonly Answer[] | null)[] = []
    const { session } = await sessionOf(project, (parent) => ({
      async learn() {
        got.push(await parent.ask(['a', 'c']))
        return 'done'
      },
    }))
    await phaseOf(session, 'asking')
    expect(session.openRound().points.map(({ id, answer }) => [id, answer?.label])).toEqual([
      ['a', undefined],
      ['b', 'yes'],
      ['c', undefined],
    ])
    for (const id of ['c', 'a']) await session.answer(0, id, { label: 'no', page })
    await phaseOf(session, 'done')
    expect(got).toEqual([
      [
        { id: 'a', label: 'no' },
        { id: 'c', label: 'no' },
      ],
    ])
  })

  it('is told to every page, with the steps on the way to it', async () => {
    const { session, heard } = await sessionOf(await begunProject(), (parent) => ({
      async learn(plan) {
        await parent.report({ kind: 'step', step: 'score' })
        await new Promise((resolve) => setTimeout(resolve, 50))
        return learningRounds(['a', 'b', 'c'])(parent).learn(plan)
      },
    }))
    await phaseOf(session, 'asking')
    await expect
      .poll(() => heard.flatMap((event) => (event.type === 'project' ? [event.project.phase] : [])))
      .toEqual(
        expect.arrayContaining([
          { kind: 'opening', purpose: 'learn', number: 1, step: 'score', answers: 0, points: 100, size: 3 },
          expect.objectContaining({ kind: 'asking', number: 1 }),
        ]),
      )
  })
})

describe('what goes wrong', () => {
  it('is said in the phase, and tried again when asked to', async () => {
    let tries = 0
    const { session, logged } = await sessionOf(await begunProject(), () => ({
      async learn() {
        if (tries++ === 0) throw new AlisError('engine-failed', 'pool: must be there, got nothing', 'Put it back.')
        return 'done'
      },
    }))
    await phaseOf(session, 'failed')
    const failure = { code: 'engine-failed', message: 'pool: must be there, got nothing', hint: 'Put it back.' }
    expect(session.view().phase).toEqual({ kind: 'failed', failure })
    expect(logged).toEqual([]) // people can see to it themselves
    await session.retry()
    await phaseOf(session, 'done')
    expect(tries).toBe(2)
    await session.retry() // nothing failed: nothing to try again
    expect(session.view().phase.kind).toBe('done')
  })

  it('is logged where it is a fault of ours, and pages learn no more than that', async () => {
    const fault = new TypeError('secret')
    const { session, logged } = await sessionOf(await begunProject(), () => ({
      async learn() {
        throw fault
      },
    }))
    await phaseOf(session, 'failed')
    expect(logged).toEqual([fault])
    expect(JSON.stringify(session.view().phase)).not.toContain('secret')
  })

  it('before the pool is ready fails those who wait for it', async () => {
    const missing = new AlisError('bad-input', 'pool: must be there, got nothing')
    const { session } = await sessionOf(await begunProject(), () => ({
      async load() {
        throw missing
      },
    }))
    await expect(session.ready).rejects.toBe(missing)
  })

  it('with a worker starts another, which loads the pool again', async () => {
    const { session, started, logged } = await sessionOf(await begunProject(), (parent) => ({
      async learn(plan) {
        if (started.length > 1) return learningRounds(['a'])(parent).learn(plan)
        started[0]!.die(new Error('out of memory'))
        throw new AlisError('engine-failed', 'worker: must stay alive, got its end')
      },
    }))
    await phaseOf(session, 'failed')
    await session.retry()
    await phaseOf(session, 'asking')
    expect(logged).toEqual([new Error('out of memory')])
    expect(started.map(({ calls }) => calls.slice(0, 2))).toEqual([
      ['load', 'learn'],
      ['load', 'learn'],
    ])
  })
})

describe('the pool', () => {
  it('of a new project is begun, and its labelling and plan go on record', async () => {
    const project = await emptyProject()
    const plan = { strategy: 'uniform', batch: 5, budget: 20 }
    const { path } = settings.pool
    const beginning = { path, wishes: {}, classes: ['no', 'yes'], plan, start: 3, loss: 'logistic', l2: 1 } as const
    const { session, started } = await sessionOf(project, undefined, { kind: 'new', beginning, labelling })
    await session.ready
    expect(started[0]!.calls[0]).toBe('begin')
    expect(await project.recall('labelling')).toEqual(labelling)
    expect(await project.recall('plan')).toEqual(plan)
  })

  it('of predictions is loaded, and their audit begins', async () => {
    const audit: AuditOptions = {
      questions: [question('error', { level: 0.9 })],
      goal: { budget: 9 },
      batch: 3,
      strategy: 'uniform',
      seed: 1,
      seedChosen: true,
    }
    const predicted = { path: '/pools/guesses.csv', reading: { prediction: 'guess' } }
    const audited: unknown[] = []
    const { session, started } = await sessionOf(
      await begunProject(),
      () => ({
        async audit(...args) {
          audited.push(args)
          return certificate
        },
      }),
      { kind: 'predictions', predicted, audit, labelling },
    )
    await phaseOf(session, 'done')
    expect(started[0]!.calls).toEqual(['loadPredictions', 'audit'])
    expect(audited).toEqual([['sha256:predictions', { ...audit, fromStart: true }]])
    expect(session.view()).toMatchObject({ purpose: 'audit', pool: 'guesses.csv', certificates: [{ seal: certificate.seal }] })
    await expect(session.leaveAudit()).rejects.toMatchObject({ status: 409 })
    await expect(session.replan({ strategy: 'alis', batch: 1, budget: 1 })).rejects.toMatchObject({ code: 'bad-input' })
  })
})

/** A learner that keeps its model after a first round, and an audit of rounds of two points. */
const auditable =
  (got: (readonly Answer[] | null)[], concluded = certificate) =>
  (parent: ParentMethods): Partial<WorkerMethods> => ({
    async learn(plan) {
      const rounds = await parent.rounds()
      if (rounds.length > 0) await parent.keepModel(model, 0)
      const open = rounds.find(({ stream, isClosed }) => stream.startsWith('audit/') && !isClosed)
      if (open) await parent.closeRound(open.round)
      return learningRounds(...rounds.map(() => []), ['a', 'b'])(parent).learn(plan)
    },
    async audit() {
      for (let audits = 0; audits < 2; audits++) {
        const before = await parent.rounds()
        const { length: round } = before
        const ids = [`p${round}`, `q${round}`, `r${round}`]
        await parent.openRound(auditOpening(before, ids, { model: model.id }))
        const answers = await parent.ask(ids)
        got.push(answers)
        if (!answers) return 'cancelled'
        await parent.closeRound(round)
        const step = { questions: [askedError], answered: 3 * audits + answers.length, isReached: false }
        await parent.report({ kind: 'audited', round: step })
        if (answers.length < 3) break
      }
      return concluded
    },
  })

async function auditing(got: (readonly Answer[] | null)[], more: (parent: ParentMethods) => Partial<WorkerMethods> = () => ({})) {
  const project = await begunProject()
  await project.keepModel(model, 0)
  const opened = await sessionOf(project, (parent) => ({ ...auditable(got)(parent), ...more(parent) }))
  await phaseOf(opened.session, 'asking')
  await opened.session.startAudit({ budget: 6, level: 0.95 })
  await expect.poll(() => opened.session.view().phase).toMatchObject({ kind: 'asking', purpose: 'audit', number: 1 })
  return { project, ...opened }
}

describe('an audit', () => {
  it('takes the place of the learning round, which is closed as it is', async () => {
    const { project, session } = await auditing([])
    const [learned, audited] = await project.rounds()
    expect([learned!.isClosed, audited!.isClosed]).toEqual([true, false])
    expect(session.view().audit).toMatchObject({ model: model.id, about: 'the model after round 1', answers: 0 })
    await expect(session.startAudit({ budget: 6, level: 0.95 })).rejects.toMatchObject({ status: 409, code: 'audit-open' })
  })

  it('that is finished gets what was answered in draw order, and ends in its certificate', async () => {
    const got: (readonly Answer[] | null)[] = []
    const { project, session } = await auditing(got)
    await expect(session.finishAudit()).rejects.toMatchObject({ code: 'no-answers' })
    for (const id of ['r1', 'p1']) await session.answer(1, id, { label: 'yes', page })
    expect(await session.finishAudit()).toBe(certificate.seal)
    expect(got).toEqual([[{ id: 'p1', label: 'yes' }]]) // r1 came before q1
    expect((await project.certificates()).map(({ seal }) => seal)).toEqual([certificate.seal])
    await expect.poll(() => session.view()).toMatchObject({ phase: { kind: 'done' }, isCertified: true }) // it stays as it is
    expect(session.view().audit).toBeUndefined()
    await session.learnOn()
    await expect.poll(() => session.view()).toMatchObject({ phase: { kind: 'asking', purpose: 'learn' } })
  })

  it('that is left goes on with learning, which closes its round', async () => {
    const got: (readonly Answer[] | null)[] = []
    const { project, session } = await auditing(got)
    await session.answer(1, 'p1', { label: 'yes', page })
    const closed: number[] = []
    const { closeRound } = project
    project.closeRound = async (round) => {
      closed.push(round, got.length)
      await closeRound(round)
    }
    await session.leaveAudit()
    await expect.poll(() => session.view().phase).toMatchObject({ kind: 'asking', purpose: 'learn' })
    expect(got).toEqual([null])
    expect(closed).toEqual([1, 1]) // not before the audit was told
    expect((await project.rounds()).map(({ isClosed }) => isClosed)).toEqual([true, true, false])
    expect(await project.recall('auditing')).toBeNull()
  })

  it('begins although the round that it takes the place of is only being opened', async () => {
    const project = await begunProject()
    await project.keepModel(model, 0)
    const got: (readonly Answer[] | null)[] = []
    const contents = Promise.withResolvers<void>()
    const { session, started } = await sessionOf(project, (parent) => ({
      ...auditable(got)(parent),
      async contents(ids) {
        if ((await parent.rounds()).length === 1) await contents.promise
        return ids.map((id) => ({ id, fields: [] }))
      },
    }))
    await expect.poll(() => started[0]?.calls).toContain('contents')
    await session.startAudit({ budget: 6, level: 0.95 })
    contents.resolve()
    await expect.poll(() => session.view().phase).toMatchObject({ kind: 'asking', purpose: 'audit' })
    expect((await project.rounds()).map(({ isClosed }) => isClosed)).toEqual([true, false])
  })

  it('begins although learning has just come to its end', async () => {
    const project = await begunProject()
    await project.keepModel(model, 0)
    const done = Promise.withResolvers<'done'>()
    const { session, started } = await sessionOf(project, (parent) => ({ ...auditable([])(parent), learn: () => done.promise }))
    await expect.poll(() => started[0]?.calls).toContain('learn')
    await session.startAudit({ budget: 6, level: 0.95 })
    done.resolve('done')
    await expect.poll(() => session.view().phase).toMatchObject({ kind: 'asking', purpose: 'audit' })
  })

  it('that is finished between two rounds asks about no other', async () => {
    const got: (readonly Answer[] | null)[] = []
    const contents = Promise.withResolvers<void>()
    const { session, started } = await auditing(got, (parent) => ({
      async contents(ids) {
        if ((await parent.rounds()).length === 3) await contents.promise
        return ids.map((id) => ({ id, fields: [] }))
      },
    }))
    for (const id of ['p1', 'q1', 'r1']) await session.answer(1, id, { label: 'yes', page })
    await expect.poll(() => started[0]!.calls.filter((call) => call === 'contents')).toHaveLength(3)
    const finished = session.finishAudit()
    contents.resolve()
    expect(await finished).toBe(certificate.seal)
    expect(got.map((answers) => answers?.length)).toEqual([3, 0])
  })

  it('begins anew from its record when one of its answers is revised, and asks for the rest again', async () => {
    const project = await begunProject()
    await project.keepModel(model, 0)
    const read: (string | null | undefined)[] = []
    const { session } = await sessionOf(project, (parent) => ({
      async audit() {
        const known = await parent.rounds()
        read.push(known[0]?.answers.get('a'))
        for (const ids of [['a'], ['b', 'c']]) {
          const before = await parent.rounds()
          const own = before.find(({ draws }) => draws[0]!.id === ids[0]) ?? auditOpening(before, ids, { model: model.id })
          if (!before.some(({ round }) => round === own.round)) await parent.openRound(own)
          const waiting = ids.filter((id) => !before[own.round]?.answers.has(id))
          if (waiting.length > 0 && !(await parent.ask(waiting))) return 'cancelled'
          await parent.report({ kind: 'audited', round: { questions: [askedError], answered: own.round + 1, isReached: false } })
        }
        return certificate
      },
    }))
    await phaseOf(session, 'done')
    await session.startAudit({ budget: 3, level: 0.95 })
    await phaseOf(session, 'asking')
    await session.answer(0, 'a', { label: 'yes', page })
    await expect.poll(() => session.view().phase).toMatchObject({ kind: 'asking', round: 1 })
    await session.answer(1, 'b', { label: 'no', page })
    expect(await session.answer(0, 'a', { label: 'no', page, isRevision: true })).toMatchObject({ isClosed: true })
    await expect.poll(() => read).toEqual([undefined, 'no'])
    await expect.poll(() => session.view().phase).toMatchObject({ kind: 'asking', purpose: 'audit', round: 1 })
    expect(session.view().audit).toMatchObject({ answers: 2, steps: [{ answers: 1 }] })
    expect(session.openRound().points.map(({ answer }) => answer?.label)).toEqual(['no', undefined])
    expect((await project.rounds())[1]!.isClosed).toBe(false)
    await session.answer(1, 'c', { label: 'no', page })
    await expect.poll(() => session.view().certificates.map(({ seal }) => seal)).toEqual([certificate.seal])
  })

  it('gives no certificate of an answer that was revised while it was written', async () => {
    const project = await begunProject()
    await project.keepModel(model, 0)
    const writing = Promise.withResolvers<void>()
    const [old, fresh] = [outcomeOf(model.id, { a: 'yes' }), outcomeOf(model.id, { a: 'no' })]
    let runs = 0
    const { session } = await sessionOf(project, (parent) => ({
      async audit() {
        const before = await parent.rounds()
        if (before.length === 0) {
          await parent.openRound(auditOpening(before, ['a'], { model: model.id }))
          await parent.ask(['a'])
        }
        if (++runs > 1) return fresh
        await writing.promise
        return old
      },
    }))
    await phaseOf(session, 'done')
    await session.startAudit({ budget: 1, level: 0.95 })
    await phaseOf(session, 'asking')
    await session.answer(0, 'a', { label: 'yes', page })
    await session.answer(0, 'a', { label: 'no', page, isRevision: true })
    writing.resolve()
    await expect.poll(() => session.view().certificates.map(({ seal }) => seal)).toEqual([fresh.seal])
    expect(session.view().certificates[0]!.isRevised).toBe(false)
  })

  it('of predictions is done again when an answer is revised after its end: the certificate is void', async () => {
    const [old, fresh] = [outcomeOf('sha256:predictions', { a: 'yes' }), outcomeOf('sha256:predictions', { a: 'no' })]
    const audit: AuditOptions = {
      questions: [question('error')],
      goal: { budget: 1 },
      batch: 1,
      strategy: 'uniform',
      seed: 1,
      seedChosen: true,
    }
    const predicted = { path: '/pools/guesses.csv', reading: { prediction: 'guess' } }
    const { session } = await sessionOf(
      await begunProject(),
      (parent) => ({
        async audit() {
          const before = await parent.rounds()
          if (before.length > 0) return fresh
          await parent.openRound(auditOpening(before, ['a'], { model: 'sha256:predictions' }))
          await parent.ask(['a'])
          return old
        },
      }),
      { kind: 'predictions', predicted, audit, labelling },
    )
    await phaseOf(session, 'asking')
    await session.answer(0, 'a', { label: 'yes', page })
    await phaseOf(session, 'done')
    await session.answer(0, 'a', { label: 'no', page, isRevision: true })
    await expect.poll(() => session.view().certificates.map(({ isRevised }) => isRevised)).toEqual([true, false])
    await phaseOf(session, 'done')
  })

  it('that fails fails those who wait for its certificate', async () => {
    const project = await begunProject()
    await project.keepModel(model, 0)
    const failed = new AlisError('store-failed', 'disk: room is required, got none')
    const { session } = await sessionOf(project, (parent) => ({
      async audit() {
        await parent.openRound(auditOpening([], ['a', 'b'], { model: model.id }))
        await parent.ask(['a', 'b'])
        throw failed
      },
    }))
    await phaseOf(session, 'done')
    await session.startAudit({ tolerance: 0.1, level: 0.95 })
    await phaseOf(session, 'asking')
    await session.answer(0, 'a', { label: 'yes', page })
    await expect(session.finishAudit()).rejects.toBe(failed)
    await phaseOf(session, 'failed')
  })
})

describe('a plan', () => {
  it('that is changed holds from the next round on, and brings a session back that was done', async () => {
    const plans: LabellingPlan[] = []
    const project = await begunProject()
    const { session } = await sessionOf(project, () => ({
      async learn(plan) {
        plans.push(plan)
        return 'done'
      },
    }))
    await phaseOf(session, 'done')
    const plan = { strategy: 'uniform', batch: 2, budget: 50 }
    await session.replan(plan)
    await expect.poll(() => plans.length).toBe(2)
    expect(plans[1]).toEqual(plan)
    await phaseOf(session, 'done')
    expect(session.view()).toMatchObject({ plan, strategy: { name: 'uniform' } })
    expect(session.view().nextPlan).toBeUndefined()
    expect(await project.recall('plan')).toEqual(plan)
  })

  it('that is changed while the last round is learned from is not forgotten', async () => {
    const plans: LabellingPlan[] = []
    const first = Promise.withResolvers<void>()
    const { session } = await sessionOf(await begunProject(), () => ({
      async learn(plan) {
        plans.push(plan)
        if (plans.length === 1) await first.promise
        return 'done'
      },
    }))
    await expect.poll(() => plans).toHaveLength(1)
    const plan = { strategy: 'uniform', batch: 2, budget: 50 }
    await session.replan(plan)
    first.resolve()
    await expect.poll(() => plans.slice(1)).toEqual([plan])
  })

  it('makes the job under way stale, and is shown beside the one that holds', async () => {
    const { session, started } = await sessionOf(await begunProject(), learningRounds(['a']))
    await phaseOf(session, 'asking')
    expect(await started[0]!.parent.isStale()).toBe(false)
    const plan = { strategy: 'uniform', batch: 2, budget: 50 }
    await session.replan(plan)
    expect(await started[0]!.parent.isStale()).toBe(true)
    expect(session.view()).toMatchObject({ nextPlan: plan, plan: { strategy: 'alis' } })
  })
})

it('what a model expects of an audit is computed while people answer, once for each model', async () => {
  const { session, started } = await sessionOf(await begunProject(), (parent) => ({
    async learn(plan) {
      await parent.keepModel(model, 0)
      return learningRounds(['a'], ['b'])(parent).learn(plan)
    },
  }))
  await phaseOf(session, 'asking')
  await expect.poll(() => session.view().forecast?.map(({ tolerance }) => tolerance)).toEqual([0.1, 0.05, 0.03, 0.02, 0.01])
  await session.answer(0, 'a', { label: 'yes', page })
  await expect.poll(() => session.view().phase).toMatchObject({ kind: 'asking', number: 2 })
  expect(started[0]!.calls.filter((call) => call === 'forecastInputs')).toHaveLength(1)
})

it('a session that is closed stops its worker and tells pages nothing more', async () => {
  const { session, started, heard } = await sessionOf(await begunProject(), learningRounds(['a']))
  await phaseOf(session, 'asking')
  await new Promise((resolve) => setTimeout(resolve, 60))
  const before = heard.length
  await session.close()
  await started[0]!.parent.report({ kind: 'loading', share: 0.5 })
  await new Promise((resolve) => setTimeout(resolve, 60))
  expect(started[0]!.isStopped).toBe(true)
  expect(heard).toHaveLength(before)
})
