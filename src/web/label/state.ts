import type { Content, Label } from '../../protocol/points.ts'
import type { Claim } from '../../protocol/rounds.ts'
import { api, Failure } from '../api/client.ts'
import { page } from '../api/page.ts'
import { serverNow } from '../api/store.ts'
import { observable } from '../state/observable.ts'
import { remember } from './reading.ts'
import { type Action, memoryOf, type PageRound, roundAfter, unanswered, upcoming } from './round.ts'

/** The work of this page: the round it asks, and what was answered last. Lives on while other views are shown. */
export interface LabellingState {
  /** Its path: whose round it is. */
  readonly project: string
  /** The open round; missing while there is none. */
  readonly round: PageRound | undefined
  /** A point of a closed round, open again: its answer becomes a new fact. */
  readonly revision: Omit<Recent, 'label'> | undefined
  readonly recent: readonly Recent[]
  /** Of a round, the last point in draw order that was shown here. */
  readonly seen: { readonly round: number; readonly id: string } | undefined
  /** For ears: what the last key did. */
  readonly said: string
  /** The last thing the server would not take. */
  readonly refusal: Failure | undefined
}

/** How the work on a project begins. */
export const begun = {
  round: undefined,
  revision: undefined,
  recent: [],
  seen: undefined,
  said: '',
  refusal: undefined,
}

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

const seenIn = ({ round }: PageRound): string | undefined => {
  const { seen } = labelling.now()
  return seen?.round === round ? seen.id : undefined
}

/** Tells the server how far the open round was shown. A point of a closed one is known there. */
export function show(id: string): void {
  const { round } = labelling.now()
  if (!round) return
  const placeOf = (wanted: string | undefined) => round.points.findIndex((point) => point.id === wanted)
  if (placeOf(id) <= placeOf(seenIn(round))) return
  keep({ seen: { round: round.round, id } })
  void claims.claim(round)
}

/** The point shown and the next two. */
const ahead = 3

/** What one page tells the server it is showing: one request at a time, and only when it changed. */
function createClaims(onGranted: (asked: readonly string[], granted: readonly string[]) => void) {
  let claimed = ''
  let wanted: PageRound | undefined
  let isClaiming = false

  async function claimWanted(): Promise<void> {
    for (let round = wanted; round; round = wanted) {
      wanted = undefined
      const ids = claimable(round)
      const seen = seenIn(round)
      const name = `${round.round} ${ids.join(' ')} ${seen ?? ''}`
      if (name === claimed || ids.length === 0 || serverNow().connection === 'offline') continue
      claimed = name
      const granted = await grantOf(round.round, { page, ids, ...(seen !== undefined && { seen }) })
      if (granted) onGranted(ids, granted)
      else claimed = ''
    }
  }

  return {
    /** Claims what the round shows next; resolves when that is settled. */
    async claim(round: PageRound): Promise<void> {
      wanted = round
      if (isClaiming) return
      isClaiming = true
      await claimWanted()
      isClaiming = false
    },
    /** Forgets what was claimed: the server may have, too. */
    forget(): void {
      claimed = ''
    },
  }
}

/** Where all that is left is with others: that, in case they have gone. */
function claimable(round: PageRound): string[] {
  const ids = upcoming(round, ahead)
  return ids.length > 0 ? ids : unanswered(round).slice(0, ahead)
}

/** Nothing where the server cannot be asked: then the page goes on with what it has. */
async function grantOf(round: number, claim: Claim): Promise<readonly string[] | undefined> {
  try {
    return (await api.claim(round, claim)).granted
  } catch (failure) {
    if (failure instanceof Failure) return undefined
    throw failure
  }
}

export interface Recent {
  readonly round: number
  readonly content: Content
  readonly label: Label
}

/** More than are shown, so that undoing uncovers older ones. */
const kept = 30

/** Newest first; a point answered anew moves to the front. */
export function addRecent(recent: readonly Recent[], answer: Recent): readonly Recent[] {
  return [answer, ...withoutRecent(recent, answer.round, answer.content.id)].slice(0, kept)
}

export function withoutRecent(recent: readonly Recent[], round: number, id: string): readonly Recent[] {
  return recent.filter((answer) => answer.round !== round || answer.content.id !== id)
}
