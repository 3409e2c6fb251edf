import type { StrataDrawRequest } from '../core/strata.ts'
import type { AskedAnswer, Inquiry } from './ask.ts'
import { beliefsOf, calibratedRule, plainRule } from './beliefs.ts'
import { spreadRule } from './masses.ts'
import type { AuditRules, Goal, RecordReader } from './record.ts'
import { totalsOf } from './totals.ts'

/** How an audit draws: where answers say most of what is asked, or every point alike. */
export const auditStrategies = ['alis-audit', 'uniform'] as const
export type AuditStrategy = (typeof auditStrategies)[number]

/** Answers drawn alike first, while nothing is known of the confidences. */
export const warmUp = 50

/** What the answers of an audit say of a question so far. */
export interface AuditedQuestion extends AskedAnswer {
  /** Whether the tolerance or the ceiling that was set has been reached. */
  readonly isReached: boolean
}

export function standingOf(inquiry: Inquiry, { tolerance, below }: Goal): AuditedQuestion {
  const answer = inquiry.answer()
  const { low, high, state } = answer
  const isNarrow = tolerance !== undefined && low !== null && high !== null && (high - low) / 2 <= tolerance
  const isBelow = below !== undefined && high !== null && high <= below
  const isOver = state === 'known' || state === 'undefined'
  return { ...answer, isReached: state !== 'contradiction' && (isNarrow || isBelow || isOver) }
}

/** Nothing more can be had for a question: its goal is reached, or only what is certain may still be said. */
export const isClosed = ({ isReached, state }: AuditedQuestion) => isReached || state === 'contradiction'

/** The rules of the next round, from what was answered so far and nothing else: anybody can make them again. */
export function rulesFor(
  reader: RecordReader,
  inquiries: readonly Inquiry[],
  goal: Goal,
  strategy: AuditStrategy = 'alis-audit',
): AuditRules {
  const { strata, left, answered } = reader
  const isPlain = reader.drawn < warmUp
  const belief = isPlain ? plainRule(strata, left) : calibratedRule(strata, left, answered)
  const beliefs = beliefsOf(belief, strata)
  const open = inquiries.map((inquiry) => !isClosed(standingOf(inquiry, goal)))
  const questions = inquiries.map(({ question }, k) => ({ question, isOpen: open[k]! }))
  const alike: AuditRules = { belief, mass: { kind: 'equal' }, isPlain, goal, questions }
  const totalsUnder = (rules: AuditRules) => {
    const { masses } = reader.open(rules)
    return inquiries.map(({ tables }) => totalsOf(tables, strata, left, masses, beliefs))
  }
  const rules = isPlain || strategy === 'uniform' ? alike : { ...alike, mass: spreadRule(wanted(), strata, left, beliefs) }
  const totals = totalsUnder(rules)
  return { ...rules, questions: questions.map((each, k) => ({ ...each, totals: totals[k]! })) }

  function wanted() {
    const even = totalsUnder(alike)
    return inquiries.flatMap((inquiry, k) => (open[k] ? [inquiry.wanted(even[k]!, goal.tolerance)] : []))
  }
}

/** The strata that a round may draw from, with the mass of each of their points. */
export function drawable(reader: RecordReader, rules: AuditRules): Pick<StrataDrawRequest, 'codes' | 'masses'> {
  const { masses, left } = reader.open(rules)
  const places = [...masses.keys()].filter((k) => masses[k]! > 0 && left[k]! > 0)
  return {
    codes: Float64Array.from(places, (k) => reader.strata.codes[k]!),
    masses: Float64Array.from(places, (k) => masses[k]!),
  }
}
