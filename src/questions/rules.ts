import type { Forecast } from '../certificates/forecast.ts'
import { pick } from '../core/pick.ts'
import type { StrataDrawRequest } from '../core/strata.ts'
import { metrics } from '../metrics/catalogue.ts'
import type { AskedAnswer } from './ask.ts'
import { beliefsOf, calibratedRule, plainRule } from './beliefs.ts'
import type { QuestionEstimator } from './estimator.ts'
import type { Frame, Strata } from './frame.ts'
import { spreadRule } from './masses.ts'
import type { RaceReader } from './race.ts'
import type { AuditRules, Goal, RecordReader } from './record.ts'
import type { QuestionSpec } from './spec.ts'
import { totalsOf } from './totals.ts'

/** How an audit draws: where answers say most of what is asked, or every point alike. */
export const auditStrategies = ['alis-audit', 'uniform'] as const
export type AuditStrategy = (typeof auditStrategies)[number]

/** Answers drawn alike first, while nothing is known of the confidences. */
export const warmUp = 50

/**
 * How many of them answers of learning stand in for. Not all: these are about models that came before, where those were unsure, and errors of a
 * model that was sure are dear if they have not been looked for.   @see docs/decisions/carried-evidence.md
 */
const spared = 25

/** The same for a pool: masses do not go by grades, so a few answers are enough to see what those that were given are worth. */
const warmUpFor = ({ range }: Frame) => (range ? 10 : warmUp)

/** How many more answers are to be drawn alike: a round of them ends there. */
export function plainAnswersLeft({ strata, drawn }: RecordReader): number {
  return Math.max(0, warmUpFor(strata.frame) - drawn - Math.min(spared, strata.learned?.told.length ?? 0))
}

/** A question as it is registered for a goal: decided from the goal alone, before the first answer. */
function asRegistered(question: QuestionSpec, { below, budget = 0, tolerance = 1 }: Goal): QuestionSpec {
  const isLong = budget >= 500 || tolerance <= 0.1 // where a mean over classes is narrower to first order than by its parts
  return {
    ...question,
    ...(below !== undefined && { isCeiling: true as const }),
    ...(isLong && metrics[question.metric].meanOver && { isLinearised: true as const }),
  }
}

/** All of an audit: with `first`, a ceiling is of the first alone. */
export function registered(questions: readonly QuestionSpec[], goal: Goal): readonly QuestionSpec[] {
  return questions.map((each, k) => asRegistered(each, goal.first && k > 0 ? pick(goal, 'tolerance', 'budget') : goal))
}

/** What the answers of an audit say of a question so far. */
export interface AuditedQuestion extends AskedAnswer {
  /** Whether the tolerance or the ceiling that was set has been reached. */
  readonly isReached: boolean
  /** About how many more answers until then. */
  readonly forecast?: Forecast
}

export function standingOf(estimator: QuestionEstimator, goal: Goal): AuditedQuestion {
  const answer = estimator.answer()
  const isReached = isReachedBy(answer, goal)
  const missing = isReached ? undefined : widthMissing(answer, goal)
  const forecast = missing === undefined ? undefined : estimator.forecast(missing)
  return { ...answer, isReached, ...(forecast && { forecast }) }
}

/** The half-width that a goal comes to; none where it looks out of reach. */
function widthMissing({ value }: AskedAnswer, { tolerance, below }: Goal): number | undefined {
  return tolerance ?? (below !== undefined && value !== null && value < below ? below - value : undefined)
}

/** Whether what is said of a question is all that was wanted. A value above a ceiling is not below it because it is known. */
export function isReachedBy(asked: AskedAnswer, { tolerance, below }: Goal): boolean {
  const { low, high, state } = asked
  const isNarrow = tolerance !== undefined && low !== null && high !== null && (high - low) / 2 <= tolerance
  const isBelow = below !== undefined && high !== null && high <= below
  return state !== 'contradiction' && (isNarrow || isBelow || (below === undefined && isOver(asked)))
}

