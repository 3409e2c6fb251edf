import { isFor, type Label, type RoundFacts, type RoundOpening } from '../../core/record.ts'
import type { Answer } from '../../oracles/oracle.ts'
import type { Project } from '../../stores/project.ts'
import { refusals } from '../../stores/refusals.ts'

/** A round as the server keeps it in mind: what is on record, and which answers were revised since it closed. */
export interface KeptRound extends RoundFacts {
  readonly answers: Map<string, Label>
  readonly revised: Set<string>
  readonly ids: ReadonlySet<string>
  isClosed: boolean
  /** On its way to be closed: nothing may change any more. */
  closing?: Promise<void>
}

export type Record = Awaited<ReturnType<typeof recordOf>>

/** The record of a project, on disk and in mind. In mind is only what is on disk. */
export async function recordOf(project: Project) {
  const revisions = (await project.answers()).filter(({ kind }) => kind === 'revision')
  const rounds = (await project.rounds()).map((round) => {
    const revised = revisions.filter((revision) => revision.round === round.round).map(({ id }) => id)
    return keptRound(round, round.answers, round.isClosed, revised)
  })

  const known = (round: number, id?: string): KeptRound => {
    const kept = rounds[round]
    if (!kept) throw refusals.notOpened(round, rounds.length)
    if (id !== undefined && !kept.ids.has(id)) throw refusals.notDrawn(round, id)
    return kept
  }

  const requireOpen = (kept: KeptRound): KeptRound => {
    if (kept.isClosed || kept.closing) throw refusals.closed(kept.round)
    return kept
  }

  return {
    rounds: rounds as readonly KeptRound[],
    known,

    async open(opening: RoundOpening): Promise<KeptRound> {
      await project.openRound(opening)
      const kept = keptRound(opening, new Map(), false, [])
      rounds.push(kept)
      return kept
    },
    async answer(round: number, id: string, label: Label, by: By): Promise<void> {
      const kept = requireOpen(known(round, id))
      await project.answer(round, id, label, by)
      kept.answers.set(id, label)
    },
    async retract(round: number, id: string, by: By): Promise<void> {
      const kept = requireOpen(known(round, id))
      await project.retract(round, id, by)
      kept.answers.delete(id)
    },
    async revise(round: number, id: string, label: Label, by: By): Promise<void> {
      const kept = known(round, id)
      await project.revise(round, id, label, by)
      kept.answers.set(id, label)
      kept.revised.add(id)
    },
    /** Closes a round, once, whoever asks for it. */
    async close(round: number): Promise<void> {
      const kept = known(round)
      if (kept.isClosed) return
      kept.closing ??= project.closeRound(round)
      try {
        await kept.closing
        kept.isClosed = true
      } finally {
        delete kept.closing
      }
    },
  }
}

export interface By {
  readonly annotator?: string
}

function keptRound(
  opening: RoundOpening,
  answers: ReadonlyMap<string, Label>,
  isClosed: boolean,
  revised: readonly string[],
): KeptRound {
  const ids = new Set(opening.draws.map(({ id }) => id))
  return { ...opening, answers: new Map(answers), isClosed, ids, revised: new Set(revised) }
}

export const isComplete = ({ ids, answers }: KeptRound): boolean => answers.size === ids.size
export const purposeOf = (round: KeptRound) => (isFor('audit', round) ? 'audit' : 'learn')

/** Answers in draw order, never in order of arrival; up to the first that is missing. */
export function answersInOrder({ ids, answers }: KeptRound): Answer[] {
  const drawn = [...ids]
  const missing = drawn.findIndex((id) => !answers.has(id))
  return drawn.slice(0, missing < 0 ? drawn.length : missing).map((id) => ({ id, label: answers.get(id)! }))
}
