import type { Side } from '../certificates/running-bets.ts'
import type { Model } from '../core/model.ts'
import type { RoundFacts } from '../core/record.ts'
import { metrics } from '../metrics/catalogue.ts'
import type { GivenAnswer } from './certificate.ts'
import type { Strata } from './frame.ts'
import type { QuestionSpec } from './spec.ts'

/**
 * ω: the share of what is staked against an error that is not bet on the answers that the model learned from, so that no more than half can be
 * lost on them. A constant: a choice could be made after seeing what it is good for.   @see docs/equations.md#carried
 */
export const keptBack = 0.5

/** Answers of learning that beliefs begin with: the newest, as long as the audit has no more of its own. */
export const calibratingAnswers = 200

/** What the answers that a model learned from say of it, as it was frozen: before the first draw of its audit. */
export interface Learned {
  /** As it goes on record with the first draws. */
  readonly rules: LearnedRules
  /** Points without an answer. */
  readonly points: number
  /** Random draws that the wealth rests on. */
  readonly answers: number
  /** log W₀: what they have earned against so many errors being at most the true number (`upper`), or at least (`lower`). */
  logWealth(side: Side, errors: number): number
  /** What was said of points that the model drew, each with its own model; the newest last. */
  readonly told: readonly ToldDoubt[]
  /** What a certificate says of it. */
  readonly certified: CertifiedLearning
}

/** As plain data: what was counted over the pool, never to be counted again. */
export interface LearnedRules {
  /** Answers that beliefs begin with. */
  readonly calibrating: number
  /** Missing where bets start from nothing: earlier models are not on record, or their scores were columns. */
  readonly evidence?: LearnedEvidence
}

export interface LearnedEvidence {
  /** ω */
  readonly keptBack: number
  /** Points of the pool when the model was frozen. */
  readonly poolSize: number
  /** By round: D, the points without an answer to which its model and the frozen one give different classes. */
  readonly rounds: readonly { readonly round: number; readonly differing: number }[]
}

/** An answer to a drawn point, and the logit of the chance of being wrong that its model saw. */
export interface ToldDoubt {
  readonly doubt: number
  readonly isWrong: boolean
}

/** The learning that a certificate rests on beside its own answers. */
export interface CertifiedLearning {
  /** Random draws of models that had learned: what the wealth rests on. 0 where bets start from nothing. */
  readonly answers: number
  /** ω: the share of the stake that was not bet on them. */
  readonly keptBack: number
  readonly calibrating: number
  readonly rounds: readonly LearnedRound[]
  /** Every point that had been drawn or labelled, with the answer that stands. */
  readonly points: readonly GivenAnswer[]
}

/** What separates the frozen model from the model of a round. */
export interface LearnedRound {
  readonly round: number
  readonly model: string
  /** Points that could be drawn, and draws. */
  readonly points: number
  readonly draws: number
  /** K: errors of the round's model found by now, "cannot tell" as none and as one. */
  readonly leastErrors: number
  readonly mostErrors: number
  /** D, and points that came later. */
  readonly differing: number
  readonly added: number
}

/** A record of learning, up to where a model was frozen. */
export interface LearningRecord {
  readonly rounds: readonly RoundFacts[]
  model(id: string): Promise<Model | undefined>
  /** Points of the pool then. */
  readonly poolSize: number
  /** Points that have been added since. */
  readonly absent?: readonly string[]
  /** What was counted then, if it was. */
  readonly known?: LearnedRules
}

/** What is owned against a value before the first draw of an audit; for a lower limit (1) or an upper one (−1). */
type StartWealth = (f: number, sign: 1 | -1) => number

/**
 * ω + (1 − ω) W₀, for a question about the errors among all points without an answer; undefined for any other, which starts from 1. The errors are
 * a whole number, so a value between two is tested by the next that it stands for.
 */
export function startWealthOf(question: QuestionSpec, { learned, poolSize }: Strata): StartWealth | undefined {
  const evidence = learned?.rules.evidence
  const { errors } = metrics[question.metric]
  if (!evidence || !errors || question.slice || question.against !== undefined) return undefined
  if (poolSize !== undefined && question.poolSize !== evidence.poolSize) return undefined
  const { points } = learned
  return (f, sign) => {
    const most = (errors === 'counted' ? f : 1 - f) * points
    const isLower = (errors === 'counted') === (sign === 1)
    const whole = isLower ? Math.floor(most + 1e-9 * points) : Math.ceil(most - 1e-9 * points)
    const log = learned.logWealth(isLower ? 'lower' : 'upper', Math.min(Math.max(whole, 0), points))
    return evidence.keptBack + (1 - evidence.keptBack) * Math.exp(Math.min(log, mostLog))
  }
}

/** More than any level asks for, and less than overflows. */
const mostLog = 500

/** The rounds with the answers that stood when the record had so many rounds. */
export function asSaidThen(rounds: readonly RoundFacts[], then: number): readonly RoundFacts[] {
  return rounds.map((facts) => {
    const later = facts.revisions.filter(({ opened }) => opened > then)
    if (later.length === 0) return facts
    const before = later.toReversed().map(({ id, from }) => [id, from] as const)
    return { ...facts, answers: new Map([...facts.answers, ...before]) }
  })
}
