import type { AuditRound } from '../../audit.ts'
import { certificateText } from '../../certificates/certificate.ts'
import type { Model } from '../../core/model.ts'
import type { Engine } from '../../engines/engine.ts'
import type { Learner } from '../../learners/learner.ts'
import { type LearnPlan, learn } from '../../loop.ts'
import type { Oracle } from '../../oracles/oracle.ts'
import { peopleOracle } from '../../oracles/people.ts'
import { certificatePage } from '../../projects/certificate-page.ts'
import { type Audited, type AuditOptions, certify } from '../../projects/certify.ts'
import type { Store } from '../../stores/store.ts'
import type { AuditOutcome, LearnOutcome, Parent } from './worker-protocol.ts'
import type { Remote } from './worker-rpc.ts'

/** The people went on to something else. */
class Left extends Error {
  override readonly name = 'Left'
}

/** Learns round after round until the budget is spent, the people leave, or the record is no longer what it was. */
export async function learnJob(
  plan: Omit<LearnPlan<Model>, 'store' | 'oracle'>,
  parent: Remote<Parent>,
  learned: (model: Model) => void,
): Promise<LearnOutcome> {
  const { engine, learner } = plan
  const parts = { engine: watchedEngine(engine, parent), learner: watchedLearner(learner, parent, learned) }
  try {
    for await (const _ of learn({ ...plan, ...parts, store: storeOf(parent), oracle: oracleOf(parent) })) {
      if (await parent.isStale()) return 'again'
    }
    return 'done'
  } catch (error) {
    if (error instanceof Left) return 'left'
    throw error
  }
}

/** Audits until the goal is reached, the people stop, or leave. */
export async function auditJob(audited: Audited, options: AuditOptions, parent: Remote<Parent>): Promise<AuditOutcome | 'left'> {
  const engine = watchedEngine(audited.engine, parent)
  const rounds: AuditRound[] = []
  try {
    const auditing = certify({ ...audited, engine }, { oracle: oracleOf(parent), store: storeOf(parent) }, options)
    let step = await auditing.next()
    for (; !step.done; step = await auditing.next()) {
      const { round, interval, forecast, isReached } = step.value
      rounds.push(step.value)
      await parent.tell({ kind: 'audited', round: { round, interval, isReached, ...(forecast && { forecast }) } })
    }
    const certificate = step.value
    const { seal, model } = certificate
    return { seal, model, text: certificateText(certificate), page: certificatePage(certificate, rounds) }
  } catch (error) {
    if (error instanceof Left) return 'left'
    throw error
  }
}

/** The record in the main thread, where every answer is already and every round that is complete was closed. */
function storeOf(parent: Remote<Parent>): Store {
  return {
    name: 'parent',
    begin: (run) => parent.begin(run),
    async openRound(opening) {
      await parent.tell({ kind: 'step', step: 'draw' })
      if (await parent.isLeaving()) throw new Left() // before anything is drawn for nobody
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
    async close() {},
  }
}

function oracleOf(parent: Remote<Parent>): Oracle {
  return peopleOracle(async (ids) => {
    const answers = await parent.ask(ids)
    if (!answers) throw new Left()
    return answers
  })
}

function watchedLearner(learner: Learner<Model>, parent: Remote<Parent>, learned: (model: Model) => void): Learner<Model> {
  return {
    ...learner,
    async fit(...args) {
      await parent.tell({ kind: 'step', step: 'learn' })
      const model = await learner.fit(...args)
      learned(model)
      return model
    },
  }
}

function watchedEngine(engine: Engine, parent: Remote<Parent>): Engine {
  return {
    ...engine,
    async draw(...args) {
      await parent.tell({ kind: 'step', step: 'score' })
      return engine.draw(...args)
    },
  }
}
