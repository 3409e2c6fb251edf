import type { Content, Label } from '../../protocol/points.ts'
import { answers } from '../api/answers.ts'
import type { Entry } from '../api/queue.ts'
import { follow } from './following.ts'
import { note } from './reading.ts'
import { type AnswerGiven, currentOf, type PageRound } from './round.ts'
import { addRecent, apply, change, claims, labellingNow, type Recent, withoutRecent } from './state.ts'

/** What a person can do. Every key and every button ends here. */
export const labelling = {
  choose(label: Label): void {
    const { round, revision } = labellingNow()
    const id = round && currentOf(round)
    if (revision) revise(revision, label)
    else if (round && id !== undefined) answer(round, id, label)
  },
  cannotTell(): void {
    labelling.choose(null)
  },
  later(): void {
    const { round, isComplete, revision } = labellingNow()
    if (!round || isComplete || revision) return
    apply({ type: 'later' })
    change({ said: 'Later, at the end of this round.' })
  },
  undo(): void {
    const { round, revision, isComplete } = labellingNow()
    const last = round?.history.at(-1)
    if (revision) change({ revision: undefined, said: 'Kept as it was.' })
    else if (round?.revising) giveUp()
    else if (round && last && isComplete) change({ revision: { round: round.round, content: contentOf(round, last.id) } })
    else if (round && last) undo(round.round, last)
  },
  /** Opens an answered point again. */
  revise({ round, content }: Recent): void {
    const { round: open, isComplete } = labellingNow()
    if (open?.round === round && !isComplete) apply({ type: 'revise', id: content.id })
    else change({ revision: { round, content } })
  },
  /** From the card of a closed round to whatever comes next. */
  next(): void {
    change({ round: undefined, isComplete: false, revision: undefined })
    follow()
  },
  /** Asks again for points that others hold. */
  claimAgain(): void {
    const { round } = labellingNow()
    claims.forget()
    if (round) void claims.claim(round)
  },
  dismiss(): void {
    change({ refusal: undefined })
  },
}

function answer(round: PageRound, id: string, label: Label): void {
  const entry = { round: round.round, id, label }
  apply({ type: 'answer', label })
  give(entry)
  change({ recent: addRecent(labellingNow().recent, { round: round.round, content: contentOf(round, id), label }) })
  say(label === null ? 'Recorded: cannot tell.' : `Labelled ${label}.`)
}

function revise({ round, content }: Omit<Recent, 'label'>, label: Label): void {
  give({ round, id: content.id, label, isRevision: true })
  change({
    revision: undefined,
    recent: addRecent(labellingNow().recent, { round, content, label }),
    said: label === null ? 'Revised: cannot tell.' : `Revised: ${label}.`,
  })
}

function undo(round: number, { id, before }: AnswerGiven): void {
  apply({ type: 'undo' })
  if (before === undefined) takeBack(round, id)
  else give({ round, id, label: before })
  change({ recent: withoutRecent(labellingNow().recent, round, id) })
  say('Undone.')
}

function giveUp(): void {
  apply({ type: 'undo' })
  change({ said: 'Kept as it was.' })
}

function give(entry: Entry): void {
  answers.give(entry)
  note(entry)
}

function takeBack(round: number, id: string): void {
  answers.takeBack(round, id)
  note({ round, id })
}

function say(words: string): void {
  const { round } = labellingNow()
  if (round) change({ said: `${words} ${round.answers.size} of ${round.points.length}.` })
}

function contentOf({ points }: PageRound, id: string): Content {
  return points.find((point) => point.id === id)!.content
}
