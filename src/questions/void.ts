import { isFor, type Label, type RoundFacts } from '../core/record.ts'
import type { Certificate, GivenAnswer } from './certificate.ts'
import { type EarlierCertificate, isEarlier } from './earlier.ts'

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
  rounds: readonly RoundFacts[],
): GivenAnswer | undefined {
  const numbers = new Set(own.map(({ round }) => round))
  const [drawn, others] = [true, false].map((isOwn) => rounds.filter(({ round }) => numbers.has(round) === isOwn))
  return (
    changedIn(
      own.flatMap(({ draws }) => draws),
      drawn!,
    ) ??
    changedIn(
      own.flatMap(({ given }) => given),
      others!,
    ) ??
    changedIn(learned?.points ?? [], rounds.slice(0, after))
  )
}

/** Whether a certificate, in either format, is about other answers than those that stand now. */
export function isRevised(certificate: Certificate | EarlierCertificate, rounds: readonly RoundFacts[]): boolean {
  if (!isEarlier(certificate)) return revisedSince(certificate, rounds) !== undefined
  return isVoid(
    certificate.draws,
    rounds.filter((round) => isFor('audit', round) && round.model === certificate.model),
  )
}
