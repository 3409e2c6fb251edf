import type { Content, Label } from '../../protocol/points.ts'

/** An answer given lately. */
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
