import { describe, expect, it } from 'vitest'
import { askedError, auditOpening, begunProject, outcomeOf, reopened, settings } from '../../../test/server/fixture.ts'
import type { AuditOptions } from '../../projects/certify.ts'
import { question } from '../../questions/spec.ts'
import type { Project } from '../../stores/project.ts'
import type { AuditStep } from '../worker/worker-protocol.ts'
import { openAudits } from './audits.ts'
import { openCertificates } from './certificates.ts'
import { openRecord } from './record.ts'

const model = { id: 'sha256:m', round: 4 }
const goal = { tolerance: 0.05, level: 0.9 }

async function auditsOf(project: Project, predictions?: { path: string; options: AuditOptions }) {
  const record = await openRecord(project)
  const certificates = await openCertificates({ project, name: 'letters.alis', record })
  return {
    project,
    record,
    certificates,
    audits: await openAudits({ project, record, certificates, predictions }),
  }
}

async function started() {
  const all = await auditsOf(await begunProject())
  await all.audits.start(model, goal, settings)
  await all.record.open(auditOpening([], ['a', 'b']))
  return all
}

const step = (answered: number, more: Partial<AuditStep> = {}): AuditStep => ({
  questions: [askedError],
  answered,
  isReached: false,
  ...more,
})

describe('an audit', () => {
  it('is of one model, to one goal, with the seed of the project', async () => {
    const { audits } = await started()
    expect(audits.current()).toEqual({
      model: 'sha256:m',
      about: 'the model after round 5',
      options: {
        questions: [question('error', { level: 0.9 })],
        goal: { tolerance: 0.05 },
        batch: 10,
        strategy: 'alis-audit',
        seed: 7,
        seedChosen: true,
      },
    })
    await expect(audits.start(model, goal, settings)).rejects.toMatchObject({ code: 'audit-open' })
  })

  it('needs a goal', async () => {
    const { audits } = await auditsOf(await begunProject())
    await expect(audits.start(model, { level: 0.9, below: undefined }, settings)).rejects.toMatchObject({ code: 'bad-input' })
    expect(audits.current()).toBeUndefined()
  })

  it('goes on in the batches of an earlier one of the same model, also if an answer of that was revised', async () => {
    const { audits, record } = await auditsOf(await begunProject())
    await record.open(auditOpening([], ['a', 'b', 'c', 'd']))
    await record.answer(0, 'a', 'yes')
    await record.close(0)
    await record.revise(0, 'a', 'no')
    await audits.start(model, goal, settings)
    expect(audits.batch()).toBe(4)
    await audits.leave()
    await audits.start({ ...model, id: 'sha256:other' }, goal, settings)
    expect(audits.batch()).toBe(10)
  })

  it('rests on its own rounds, also those before points were added, and on what came between them', async () => {
    const { audits, record } = await auditsOf(await begunProject())
    await record.open({ ...auditOpening([], ['w']), model: 'sha256:other' })
    await record.close(0)
    await audits.start(model, goal, settings)
    expect(audits.restsOn(record.rounds[0]!)).toBe(false)
    const small = auditOpening(record.rounds, ['x'])
    await record.open({ ...small, survey: { ...small.survey, points: 50 } })
    await record.close(1)
    await record.open(auditOpening(record.rounds, ['a', 'b']))
    expect(audits.rounds().map(({ round }) => round)).toEqual([1, 2])
    expect(record.rounds.map((round) => audits.restsOn(round))).toEqual([false, true, true])
    await audits.leave()
    expect(audits.restsOn(record.rounds[1]!)).toBe(false)
  })

  it('is shown with its answers, its steps and what it says of every question', async () => {
    const { audits, record } = await started()
    await record.answer(0, 'b', null)
    await record.answer(0, 'a', 'yes')
    const forecast = { answers: 40, low: 30, high: 60 }
    audits.addStep(step(2))
    audits.addStep(step(2, { questions: [{ ...askedError, forecast }] }))
    const recall = { ...askedError, question: question('recall', { positive: 'yes', level: 0.9 }), isReached: true }
    audits.addStep(step(4, { questions: [askedError, recall] }))
    const { question: _, plan, isRegistered, ...said } = askedError
    expect(audits.view()).toEqual({
      metric: 'error',
      model: 'sha256:m',
      about: 'the model after round 5',
      goal,
      answers: 2,
      unknown: 1,
      steps: [
        { value: 0.2, low: 0.1, high: 0.4, answers: 2 },
        { value: 0.2, low: 0.1, high: 0.4, answers: 4 },
      ],
      isReached: false,
      questions: [
        { label: 'error', metric: 'error', ...said },
        { label: 'recall of yes', metric: 'recall', positive: 'yes', ...said, isReached: true },
      ],
    })
    audits.addStep(step(6, { questions: [{ ...askedError, forecast }], isReached: true }))
    expect(audits.view()).toMatchObject({ forecast, questions: [{ forecast }], isReached: true })
    audits.restart()
    expect(audits.view()).toMatchObject({ steps: [], questions: [], answers: 2, isReached: false })
  })

  it('has no interval where there is nothing to divide by', async () => {
    const { audits } = await started()
    const nothing = { ...askedError, state: 'undefined', value: null, low: null, high: null } as const
    audits.addStep(step(4, { questions: [nothing], isReached: true }))
    expect(audits.view()).toMatchObject({ steps: [], questions: [{ state: 'undefined', low: null }], isReached: true })
  })

  it('goes on after a restart', async () => {
    const { audits, project } = await started()
    const again = await auditsOf(await reopened(project))
    expect(again.audits.current()).toEqual(audits.current())
    expect(again.audits.rounds()).toHaveLength(1)
    await again.audits.leave()
    expect((await auditsOf(await reopened(again.project))).audits.current()).toBeUndefined()
  })

  it('can be finished from the answer to its first point on; all who wait get the seal of its certificate', async () => {
    const { audits, record, certificates } = await started()
    await record.answer(0, 'b', 'yes')
    expect(() => audits.finish()).toThrow(expect.objectContaining({ code: 'no-answers' }))
    expect(audits.isFinishing()).toBe(false)
    await record.answer(0, 'a', 'yes')
    const finished = [audits.finish(), audits.finish()]
    expect(audits.isFinishing()).toBe(true)
    const outcome = outcomeOf('sha256:m', { a: 'yes' })
    await audits.conclude(outcome)
    expect(await Promise.all(finished)).toEqual([outcome.seal, outcome.seal])
    expect(certificates.summaries().map(({ seal }) => seal)).toEqual([outcome.seal])
    expect([audits.current(), audits.view(), audits.isFinishing()]).toEqual([undefined, undefined, false])
    expect(() => audits.finish()).toThrow(expect.objectContaining({ code: 'no-audit' }))
  })

  it('that fails tells who waits for it, and is still under way', async () => {
    const { audits, record } = await started()
    await record.answer(0, 'a', 'yes')
    const finished = audits.finish()
    audits.fail(new Error('disk full'))
    await expect(finished).rejects.toThrow('disk full')
    expect([audits.isFinishing(), audits.current()?.model]).toEqual([false, 'sha256:m'])
  })

  it('of an earlier release goes on as what it asked', async () => {
    const project = await begunProject()
    const options = {
      metric: 'recall',
      positive: 'yes',
      level: 0.9,
      goal,
      batch: 3,
      strategy: 'uniform',
      seed: 1,
      seedChosen: true,
    }
    await project.remember('auditing', { model: 'sha256:m', about: 'guesses.csv', options })
    const { audits } = await auditsOf(project)
    expect(audits.current()!.options).toEqual({
      questions: [question('recall', { positive: 'yes', level: 0.9 })],
      goal,
      batch: 3,
      strategy: 'uniform',
      seed: 1,
      seedChosen: true,
    })
  })
})

describe('predictions', () => {
  const options: AuditOptions = {
    questions: [question('recall', { positive: 'yes', level: 0.9 })],
    goal: { budget: 9 },
    batch: 3,
    strategy: 'uniform',
    seed: 1,
    seedChosen: true,
  }

  it('are audited as was asked for, and nothing else', async () => {
    const { audits } = await auditsOf(await begunProject(), { path: '/pools/guesses.csv', options })
    await audits.startOfPredictions({ model: 'sha256:p' } as never)
    expect(audits.current()).toEqual({ model: 'sha256:p', about: 'guesses.csv', options })
    expect(audits.view()).toMatchObject({ metric: 'recall', positive: 'yes', goal: { budget: 9, level: 0.9 } })
    await expect(audits.leave()).rejects.toMatchObject({ code: 'nothing-else' })
  })

  it('are not what a project that learns begins with', async () => {
    const { audits } = await auditsOf(await begunProject())
    await audits.startOfPredictions({ model: 'sha256:p' } as never)
    expect(audits.current()).toBeUndefined()
  })
})
