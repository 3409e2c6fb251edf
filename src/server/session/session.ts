import { requireInput } from '../../core/errors.ts'
import type { Label } from '../../core/record.ts'
import type { Goal, LabellingPlan, Project } from '../../protocol/project.ts'
import type { GivenAnswer, OpenRound, Saved } from '../../protocol/rounds.ts'
import { trainingSet } from '../../strategies/training-set.ts'
import { noRound, Refusal } from '../failures.ts'
import { strategyBy } from '../strategies.ts'
import { shownProject } from './project-view.ts'
import { isComplete, type KeptRound, purposeOf } from './record.ts'
import { driver, type Hire } from './session-loop.ts'
import { classNames, openState, type StateOptions } from './state.ts'

export interface SessionOptions extends StateOptions {
  /** Goes on record with every answer. */
  readonly annotator?: string | undefined
  readonly hire: Hire
  log(error: unknown): void
}

export type Session = Awaited<ReturnType<typeof openSession>>

/** A project at work. Answers are put on record here and acknowledged; whatever takes time is done by the worker. */
export async function openSession({ annotator, hire, log, ...options }: SessionOptions) {
  const { project, source, feed } = options
  const by = annotator === undefined ? {} : { annotator }
  const state = await openState(options, (now) => feed.send({ type: 'project', project: shownProject(now) }))
  const { record, audits, claims } = state
  const { worker, begun, handOver, leave, resume, stop } = driver(state, hire, log)

  function requireClass(label: Label): void {
    const names = classNames(state)
    requireInput(
      label === null || names.includes(label),
      `answer: one of ${names.join(', ')} or "cannot tell" is required, got ${JSON.stringify(label)}`,
    )
  }

  function savedOf({ answers, ids, isClosed }: KeptRound): Saved {
    return { answered: answers.size, of: ids.size, isClosed }
  }

  async function revise(round: KeptRound, id: string, label: Label): Promise<Saved> {
    audits.requireRevisable(round)
    await record.revise(round.round, id, label, by)
    state.isStale = true
    if (state.phase.kind === 'done') resume() // a new model learns from it at once
    state.announce()
    return savedOf(round)
  }

  return {
    project,
    record,
    worker,
    begun,
    shown: (): Project => shownProject(state),
    outlook: () => state.outlook,
    loaded: () => state.loaded,

    openRound(page?: string): OpenRound {
      const { asking, phase } = state
      if (!asking || phase.kind !== 'asking') throw noRound()
      const { round, contents } = asking
      const points = [...round.ids].map((id, k) => {
        const label = round.answers.get(id)
        const answer = label === undefined ? {} : { answer: { label } }
        return { id, order: k + 1, content: contents.get(id)!, ...answer, isElsewhere: claims.isHeldElsewhere(id, page) }
      })
      return { round: round.round, number: phase.number, purpose: phase.purpose, points }
    },

    async answer(at: number, id: string, { label, page, isRevision = false }: GivenAnswer): Promise<Saved> {
      requireClass(label)
      const round = record.known(at, id)
      if (round.isClosed && round.answers.get(id) === label) return savedOf(round) // said before, and now again
      if (round.isClosed && isRevision) return revise(round, id, label)
      await record.answer(at, id, label, by)
      feed.send({ type: 'answer', round: at, id, label, page })
      if (isComplete(round)) {
        await record.close(at)
        if (state.asking?.round === round) handOver()
      }
      return savedOf(round)
    },
    async retract(at: number, id: string, page: string): Promise<Saved> {
      const round = record.known(at, id)
      await record.retract(at, id, by)
      feed.send({ type: 'answer', round: at, id, page })
      return savedOf(round)
    },

    claim(at: number, page: string, ids: readonly string[]): string[] {
      const { asking } = state
      if (asking?.round.round !== at) return []
      const granted = claims.claim(
        page,
        ids.filter((id) => asking.round.ids.has(id)),
      )
      feed.send({ type: 'claim', round: at, page, ids: granted })
      return granted
    },
    /** A page is gone: others may have what it held. */
    release(page: string): void {
      if (claims.release(page) && state.asking) feed.send({ type: 'claim', round: state.asking.round.round, page, ids: [] })
    },

    async replan(plan: LabellingPlan): Promise<void> {
      requireInput(source.kind !== 'predictions', 'plan: a project that learns is required, got an audit')
      const poolSize = state.loaded?.points ?? 0
      // What cannot be learned from as the record stands is refused now, not when the round is over.
      trainingSet(record.rounds, { strategy: strategyBy(plan.strategy), weighting: 1, classes: classNames(state), poolSize })
      await project.remember('plan', plan)
      state.nextPlan = plan
      state.isStale = true
      if (state.phase.kind === 'done') resume()
      state.announce()
    },
    retry(): void {
      if (state.phase.kind === 'failed') resume()
    },

    async startAudit(goal: Goal): Promise<void> {
      const newest = state.models.at(-1)
      if (!newest || !state.settings || source.kind === 'predictions')
        throw new Refusal(409, 'no-model', 'audit: a model is required, got none yet', 'The first round makes one.')
      await audits.start(newest, goal, state.settings)
      await leave()
    },
    /** Stops now, with what there is. The seal of the certificate that comes of it. */
    async finishAudit(): Promise<string> {
      const finished = audits.finish()
      if (state.asking && purposeOf(state.asking.round) === 'audit') handOver()
      return finished
    },
    async leaveAudit(): Promise<void> {
      await audits.leave()
      await leave()
    },

    /** Finishes what is being written, and lets go of everything. */
    async close(): Promise<void> {
      await stop()
      await project.close()
    },
  }
}
