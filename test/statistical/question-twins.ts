import { isMissed, type Truth } from '../../bench/questions/watch.ts'
import { QuestionInterval } from '../../src/certificates/question-interval.ts'
import type { Label } from '../../src/core/record.ts'
import { estimatorFor } from '../../src/questions/estimator.ts'
import type { Strata } from '../../src/questions/frame.ts'
import {
  type AuditRecord,
  type AuditRules,
  type Goal,
  type OpenRound,
  planFor,
  type QuestionReader,
  RecordReader,
} from '../../src/questions/record.ts'
import { type Followers, rulesFor } from '../../src/questions/rules.ts'
import type { QuestionSpec } from '../../src/questions/spec.ts'
import type { QuestionTables } from '../../src/questions/tables.ts'
import { totalsOf } from '../../src/questions/totals.ts'

/** A broken rule: masses of the first question alone, its F as it is estimated, with no share that is spread evenly. They become 0. */
export function vanishingMasses(reader: RecordReader, { estimators }: Followers, goal: Goal): AuditRules {
  const fair = rulesFor(reader, { estimators }, goal)
  if (fair.isPlain) return fair
  const questions = fair.questions.map(({ question }) => ({ question, isOpen: true }))
  const centre = estimators[0]!.answer().value ?? 0
  return { ...fair, questions, mass: { kind: 'spread', floor: 0, parts: [{ centre, scale: 1 }], mean: 1 } }
}

/** Which questions are missed at any time by intervals that do not ask whether every point that matters could be drawn. */
export function blindMisses(record: AuditRecord, specs: readonly QuestionSpec[], truths: readonly Truth[]): boolean[] {
  const reader = new RecordReader(record.strata)
  const blind = specs.map((spec) => blindEstimator(spec, reader.tables(spec)[0]!, record.strata))
  reader.follow(blind)
  const missed = specs.map(() => false)
  for (const { rules, draws } of record.rounds) {
    reader.begin(rules)
    for (const { code, answer } of draws) {
      reader.draw(code, answer!)
      for (const [q, own] of blind.entries()) if (isMissed(own.answer(), truths[q]!)) missed[q] = true
    }
  }
  return missed
}

function blindEstimator(question: QuestionSpec, tables: QuestionTables, strata: Strata) {
  const interval = new QuestionInterval({ question: tables.question, counts: tables.counts, steps: tables.steps })
  let round: OpenRound
  const reader: QuestionReader = {
    give: (stratum, answer) => interval.give(tables.kinds[stratum]!, tables.worth(stratum, answer)),
    begin(opened, { goal }) {
      round = opened
      const { left, masses, beliefs, ...rest } = opened
      const drawable = left.map((points, k) => (masses[k]! > 0 ? points : 0))
      const { num, den } = totalsOf(tables, strata, { left, masses: masses.map(() => 1), beliefs })
      interval.replan(planFor(goal))
      interval.round({ ...totalsOf(tables, strata, { left: drawable, masses, beliefs }), num, den, isCovered: true }, rest)
    },
    draw(stratum: number, answer: Label) {
      const kind = tables.kinds[stratum]!
      const belief = round.beliefs.moments(strata.profiles[stratum]!, tables.question.kinds[kind]!)
      interval.draw({ kind, mass: round.masses[stratum]!, belief, worth: tables.worth(stratum, answer) })
    },
  }
  const rest = { question, level: 0.95, plan: planFor({}), isRegistered: true, points: tables.points }
  return { ...reader, answer: () => ({ ...interval.answer(), ...rest }) }
}

/** Which questions are missed at any time if the rules of every round are made anew from the answers that stand now. */
export function refittedMisses(record: AuditRecord, specs: readonly QuestionSpec[], truths: readonly Truth[]): boolean[] {
  const reader = new RecordReader(record.strata)
  const estimatorOf = (spec: QuestionSpec) => estimatorFor(spec, record.strata, { tables: reader.tables(spec) })
  const open = record.rounds[0]!.rules.questions.map(({ question }) => estimatorOf(question))
  const own = specs.map(estimatorOf)
  reader.follow([...open, ...own])
  const missed = specs.map(() => false)
  for (const { rules, draws } of record.rounds) {
    reader.begin(rulesFor(reader, { estimators: open }, rules.goal))
    for (const { code, answer } of draws) {
      reader.draw(code, answer!)
      for (const [q, estimator] of own.entries()) if (isMissed(estimator.answer(), truths[q]!)) missed[q] = true
    }
  }
  return missed
}
