import type { Label } from '../../src/core/record.ts'
import { estimatorFor } from '../../src/questions/estimator.ts'
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
}

/**
 * The rounds of an audit without a store: for goals that `audit` does not take, and for rules that it does not make. Draws go on, whatever was
 * reached, as long as some answer can change something.
 */
export async function simulateAudit(plan: SimulatedAudit): Promise<AuditRecord> {
  const { subject, truth, questions, goal, seed, batch, answers, rules: make = rulesFor } = plan
  const { pool, frame } = subject
  const strata = strataOf(frame, await pool.counts())
  const reader = new RecordReader(strata)
  const estimators = questions.map((spec) => estimatorFor(spec, strata, { tables: reader.tables(spec) }))
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
    for (const { code, answer } of draws) reader.draw(code, answer)
    await pool.take(drawn.map(({ id }) => id))
    rounds.push({ rules, given: [], draws })
  }
  return { strata, rounds }
}
