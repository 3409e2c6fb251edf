import { requireInput } from '../../core/errors.ts'
import { didYouMean } from '../../core/nearest-name.ts'
import type { Label } from '../../core/record.ts'
import { count } from '../../text/wording.ts'

/** The classes of a run, and what a value of the label column is among them. */
export interface Classes {
  readonly names: readonly string[]
  of(value: Label): Label
}

/**
 * Which classes a label column means: with `positive`, those values (separated by commas) against all others; without
 * it, the distinct values themselves. Two values make two classes, the later one positive; more make K classes.
 */
export function classesOf(column: string, labels: ReadonlySet<Label>, positive: string | undefined): Classes {
  const values = distinct(labels)
  requireInput(
    values.length >= 2,
    `${column}: at least two different labels are required, got ${values.length === 0 ? 'none' : `only ${JSON.stringify(values[0])}`}`,
    'Choose another column with --label.',
  )
  if (positive === undefined) {
    requireInput(
      values.length <= 1000,
      `${column}: at most 1,000 classes are possible, got ${count(values.length)} different values`,
      'Is this the label column? Choose one with --label.',
    )
    return { names: values, of: (value) => value }
  }
  const chosen = values.includes(positive) ? [positive] : positive.split(',')
  for (const value of chosen) {
    const shown = values.slice(0, 10).join(', ') + (values.length > 10 ? ', …' : '')
    requireInput(
      values.includes(value),
      `positive: one of the values of ${column} is required, got ${JSON.stringify(value)}`,
      didYouMean(value, values) ?? `The values are ${shown}.`,
    )
  }
  requireInput(
    chosen.length < values.length,
    `positive: some value of ${column} must be left over as negative, got all of them`,
    'Name fewer with --positive.',
  )
  const names = [`not ${positive}`, positive]
  return { names, of: (value) => (value === null ? null : chosen.includes(value) ? names[1]! : names[0]!) }
}

/** Numbers in order of size, anything else in order of characters: no locale, so the same everywhere. */
function distinct(labels: ReadonlySet<Label>): string[] {
  const values = [...labels].filter((label) => label !== null)
  const areNumbers = values.every((value) => value.trim() !== '' && Number.isFinite(Number(value)))
  return values.sort((a, b) => (areNumbers ? Number(a) - Number(b) : 0) || (a < b ? -1 : 1))
}
