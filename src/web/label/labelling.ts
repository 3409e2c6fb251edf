import type { Content, Label } from '../../protocol/points.ts'
import { answers } from '../api/answers.ts'
import type { Entry } from '../api/queue.ts'
import { said } from '../text/label.ts'
import { note } from './reading.ts'
import { type AnswerGiven, answersIn, currentOf, type PageRound } from './round.ts'
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
    const { round, revision } = labellingNow()
    if (!round || revision) return
    apply({ type: 'later' })
    change({ said: said.later })
  },
  undo(): void {
    const { round, revision, recent } = labellingNow()
    const last = round?.history.at(-1)
    if (revision) change({ revision: undefined, said: said.kept })
    else if (round?.revising) giveUp()
    else if (round && last) undo(round.round, last)
    else if (recent[0]) labelling.revise(recent[0])
  },
  /** Opens an answered point again. */
  revise({ round, content }: Recent): void {
    const { round: open } = labellingNow()
    if (open?.round === round) apply({ type: 'revise', id: content.id })
    else change({ revision: { round, content } })
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
  say((answers) => said.answered(label, answers))
}

function revise({ round, content }: Omit<Recent, 'label'>, label: Label): void {
  give({ round, id: content.id, label, isRevision: true })
  change({
    revision: undefined,
    recent: addRecent(labellingNow().recent, { round, content, label }),
    said: said.revised(label),
  })
}

function undo(round: number, { id, before }: AnswerGiven): void {
  apply({ type: 'undo' })
  if (before === undefined) takeBack(round, id)
  else give({ round, id, label: before })
  change({ recent: withoutRecent(labellingNow().recent, round, id) })
  say(said.undone)
}

function giveUp(): void {
  apply({ type: 'undo' })
  change({ said: said.kept })
}

function give(entry: Entry): void {
  answers.give(entry)
  note(entry)
}

function takeBack(round: number, id: string): void {
  answers.takeBack(round, id)
  note({ round, id })
}

function say(words: (answers: number) => string): void {
  const { round } = labellingNow()
  if (round) change({ said: words(answersIn(round)) })
}

function contentOf({ points }: PageRound, id: string): Content {
  return points.find((point) => point.id === id)!.content
}
