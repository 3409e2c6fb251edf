import { requireClasses } from '../core/classes.ts'
import { requireInput } from '../core/errors.ts'
import type { Label } from '../core/record.ts'
import { doubtPlace, stratumCodes } from '../core/strata.ts'
import { plainRule } from './beliefs.ts'
import { axesOf, type Frame, strataOf } from './frame.ts'
import type { AuditRecord, AuditRules } from './record.ts'

/** A plain uniform sample: what it was drawn from, and what was answered. */
export interface Sample {
  /** Classes that an answer may name. */
  readonly classes?: readonly string[]
  /** Or the least and the largest grade, where answers are numbers. */
  readonly range?: readonly [number, number]
  /** How many points the sample was drawn from; where classes were predicted, by class. */
  readonly of: number | Readonly<Record<string, number>>
  /** What was answered, in the order it was drawn, with the class that was predicted where some were. Null: "cannot tell". */
  readonly answers: readonly (Label | { readonly predicted: string; readonly answer: Label })[]
  /** Whether the size of the sample was fixed before the first answer: intervals are a quarter narrower. Default false. */
  readonly isPlanned?: boolean
}

/**
 * A plain uniform sample, drawn without replacement, as the simplest of all records.
 *
 * @example ask(sample({ classes: ['ham', 'spam'], of: 2000, answers }), question('prevalence', { positive: 'spam' }))
 */
export function sample({ classes = [], range, of, answers, isPlanned = false }: Sample): AuditRecord {
  requireInput(
    classes.length >= 2 !== (range !== undefined),
    `sample: two classes or more, or a range, are required, got ${range ? 'both' : 'neither'}`,
  )
  if (!range) requireClasses(classes)
  const isPredicted = typeof of !== 'number'
  const frame: Frame = { classes, models: isPredicted ? ['predicted'] : [], slices: [], ...(range && { range }) }
  const { code } = stratumCodes(axesOf(frame))
  const rest = { doubt: doubtPlace(0.1), runnerUp: classes.length, share: 0, grade: 0, slices: [] }
  const codeOf = (predicted?: string) => {
    if (!isPredicted) return code({ predicted: [], ...rest })
    const place = classes.indexOf(predicted ?? '')
    requireInput(place >= 0, `predicted: one of ${classes.join(', ')} is required, got ${predicted ?? 'none'}`)
    return code({ predicted: [place], ...rest })
  }
  const counts = isPredicted
    ? Object.entries(of).map(([name, count]): [number, number] => [codeOf(name), count])
    : [[codeOf(), of] as [number, number]]
  for (const [, count] of counts)
    requireInput(Number.isInteger(count) && count >= 0, `of: a whole number of points is required, got ${count}`)
  counts.sort(([a], [b]) => a - b)
  const strata = strataOf(frame, {
    codes: Float64Array.from(counts, ([own]) => own),
    counts: Float64Array.from(counts, ([, count]) => count),
  })
  const draws = answers.map((told) => {
    const isPlain = told === null || typeof told === 'string'
    return { code: codeOf(isPlain ? undefined : told.predicted), answer: isPlain ? told : told.answer }
  })
  const rules: AuditRules = {
    belief: plainRule(strata, strata.counts),
    mass: { kind: 'uniform' },
    isPlain: true,
    goal: isPlanned ? { budget: answers.length } : {},
    questions: [],
  }
  return { strata, rounds: [{ rules, given: [], draws }] }
}
