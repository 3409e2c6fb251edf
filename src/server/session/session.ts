import { requireInput } from '../../core/errors.ts'
import type { Goal, LabellingPlan } from '../../protocol/project.ts'
import { strategyNamed } from '../../strategies/catalogue.ts'
import { trainingSet } from '../../strategies/training-set.ts'
import { Refusal } from '../failures.ts'
import type { StartWorker } from '../worker/start-worker.ts'
import { answering } from './answering.ts'
import { forecastInputsOf } from './now-view.ts'
import { projectView } from './project-view.ts'
import { purposeOf } from './record.ts'
import { startLoop } from './session-loop.ts'
import { classNames, openState, type StateOptions } from './state.ts'

export interface SessionOptions extends StateOptions {
  readonly startWorker: StartWorker
  log(error: unknown): void
}

export type Session = Awaited<ReturnType<typeof openSession>>

/** A project that is open. Answers are put on record here and acknowledged; whatever takes time is done by the worker. */
export async function openSession({ startWorker, log, ...options }: SessionOptions) {
  const { project, source, events } = options
  const state = await openState(options, () => events.send({ type: 'project', project: projectView(state) }))
  const { record, audits } = state
  const loop = startLoop(state, startWorker, log)

  return {
    project,
    record,
    worker: loop.worker,
    /** Resolves when the pool is ready, and rejects if it cannot be loaded. */
    ready: loop.ready,
    view: () => projectView(state),
    loaded: () => state.loaded,
    forecastInputs: () => forecastInputsOf(state),
    ...answering(state, loop),

    async replan(plan: LabellingPlan): Promise<void> {
      requireInput(source.kind !== 'predictions', 'plan: a project that learns is required, got an audit')
      const poolSize = state.loaded?.points ?? 0
      // What cannot be learned from as the record stands is refused now, not when the round is over.
      trainingSet(record.rounds, { strategy: strategyNamed(plan.strategy), weighting: 1, classes: classNames(state), poolSize })
      await project.remember('plan', plan)
      state.nextPlan = plan
      state.isStale = true
      if (state.phase.kind === 'done') loop.resume()
      state.announce()
    },
    async retry(): Promise<void> {
      if (state.phase.kind === 'failed') loop.resume()
    },

    async startAudit(goal: Goal): Promise<void> {
      const newest = state.models.at(-1)
      if (!newest || !state.settings || source.kind === 'predictions')
        throw new Refusal(409, 'no-model', 'audit: a model is required, got none yet', 'The first round makes one.')
      await audits.start(newest, goal, state.settings)
      state.isLearningOn = false
      await loop.cancelJob()
    },
    /** Stops now, with the answers there are. Resolves to the seal of their certificate. */
    async finishAudit(): Promise<string> {
      const finished = audits.finish()
      if (state.current && purposeOf(state.current.round) === 'audit') loop.submitAnswers()
      return finished
    },
    /** The certified model learns on: another one comes of it, which is not certified. */
    async learnOn(): Promise<void> {
      state.isLearningOn = true
      loop.resume()
    },
    async leaveAudit(): Promise<void> {
      await audits.leave()
      await loop.cancelJob()
    },

    /** Finishes what is being written, and releases the project. */
    async close(): Promise<void> {
      await loop.stop()
      await project.close()
    },
  }
}
