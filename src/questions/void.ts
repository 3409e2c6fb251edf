import type { RoundFacts } from '../core/record.ts'
import type { CertifiedDraw } from './certificate.ts'

/**
 * Whether a certificate is about other answers than those that stand now: one it rests on was revised or taken back. By point, over the
 * rounds it was drawn in or a whole record, where a point of an audit is drawn once. What none of them drew was answered elsewhere, and stands.
 */
export function isVoid(
  certified: readonly Pick<CertifiedDraw, 'id' | 'answer'>[],
  rounds: readonly Pick<RoundFacts, 'draws' | 'answers'>[],
): boolean {
  const standing = new Map(
    rounds.flatMap(({ draws, answers }) => draws.map(({ id }) => [id, answers.get(id) ?? null] as const)), // not asked: "cannot tell"
  )
  return certified.some(({ id, answer }) => standing.has(id) && standing.get(id) !== answer)
}
