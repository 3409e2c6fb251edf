import type { AuditRound } from '../../audit.ts'
import type { Model } from '../../core/model.ts'
import type { StratifiedPool } from '../../core/strata.ts'
import type { Remote } from '../../core/thread-calls.ts'
import type { Engine } from '../../engines/engine.ts'
import type { Learner } from '../../learners/learner.ts'
import { type LearnPlan, learn } from '../../loop.ts'
import type { Oracle } from '../../oracles/oracle.ts'
import { peopleOracle } from '../../oracles/people.ts'
import { certificatePage } from '../../projects/certificate-page.ts'
import { type AuditOptions, certify } from '../../projects/certify.ts'
import { conductOf } from '../../projects/conduct.ts'
import { keyIfPossible } from '../../projects/signing-key.ts'
import { type Certificate, certificateText } from '../../questions/certificate.ts'
import { signed } from '../../questions/signature.ts'
import type { Audited } from '../../questions/subject.ts'
import type { Store } from '../../stores/store.ts'
import type { AuditOutcome, LearnOutcome, ParentMethods } from './worker-protocol.ts'

type Parent = Remote<ParentMethods>
type Certified = Pick<Certificate, 'model' | 'rounds'>

/** Thrown through the loop when its round was abandoned for another job. */
class Cancelled extends Error {
  override readonly name = 'Cancelled'
}

/** Learns round after round until the budget is spent, the job is cancelled, or the record is no longer what it was. */
export function learnJob(
  plan: Omit<LearnPlan<Model>, 'store' | 'oracle'>,
  parent: Parent,
  onModel: (model: Model) => void,
): Promise<LearnOutcome> {
  const { engine, learner } = plan
  const parts = { engine: reportingDraws(engine, parent), learner: reportingLearner(learner, parent, onModel) }
  return orCancelled(async () => {
    for await (const _ of learn({ ...plan, ...parts, store: storeOf(parent), oracle: oracleOf(parent) })) {
      if (await parent.isStale()) return 'stale'
    }
    return 'done'
  })
}

/** Audits until the goal is reached, people stop, or the job is cancelled. */
export function auditJob(audited: Audited, options: AuditOptions, parent: Parent): Promise<AuditOutcome | 'cancelled'> {
  const pool = reportingDraws(audited.pool, parent)
  const rounds: AuditRound[] = []
  return orCancelled(async () => {
    const parts = {
      oracle: oracleOf(parent),
      store: storeOf(parent),
      conduct: (certified: Certified) => conductOf(parent, certified),
    }
    const auditing = certify({ ...audited, pool }, parts, options)
    let step = await auditing.next()
    for (; !step.done; step = await auditing.next()) {
      const { questions, best, answered, isReached } = step.value
      rounds.push(step.value)
      await parent.report({ kind: 'audited', round: { questions, ...(best && { best }), answered, isReached } })
    }
    const certificate = signedByUser(step.value.certificate)
    const { seal, model } = certificate
    return { seal, model, text: certificateText(certificate), page: certificatePage(certificate, rounds) }
  })
}

/** With the key of the user who serves the page. */
function signedByUser(certificate: Certificate): Certificate {
  const key = keyIfPossible()
  return 'missing' in key ? certificate : signed(certificate, key)
}

async function orCancelled<T>(job: () => Promise<T>): Promise<T | 'cancelled'> {
  try {
    return await job()
  } catch (error) {
    if (error instanceof Cancelled) return 'cancelled'
    throw error
  }
}

/** The record in the main thread, where every answer is already and every round that is complete was closed. */
function storeOf(parent: Parent): Store {
  return {
    name: 'parent',
    begin: (run) => parent.begin(run),
    async openRound(opening) {
      await parent.report({ kind: 'step', step: 'draw' })
      if (await parent.isCancelled()) throw new Cancelled() // before a round is opened that is not asked
      await parent.openRound(opening)
    },
    async answer() {},
    async retract() {},
    async revise() {},
    closeRound: (round) => parent.closeRound(round),
    rounds: () => parent.rounds(),
    keepModel: (model, round) => parent.keepModel(model, round),
    models: () => parent.models(),
    model: (id) => parent.model(id),
    keepLook: (look) => parent.keepLook(look),
    looks: () => parent.looks(),
    async close() {},
  }
}

function oracleOf(parent: Parent): Oracle {
  return peopleOracle(async (ids) => {
    const answers = await parent.ask(ids)
    if (!answers) throw new Cancelled()
    return answers
  })
}

function reportingLearner(learner: Learner<Model>, parent: Parent, onModel: (model: Model) => void): Learner<Model> {
  return {
    ...learner,
    async fit(...args) {
      await parent.report({ kind: 'step', step: 'learn' })
      const model = await learner.fit(...args)
      onModel(model)
      return model
    },
  }
}

/** An engine or its strata, which tell that points are being scored before they draw. */
function reportingDraws<Pool extends Engine | StratifiedPool>(pool: Pool, parent: Parent): Pool {
  const draw = async (...args: unknown[]): Promise<unknown> => {
    await parent.report({ kind: 'step', step: 'score' })
    return (pool.draw as (...args: unknown[]) => Promise<unknown>)(...args)
  }
  return { ...pool, draw }
}
