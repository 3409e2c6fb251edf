import { useSyncExternalStore } from 'react'
import type { Event } from '../../protocol/events.ts'
import type { Content, Label } from '../../protocol/points.ts'
import { answers } from '../api/answers.ts'
import { api } from '../api/client.ts'
import { Failure } from '../api/failure.ts'
import { page } from '../api/page.ts'
import type { Entry } from '../api/queue.ts'
import { listen, serverNow, watch } from '../api/store.ts'
import { createClaims } from './claims.ts'
import { recall, remember } from './memory.ts'
import { addRecent, type Recent, withoutRecent } from './recent.ts'
import { type Action, currentOf, type Given, memoryOf, openedRound, type Round, roundAfter, unanswered } from './round.ts'

/** The work of this page: the round it asks, and what was answered last. Lives on while other views are shown. */
export interface Labelling {
  /** The open round, or the one just closed; missing while there is none. */
  readonly round: Round | undefined
  /** The round is closed, and nobody went on yet. */
  readonly isComplete: boolean
  /** A point of a closed round, open again: its answer becomes a new fact. */
  readonly revision: Omit<Recent, 'label'> | undefined
  readonly recent: readonly Recent[]
  /** For ears: what the last key did. */
  readonly said: string
  /** The last thing the server would not take. */
  readonly refusal: Failure | undefined
}

let now: Labelling = { round: undefined, isComplete: false, revision: undefined, recent: [], said: '', refusal: undefined }
let project = ''
let isOnline = true
let loading: number | undefined
const watchers = new Set<() => void>()
const claims = createClaims((asked, granted) => apply({ type: 'granted', asked, granted }))

export function useLabelling(): Labelling {
  return useSyncExternalStore(watchLabelling, () => now)
}

/** What a person can do. Every key and every button ends here. */
export const labelling = {
  choose(label: Label): void {
    const { round, revision } = now
    const id = round && currentOf(round)
    if (revision) {
      revise(revision, label)
    } else if (round && id !== undefined) {
      apply({ type: 'answer', label })
      answers.give({ round: round.round, id, label })
      change({ recent: addRecent(now.recent, { round: round.round, content: contentOf(round, id), label }) })
      say(label === null ? 'Recorded: cannot tell.' : `Labelled ${label}.`)
    }
  },
  later(): void {
    if (!now.round || now.isComplete || now.revision) return
    apply({ type: 'later' })
    change({ said: 'Later, at the end of this round.' })
  },
  undo(): void {
    const { round, revision, isComplete } = now
    const last = round?.history.at(-1)
    if (revision) change({ revision: undefined, said: 'Kept as it was.' })
    else if (round?.revising) giveUp()
    else if (round && last && isComplete) change({ revision: { round: round.round, content: contentOf(round, last.id) } })
    else if (round && last) undo(round.round, last)
  },
  /** Opens an answered point again. */
  revise({ round, content }: Recent): void {
    if (now.round?.round === round && !now.isComplete) apply({ type: 'revise', id: content.id })
    else change({ revision: { round, content } })
  },
  /** From the card of a closed round to whatever comes next. */
  next(): void {
    change({ round: undefined, isComplete: false, revision: undefined })
    follow()
  },
  /** Asks again for points that others hold. */
  claimAgain(): void {
    claims.forget()
    if (now.round) void claims.claim(now.round)
  },
  dismiss(): void {
    change({ refusal: undefined })
  },
}

function watchLabelling(watcher: () => void): () => void {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}

function change(next: Partial<Labelling>): void {
  now = { ...now, ...next }
  for (const watcher of watchers) watcher()
}

function apply(action: Action): void {
  if (!now.round) return
  const round = roundAfter(now.round, action)
  if (round === now.round) return
  change({ round })
  remember(project, round.round, memoryOf(round))
  void claims.claim(round)
}

function say(words: string): void {
  const { round } = now
  if (round) change({ said: `${words} ${round.answers.size} of ${round.points.length}.` })
}