/** Whether no answer changes what is said. */
export const isOver = ({ state }: AskedAnswer): boolean => state === 'known' || state === 'undefined'

/** Those of some questions that a goal is about. */
export const aimedAt = <T>(questions: readonly T[], { first }: Goal): readonly T[] => (first ? questions.slice(0, 1) : questions)

/** Nothing more can be had for a question: its goal is reached, or only what is certain may still be said. */
export const isClosed = (asked: AuditedQuestion) => asked.isReached || asked.state === 'contradiction' || isOver(asked)

/** What an audit follows its record for. */
export interface Followers {
  readonly estimators: readonly QuestionEstimator[]
  /** Of models for the best, if that is what draws are made for. */
  readonly race?: RaceReader | undefined
}

/** The rules of the next round, from what was answered so far and nothing else: so they can be made again. */
export function rulesFor(
  reader: RecordReader,
  { estimators, race }: Followers,
  goal: Goal,
  strategy: AuditStrategy = 'alis-audit',
): AuditRules {
  if (race) return raceRules(reader, { estimators, race }, goal)
  const { strata, left, answered } = reader
  const isPlain = plainAnswersLeft(reader) > 0
  const belief = isPlain ? plainRule(strata, left) : calibratedRule(strata, left, answered)
  const beliefs = beliefsOf(belief, strata)
  const aims = aimedAt(estimators, goal)
  const open = estimators.map((estimator) => aims.includes(estimator) && !isClosed(standingOf(estimator, goal)))
  const questions = estimators.map(({ question }, k) => ({ question, isOpen: open[k]! }))
  const learned = reader.rounds === 0 && strata.learned ? { learned: strata.learned.rules } : {}
  const alike: AuditRules = { belief, mass: { kind: 'equal' }, isPlain, goal, ...poolOf(strata), questions, ...learned }
  const totalsUnder = (rules: AuditRules) => {
    const round = reader.open(rules)
    return estimators.map(({ tables }) => tables.map((each) => totalsOf(each, strata, round)))
  }
  const wanted = () => {
    const even = totalsUnder(alike)
    return estimators.flatMap((estimator, k) => (open[k] ? estimator.wanted(even[k]!, goal.tolerance) : []))
  }
  const rules = isPlain || strategy === 'uniform' ? alike : { ...alike, mass: spreadRule(wanted(), strata, left, beliefs) }
  const totals = totalsUnder(rules)
  return { ...rules, questions: questions.map((each, k) => ({ ...each, totals: totals[k]! })) }
}

/** A race needs no draws that are alike first: what models predict is all that it goes by. */
function raceRules(reader: RecordReader, { estimators, race }: Required<Followers>, goal: Goal): AuditRules {
  const { strata, left } = reader
  const belief = { kind: 'votes', wrong: unknownChance } as const
  const mass = { kind: 'race', ...race!.state(left, beliefsOf(belief, strata)) } as const
  const questions = estimators.map(({ question }) => ({ question, isOpen: false }))
  return { belief, mass, isPlain: false, goal, ...poolOf(strata), questions, race: race!.spec }
}

const poolOf = ({ poolSize }: Strata) => (poolSize === undefined ? {} : { poolSize })

/** The chance that a prediction is wrong of which nothing is known. */
const unknownChance = 0.1

/** The strata that a round may draw from, with the mass of each of their points. */
export function drawable(reader: RecordReader, rules: AuditRules): Pick<StrataDrawRequest, 'codes' | 'masses'> {
  const { masses, left } = reader.open(rules)
  const places = [...masses.keys()].filter((k) => masses[k]! > 0 && left[k]! > 0)
  return {
    codes: Float64Array.from(places, (k) => reader.strata.codes[k]!),
    masses: Float64Array.from(places, (k) => masses[k]!),
  }
}
