import { isFor, keepMachine, type Label, type Revision, type RoundFacts, type RoundOpening } from '../../core/record.ts'
import type { Answer } from '../../oracles/oracle.ts'
import type { Project } from '../../stores/project.ts'
import { refusals } from '../../stores/refusals.ts'

/** A round as the server holds it in memory: what is on record, and which answers were revised since it closed. */
export interface RecordedRound extends RoundFacts {
  readonly answers: Map<string, Label>
  readonly machines: Map<string, string>
  readonly revisions: Revision[]
  readonly revised: Set<string>
  readonly ids: ReadonlySet<string>
  isClosed: boolean
  /** While it is being closed: no answer may change any more. */
  closing?: Promise<void>
}

export type SessionRecord = Awaited<ReturnType<typeof openRecord>>

/** The record of a project, on disk and in memory. Memory holds only what is on disk. */
export async function openRecord(project: Project) {
  const rounds = (await project.rounds()).map(recordedRound)

  /** The round of a number, in which this point was drawn. */
  const find = (number: number, id?: string): RecordedRound => {
    const round = rounds[number]
    if (!round) throw refusals.notOpened(number, rounds.length)
    if (id !== undefined && !round.ids.has(id)) throw refusals.notDrawn(number, id)
    return round
  }

  const findOpen = (number: number, id: string): RecordedRound => {
    const round = find(number, id)
    if (round.isClosed || round.closing) throw refusals.closed(number)
    return round
  }

  return {
    rounds: rounds as readonly RecordedRound[],
    find,

    async open(opening: RoundOpening): Promise<void> {
      await project.openRound(opening)
      rounds.push(recordedRound({ ...opening, answers: new Map(), revisions: [], isClosed: false }))
    },
    async answer(number: number, id: string, label: Label, annotator?: string): Promise<void> {
      const round = findOpen(number, id)
      await project.answer(number, id, label, by(annotator))
      round.answers.set(id, label)
      keepMachine(round.machines, id, by(annotator))
    },
    async retract(number: number, id: string, annotator?: string): Promise<void> {
      const round = findOpen(number, id)
      await project.retract(number, id, by(annotator))
      round.answers.delete(id)
      round.machines.delete(id)
    },
    async revise(number: number, id: string, label: Label, annotator?: string): Promise<void> {
      const round = find(number, id)
      await project.revise(number, id, label, by(annotator))
      round.revisions.push({ id, from: round.answers.get(id)!, to: label, opened: rounds.length })
      round.answers.set(id, label)
      keepMachine(round.machines, id, by(annotator))
      round.revised.add(id)
    },
    /** Closes a round, once, however many callers ask for it. `after`: draws that count, where those that follow were not shown. */
    async close(number: number, after?: number): Promise<void> {
      const round = find(number)
      if (round.isClosed) return
      round.closing ??= project.closeRound(number, after)
      try {
        await round.closing
        round.isClosed = true
        if (after !== undefined) rounds[number] = recordedRound({ ...round, draws: round.draws.slice(0, after) })
      } finally {
        delete round.closing
      }
    },
  }
}

const by = (annotator: string | undefined) => (annotator === undefined ? {} : { annotator })

function recordedRound(facts: RoundFacts): RecordedRound {
  const ids = new Set(facts.draws.map(({ id }) => id))
  const revised = new Set(facts.revisions.map(({ id }) => id))
  const [answers, machines] = [new Map(facts.answers), new Map(facts.machines)]
  return { ...facts, answers, machines, revisions: [...facts.revisions], revised, ids }
}

export const isComplete = ({ ids, answers }: RecordedRound): boolean => answers.size === ids.size
export const purposeOf = (round: RecordedRound) => (isFor('audit', round) ? 'audit' : 'learn')

/** Answers in draw order, never in order of arrival; up to the first that is missing. */
export function answersInOrder({ ids, answers }: RecordedRound): Answer[] {
  const drawn = [...ids]
  const missing = drawn.findIndex((id) => !answers.has(id))
  return drawn.slice(0, missing < 0 ? drawn.length : missing).map((id) => ({ id, label: answers.get(id)! }))
}
