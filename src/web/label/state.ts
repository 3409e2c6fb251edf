import type { Failure } from '../api/failure.ts'
import { observable } from '../state/observable.ts'
import { createClaims } from './claims.ts'
import { remember } from './memory.ts'
import type { Recent } from './recent.ts'
import { type Action, memoryOf, type PageRound, roundAfter } from './round.ts'

/** The work of this page: the round it asks, and what was answered last. Lives on while other views are shown. */
export interface LabellingState {
  /** Its path: whose round it is. */
  readonly project: string
  /** The open round, or the one just closed; missing while there is none. */
  readonly round: PageRound | undefined
  /** The round is closed, and its card still shown. */
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

const labelling = observable<LabellingState>({ project: '', ...begun })

export const { use: useLabelling, now: labellingNow } = labelling

export const claims = createClaims((asked, granted) => apply({ type: 'granted', asked, granted }))

export function change(next: Partial<LabellingState>): void {
  labelling.set({ ...labelling.now(), ...next })
}

/** Changes what is known and not yet what is shown. */
export function keep(next: Partial<LabellingState>): void {
  labelling.setSilently({ ...labelling.now(), ...next })
}

/** Does something to the round, remembers it, and tells the server what is shown next. */
export function apply(action: Action): void {
  const { project, round: before } = labelling.now()
  const round = before && roundAfter(before, action)
  if (!round || round === before) return
  change({ round })
  remember(project, round.round, memoryOf(round))
  void claims.claim(round)
}
