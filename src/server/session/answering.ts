import { requireInput } from '../../core/errors.ts'
import { isFor, type Label } from '../../core/record.ts'
import type { Claim, GivenAnswer, OpenRound, Saved } from '../../protocol/rounds.ts'
import { Refusal } from '../failures.ts'
import { isComplete, type RecordedRound } from './record.ts'
import type { SessionLoop } from './session-loop.ts'
import { classNames, isAtRest, type SessionState } from './state.ts'

/** What pages do with the points of a round: answers are on record before they are acknowledged. */
export function answering(state: SessionState, loop: Pick<SessionLoop, 'submitAnswers' | 'cancelJob' | 'resume' | 'lookAgain'>) {
  const { record, audits, claims, events, pace } = state

  async function revise(round: RecordedRound, id: string, label: Label, annotator?: string): Promise<Saved> {
    await record.revise(round.round, id, label, annotator)
    state.isStale = true
    if (audits.restsOn(round))
      await loop.cancelJob() // the audit begins anew, from its record
    else if (state.phase.kind === 'done' && !isAtRest(state)) {
      if (state.loaded) await audits.startOfPredictions(state.loaded) // for a certificate of the answers that stand now
      loop.resume() // a new model learns from it at once
    } else void loop.lookAgain()
    state.announce()
    return savedOf(round)
  }

  return {
    /** `page`: points that another page shows are marked for it. */
    openRound(page?: string): OpenRound {
      const { current, phase } = state
      if (!current || phase.kind !== 'asking') throw new Refusal(404, 'no-round', 'round: an open one is required, got none')
      const { round, contents } = current
      const points = [...round.ids].map((id, k) => {
        const label = round.answers.get(id)
        const answer = label === undefined ? {} : { answer: { label } }
        return { id, order: k + 1, content: contents.get(id)!, ...answer, isElsewhere: claims.isHeldElsewhere(id, page) }
      })
      const asked = record.rounds.filter((each) => each.round < round.round && !isFor('given', each))
      const before = asked.reduce((sum, each) => sum + each.answers.size, 0)
      return { round: round.round, number: phase.number, purpose: phase.purpose, before, points }
    },

    async answer(at: number, id: string, { label, page, annotator, isRevision = false }: GivenAnswer): Promise<Saved> {
      requireClass(label, classNames(state))
      const round = record.find(at, id)
      if (round.isClosed && round.answers.get(id) === label) return savedOf(round) // the same answer, sent again
      if (round.isClosed && isRevision) return revise(round, id, label, annotator)
      await record.answer(at, id, label, annotator)
      pace.heard(Date.now())
      events.send({ type: 'answer', round: at, id, label, page })
      if (isComplete(round)) {
        await record.close(at)
        if (state.current?.round === round) loop.submitAnswers()
      }
      return savedOf(round)
    },
    async retract(at: number, id: string, page: string, annotator?: string): Promise<Saved> {
      await record.retract(at, id, annotator)
      events.send({ type: 'answer', round: at, id, page })
      return savedOf(record.find(at, id))
    },

    claim(at: number, { page, ids, seen }: Claim): string[] {
      const { current } = state
      if (current?.round.round !== at) return []
      if (seen !== undefined && current.round.ids.has(seen)) state.shown.see(current.round, seen)
      const drawn = ids.filter((id) => current.round.ids.has(id))
      const granted = claims.claim(page, drawn)
      events.send({ type: 'claim', round: at, page, ids: granted })
      return granted
    },
    /** The page has left: others may have what it held. */
    release(page: string): void {
      if (claims.release(page) && state.current) events.send({ type: 'claim', round: state.current.round.round, page, ids: [] })
    },
  }
}

const savedOf = ({ answers, ids, isClosed }: RecordedRound): Saved => ({ answered: answers.size, of: ids.size, isClosed })

function requireClass(label: Label, names: readonly string[]): void {
  requireInput(
    label === null || names.includes(label),
    `answer: one of ${names.join(', ')} or "cannot tell" is required, got ${JSON.stringify(label)}`,
  )
}
