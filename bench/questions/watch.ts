import type { AskedAnswer } from '../../src/questions/ask.ts'
import { estimatorFor } from '../../src/questions/estimator.ts'
import { type AuditRecord, RecordReader } from '../../src/questions/record.ts'
import type { QuestionSpec } from '../../src/questions/spec.ts'

/** What F can be, given all that people can tell: one value, unless they cannot tell everything. NaN: nothing to divide by. */
export type Truth = readonly [least: number, most: number]

export const exactly = (value: number): Truth => [value, value]

const rounding = 1e-9

/** What is wrong with what is said of a question, whatever the draws were; undefined where nothing is. */
export function faultOf(said: AskedAnswer, truth: Truth): string | undefined {
  const { state, value, low, high, question, answers } = said
  const fault = (what: string) =>
    `${JSON.stringify(question)} after ${answers}: ${what}, got ${JSON.stringify(said)} for ${truth}`
  const isKnown = truth[0] === truth[1]
  if (low === null || high === null || value === null) {
    if (state !== 'undefined') return fault('numbers are required')
    return Number.isNaN(truth[0]) || !isKnown ? undefined : fault('it is defined')
  }
  if (![value, low, high].every(Number.isFinite)) return fault('finite numbers are required')
  if (low > high) return fault('limits in order are required')
  if (value < low - rounding || value > high + rounding) return fault('a value within the limits is required')
  if (state === 'known' && isKnown && !(Math.abs(low - truth[0]) < rounding && low === high))
    return fault('the truth is required')
  if (state === 'defined' && Number.isNaN(truth[0])) return fault('it is not defined')
  return undefined
}

/** Whether limits leave out a value that F can have. Limits that cross have done so. */
export function isMissed({ state, low, high }: AskedAnswer, [least, most]: Truth): boolean {
  if (state === 'contradiction') return true
  if (low === null || high === null || Number.isNaN(least)) return false
  return low > least + rounding || high < most - rounding
}

/** Looks at what is said of questions as often as it is shown, and counts. */
export class Watch {
  readonly missed: boolean[]
  readonly faults: string[] = []
  readonly #truths: readonly Truth[]

  constructor(truths: readonly Truth[]) {
    this.#truths = truths
    this.missed = truths.map(() => false)
  }

  look(answers: readonly AskedAnswer[]): void {
    for (const [k, said] of answers.entries()) {
      const truth = this.#truths[k]!
      if (isMissed(said, truth)) this.missed[k] = true
      const fault = faultOf(said, truth)
      if (fault) this.faults.push(fault)
    }
  }
}

/** Reads a record and looks after every answer. */
export function watchRecord({ strata, rounds }: AuditRecord, questions: readonly QuestionSpec[], watch: Watch): void {
  const reader = new RecordReader(strata)
  const estimators = questions.map((spec) => estimatorFor(spec, strata, { tables: reader.tables(spec) }))
  reader.follow(estimators)
  const look = () => watch.look(estimators.map((estimator) => estimator.answer()))
  look()
  for (const { rules, given, draws } of rounds) {
    reader.give(given)
    if (given.length > 0) look()
    reader.begin(rules)
    for (const { code, answer } of draws) {
      if (answer === undefined) return
      reader.draw(code, answer)
      look()
    }
  }
}
