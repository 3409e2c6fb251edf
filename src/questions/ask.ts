import type { Plan } from '../certificates/plan.ts'
import type { QuestionAnswer } from '../certificates/question-interval.ts'
import { estimatorFor } from './estimator.ts'
import { type AuditRecord, readRecord } from './record.ts'
import type { QuestionSpec } from './spec.ts'

/** What a record says of a question. Numbers are missing where there is nothing to divide by. */
export interface AskedAnswer extends QuestionAnswer {
  readonly question: QuestionSpec
  readonly level: number
  /** The one in force at the last draw. */
  readonly plan: Plan
  /** Whether it was asked before some of the draws were made; otherwise it was read off the record afterwards. */
  readonly isRegistered: boolean
  /** Answers that the model learned from, where bets start from what these say. */
  readonly learned?: number
  /** Points that it is about: all, or those of a slice. */
  readonly points: number
  /** `if any`: how many points the denominator can have at the most, at the same level. */
  readonly atMost?: number
}

/** How sure several answers are to be. */
export interface AskOptions {
  /** So many questions are to hold all at once: each may be wrong that much more rarely. Default 1: each by itself. */
  readonly together?: number
  /** Count draws only from the round on that a question was asked before: as it may have been picked by what was known by then. */
  readonly sinceAsked?: boolean
}

/**
 * Asks something of a record. Nothing is written, and no other answer changes.
 *
 * @example ask(record, question('recall', { positive: 'spam' }))   // → { value, low, high, state, answers, … }
 */
export function ask(record: AuditRecord, question: QuestionSpec, options: AskOptions = {}): AskedAnswer {
  return askAll(record, [question], options)[0]!
}

/**
 * The same for several, in one reading of the record.
 *
 * @example askAll(record, questions, { together: questions.length })   // limits that hold all at once
 */
export function askAll(
  record: AuditRecord,
  questions: readonly QuestionSpec[],
  options: AskOptions = {},
): readonly AskedAnswer[] {
  const estimators = questions.map((question) => estimatorFor(question, record.strata, options))
  readRecord(record, estimators)
  return estimators.map((estimator) => estimator.answer())
}

/**
 * Limits that hold for all of these at once, though some may have been asked for what the draws before had shown; `each`: what is said of them one by
 * one, which none of these is within.   @see docs/equations.md#each-and-together
 */
export function limitsTogether(record: AuditRecord, each: readonly AskedAnswer[]) {
  const questions = each.map(({ question }) => question)
  return askAll(record, questions, { together: questions.length, sinceAsked: true }).map(({ low, high }, k) => ({
    low: low === null ? null : Math.min(low, each[k]!.low!),
    high: high === null ? null : Math.max(high, each[k]!.high!),
  }))
}
