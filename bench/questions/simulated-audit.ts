import type { Label } from '../../src/core/record.ts'
import type { AskedAnswer } from '../../src/questions/ask.ts'
import { estimatorFor, type QuestionEstimator } from '../../src/questions/estimator.ts'
import { strataOf } from '../../src/questions/frame.ts'
import { type AuditRecord, type AuditRules, type Goal, type RecordedRound, RecordReader } from '../../src/questions/record.ts'
import { drawable, type Followers, plainAnswersLeft, rulesFor } from '../../src/questions/rules.ts'
import type { QuestionSpec } from '../../src/questions/spec.ts'
import type { AuditSubject } from '../../src/questions/subject.ts'

export interface SimulatedAudit {
  readonly subject: AuditSubject
  readonly truth: ReadonlyMap<string, Label>
  readonly questions: readonly QuestionSpec[]
  /** In force when so many answers are there; none: {}. */
  readonly goal: (answers: number) => Goal
  readonly seed: number
  readonly batch: number
  /** Answers to be had. */
  readonly answers: number
  /** How masses and beliefs are made; as audits make them, if left out. */
  readonly rules?: (reader: RecordReader, followers: Followers, goal: Goal) => AuditRules
  /** What follows the record for the question of this place, instead of what audits follow it with. */
  readonly follower?: (estimator: QuestionEstimator, place: number) => QuestionEstimator
  /** Told what is said of the questions after every answer. */
  readonly look?: (said: readonly AskedAnswer[]) => void
}

/**
 * The rounds of an audit without a store: for goals that `audit` does not take, and for rules that it does not make. Draws go on, whatever was
 * reached, as long as some answer can change something.
 */
export async function simulateAudit(plan: SimulatedAudit): Promise<AuditRecord> {
  const { subject, truth, questions, goal, seed, batch, answers, rules: make = rulesFor, follower, look } = plan
  const { pool, frame } = subject
  const strata = strataOf(frame, await pool.counts())
  const reader = new RecordReader(strata)
  const usual = questions.map((spec) => estimatorFor(spec, strata, { tables: reader.tables(spec) }))
  const estimators = follower ? usual.map(follower) : usual
  reader.follow(estimators)
  const rounds: RecordedRound[] = []
  while (reader.drawn < answers) {
    const rules = make(reader, { estimators }, goal(reader.drawn))
    const alike = plainAnswersLeft(reader) || batch
    const drawn = await pool.draw({
      ...drawable(reader, rules),
      size: Math.min(batch, alike, answers - reader.drawn),
      stream: { seed, name: `audit/${rounds.length}` },
    })
    if (drawn.length === 0) break
    const draws = drawn.map(({ id, code }) => ({ code, answer: truth.get(id)! }))
    reader.begin(rules)
    for (const { code, answer } of draws) {
      reader.draw(code, answer)
      look?.(estimators.map((estimator) => estimator.answer()))
    }
    await pool.take(drawn.map(({ id }) => id))
    rounds.push({ rules, given: [], draws })
  }
  return { strata, rounds }
}
