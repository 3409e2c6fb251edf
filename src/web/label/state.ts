import { useSyncExternalStore } from 'react'
import type { Failure } from '../api/failure.ts'
import { createClaims } from './claims.ts'
import { remember } from './memory.ts'
import type { Recent } from './recent.ts'
import { type Action, memoryOf, type Round, roundAfter } from './round.ts'

/** The work of this page: the round it asks, and what was answered last. Lives on while other views are shown. */
export interface Labelling {
  /** Its path: whose round it is. */
  readonly project: string
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

/** How the work on a project begins. */
export const begun = { round: undefined, isComplete: false, revision: undefined, recent: [], said: '', refusal: undefined }

let now: Labelling = { project: '', ...begun }
const watchers = new Set<() => void>()

export const claims = createClaims((asked, granted) => apply({ type: 'granted', asked, granted }))

export function useLabelling(): Labelling {
  return useSyncExternalStore(watch, labellingNow)
}

export function labellingNow(): Labelling {
  return now
}

export function change(next: Partial<Labelling>): void {
  keep(next)
  for (const watcher of watchers) watcher()
}

/** Changes what is known and not yet what is shown. */
export function keep(next: Partial<Labelling>): void {
  now = { ...now, ...next }
}

/** Does something to the round, remembers it, and tells the server what is shown next. */
export function apply(action: Action): void {
  if (!now.round) return
  const round = roundAfter(now.round, action)
  if (round === now.round) return
  change({ round })
  remember(now.project, round.round, memoryOf(round))
  void claims.claim(round)
}

function watch(watcher: () => void): () => void {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}
