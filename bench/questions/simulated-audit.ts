import type { Label } from '../../src/core/record.ts'
import { Inquiry } from '../../src/questions/ask.ts'
import { strataOf } from '../../src/questions/frame.ts'
import { type AuditRecord, type AuditRules, type Goal, type RecordedRound, RecordReader } from '../../src/questions/record.ts'
import { rulesFor, warmUp } from '../../src/questions/rules.ts'
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
  readonly rules?: (reader: RecordReader, inquiries: readonly Inquiry[], goal: Goal) => AuditRules
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
  const inquiries = questions.map((spec) => new Inquiry(spec, reader.tables(spec), strata))
  reader.follow(inquiries)
  const rounds: RecordedRound[] = []
  while (reader.drawn < answers) {
    const rules = make(reader, inquiries, goal(reader.drawn))
    const { masses, left } = reader.open(rules)
    const drawable = [...masses.keys()].filter((k) => masses[k]! > 0 && left[k]! > 0)
    const alike = reader.drawn < warmUp ? warmUp - reader.drawn : Number.POSITIVE_INFINITY
    const drawn = await pool.draw({
      codes: Float64Array.from(drawable, (k) => strata.codes[k]!),
      masses: Float64Array.from(drawable, (k) => masses[k]!),
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