function revise({ round, content }: Omit<Recent, 'label'>, label: Label): void {
  answers.give({ round, id: content.id, label, isRevision: true })
  change({
    revision: undefined,
    recent: addRecent(now.recent, { round, content, label }),
    said: label === null ? 'Revised: cannot tell.' : `Revised: ${label}.`,
  })
}

function undo(round: number, { id, before }: Given): void {
  apply({ type: 'undo' })
  if (before === undefined) answers.takeBack(round, id)
  else answers.give({ round, id, label: before })
  change({ recent: withoutRecent(now.recent, round, id) })
  say('Undone.')
}

function giveUp(): void {
  apply({ type: 'undo' })
  change({ said: 'Kept as it was.' })
}

function contentOf({ points }: Round, id: string): Content {
  return points.find((point) => point.id === id)!.content
}

/** Keeps up with the server: a round opens, closes, or is to be read again after the connection was lost. */
function follow(): void {
  const { state, connection } = serverNow()
  const isBack = connection === 'online' && !isOnline
  isOnline = connection === 'online'
  if (!state?.project) return
  if (project !== state.project.path) begin(state.project.path)
  answers.open(state.project)
  if (isBack) claims.forget()

  const { phase } = state.project
  const open = phase.kind === 'asking' ? phase.round : undefined
  if (now.round && !now.isComplete && now.round.round !== open) leave(now.round)
  if (open !== undefined && !now.isComplete && (isBack || now.round?.round !== open)) void load(open)
}

/** Learning stops at a closed round to say what it showed; an audit goes on by itself. */
function leave(round: Round): void {
  const isComplete = round.purpose === 'learn' && unanswered(round).length === 0
  change(isComplete ? { isComplete } : { round: undefined })
}

async function load(number: number): Promise<void> {
  if (loading === number || !isOnline) return
  loading = number
  try {
    const open = await api.round(page)
    const round = openedRound(open, answers.unsent(), recall(project, open.round))
    now = { ...now, round, isComplete: false } // known, and shown only when it is clear which points are ours
    await claims.claim(round)
    change({})
  } catch (failure) {
    if (!(failure instanceof Failure)) throw failure
    if (!failure.isPassing && failure.code !== 'no-round') change({ refusal: failure })
  } finally {
    loading = undefined
  }
}

function begin(path: string): void {
  project = path
  change({ round: undefined, isComplete: false, revision: undefined, recent: [], refusal: undefined })
  void readRecent()
}

async function readRecent(): Promise<void> {
  try {
    const { rows } = await api.answers({ limit: 10 })
    change({ recent: rows.map(({ round, content, label }) => ({ round, content, label })) })
  } catch (failure) {
    if (!(failure instanceof Failure)) throw failure // a list of what is on record can wait for the next reload
  }
}

function onEvent(event: Event): void {
  if (event.type === 'project' || event.page === page || event.round !== now.round?.round) return
  if (event.type === 'answer') apply({ type: 'told', id: event.id, label: event.label })
  else apply({ type: 'claimed', page: event.page, ids: event.ids })
}

function onRefused(entry: Entry, failure: Failure): void {
  const { round } = now
  const content = round?.points.find(({ id }) => id === entry.id)?.content
  // Undone a moment too late: the answer had closed the round. Then it is a revision.
  if (failure.code === 'round-closed' && entry.label === undefined && content) {
    change({ revision: { round: entry.round, content } })
    return
  }
  change({ refusal: failure })
  if (round && !now.isComplete) void load(round.round)
}

watch(follow)
listen(onEvent)
answers.listen({
  onRefused,
  onSaved(entry, { isClosed }) {
    if (!isClosed || entry.isRevision || entry.label === undefined || entry.round !== now.round?.round) return
    if (!now.round.answers.has(entry.id)) apply({ type: 'told', id: entry.id, label: entry.label }) // undone too late
    leave(now.round)
  },
  onAdopted(entries) {
    for (const { round, id, label } of entries) if (round === now.round?.round) apply({ type: 'told', id, label })
  },
})
