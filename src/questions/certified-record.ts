import type { AskedAnswer } from './ask.ts'
import type { Certificate, CertifiedRound } from './certificate.ts'
import type { Frame, Strata } from './frame.ts'
import { type AuditRecord, type RaceSpec, rulesIn } from './record.ts'
import { aimedAt, isReachedBy } from './rules.ts'
import { keyOf, type QuestionSpec } from './spec.ts'
import type { AuditSubject } from './subject.ts'

/** A certificate's rounds as a record that can be asked. */
export async function recordOf(
  { pool }: AuditSubject,
  strata: Strata,
  rounds: readonly Pick<CertifiedRound, 'rules' | 'given' | 'draws'>[],
): Promise<AuditRecord> {
  const coded = async (points: CertifiedRound['given']) => {
    const codes = points.length > 0 ? await pool.codesOf(points.map(({ id }) => id)) : []
    return points.map(({ answer }, k) => ({ code: codes[k]!, answer }))
  }
  const read = []
  for (const { rules, given, draws } of rounds) read.push({ rules, given: await coded(given), draws: await coded(draws) })
  return { strata, rounds: read }
}

type Rounds = readonly Pick<CertifiedRound, 'rules'>[]

/** Every question that was asked before some of the draws, those of the last round first: a certificate has all of them. */
export function questionsAsked(frame: Frame, rounds: Rounds): readonly QuestionSpec[] {
  const asked = rounds.toReversed().flatMap(({ rules }) => rulesIn(frame, rules).questions.map(({ question }) => question))
  return [...new Map(asked.map((question) => [keyOf(question), question])).values()]
}

/** The race of models that the last draws of one were made for. */
export function raceOnRecord(rounds: Rounds): RaceSpec | undefined {
  return rounds.findLast(({ rules }) => rules.race)?.rules.race
}

/** The goal of the last draws, and whether what they were made for has come to it. Where people stopped before, that was the budget. */
export function goalOnRecord(
  frame: Frame,
  { rounds, questions, best }: { readonly questions: readonly AskedAnswer[] } & Pick<Certificate, 'rounds' | 'best'>,
): Pick<Certificate, 'goal' | 'reached'> {
  const { rules, draws, size } = rounds.at(-1)!
  const { goal, race, questions: registered } = rulesIn(frame, rules)
  const keys = new Set(aimedAt(registered, goal).map(({ question }) => keyOf(question)))
  const aims = questions.filter(({ question }) => keys.has(keyOf(question)))
  const reached = race ? best?.model != null : aims.every((asked) => isReachedBy(asked, goal))
  if (reached || draws.length === size) return { goal, reached }
  const answers = rounds.reduce((sum, round) => sum + round.draws.length, 0)
  return { goal: { ...goal, budget: answers }, reached }
}
