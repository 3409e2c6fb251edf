import type { RoundFacts } from './record.ts'

/** The error of a model over the points without an answer, as shares of these points. */
export interface Now {
  /** Without a guarantee, and never outside the limits. */
  readonly value: number
  readonly low: number
  readonly high: number
  readonly level: number
  /** Random draws that it rests on. */
  readonly answers: number
  readonly over: 'unanswered'
  /** How many points that are. */
  readonly points: number
}

/** What was said of a model after a round, and of which record: so that it can be told later without the pool, or that it no longer holds. */
export interface KeptLook {
  readonly model: string
  /** Rounds that were on record, all of them closed, and how often an answer of theirs had been revised. */
  readonly rounds: number
  readonly revisions: number
  readonly poolSize: number
  /** Null where nothing could be said. */
  readonly now: Now | null
}

/** What a look rests on. */
type Stand = Omit<KeptLook, 'now'>

/** What a look at a model rests on as things stand. A round that is open is no part of it. */
export function standOf(rounds: readonly RoundFacts[], { model, poolSize }: Pick<Stand, 'model' | 'poolSize'>): Stand {
  const closed = rounds.filter(({ isClosed }) => isClosed)
  const revisions = closed.reduce((sum, round) => sum + round.revisions.length, 0)
  return { model, rounds: closed.length, revisions, poolSize }
}

export type ChangeSince = 'revised' | 'grown' | 'more answers' | 'another model'

/** What has happened since a look was kept, if anything has that it does not know of. */
export function changeSince(look: KeptLook, stand: Stand): ChangeSince | undefined {
  if (look.revisions !== stand.revisions) return 'revised'
  if (look.poolSize !== stand.poolSize) return 'grown'
  if (look.rounds !== stand.rounds) return 'more answers'
  return look.model === stand.model ? undefined : 'another model'
}

/** The later labels of a run, and by how much the error fell while they were learned from. */
export interface Standstill {
  readonly labels: number
  readonly fall: number
  /** The standard error of the fall. */
  readonly noise: number
  /** Of the models of that time. */
  readonly error: number
}
