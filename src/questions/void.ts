import type { Label, RoundFacts } from '../core/record.ts'
import type { Certificate, GivenAnswer } from './certificate.ts'

type Answered = readonly Pick<RoundFacts, 'draws' | 'answers'>[]

/**
 * Whether a certificate is about other answers than those that stand now: one it rests on was revised or taken back. By point, over the
 * rounds it was drawn in or a whole record, where a point of an audit is drawn once. What none of them drew was answered elsewhere, and stands.
 */
export function isVoid(certified: readonly GivenAnswer[], rounds: Answered): boolean {
  return changedIn(certified, rounds) !== undefined
}

function changedIn(certified: readonly GivenAnswer[], rounds: Answered): GivenAnswer | undefined {
  const standing = new Map<string, Label>(
    rounds.flatMap(({ draws, answers }) => draws.map(({ id }) => [id, answers.get(id) ?? null] as const)), // not asked: "cannot tell"
  )
  return certified.find(({ id, answer }) => standing.has(id) && standing.get(id) !== answer)
}

/** The answer that a certificate rests on and that is another one now: drawn for it, given meanwhile, or learned from before. */
export function revisedSince(
  { rounds: own, learned, after }: Pick<Certificate, 'rounds' | 'learned' | 'after'>,
  rounds: Answered,
): GivenAnswer | undefined {
  const told = own.flatMap(({ given, draws }) => [...given, ...draws])
  return changedIn(told, rounds) ?? changedIn(learned?.points ?? [], rounds.slice(0, after))
}
