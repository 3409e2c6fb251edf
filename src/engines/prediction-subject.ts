import { canonicalOrder } from '../core/canonical-order.ts'
import { requireClasses } from '../core/classes.ts'
import { requireInput } from '../core/errors.ts'
import { linesHash } from '../core/hash.ts'
import type { AuditSubject } from '../questions/subject.ts'
import { type Coded, classesAmong, type Measured, type PredictedRows, saidOf, soundRows, strataOfRows } from './predicted-rows.ts'
import { stratifiedMemory } from './stratified.ts'

/** Predictions in arrays: one entry a point, in the order of the ids. */
export interface PredictedPoints {
  readonly ids: readonly string[]
  /** The class that is predicted. Default: the likeliest. */
  readonly predicted?: readonly string[]
  /** The probability of what is predicted, as the model has it: what answers are saved by. */
  readonly confidence?: ArrayLike<number>
  /** In its place, probabilities by class. */
  readonly probabilities?: Readonly<Record<string, ArrayLike<number>>>
  /** What other models predict, by their names: for differences, or to find the best. */
  readonly others?: Readonly<Record<string, readonly string[]>>
  /** What slices are made of, by the names of the columns; null where a value is missing. */
  readonly slices?: Readonly<Record<string, readonly (string | null)[]>>
  /** Classes that an answer may name. Default: those that are predicted. */
  readonly classes?: readonly string[]
}

/**
 * Predictions in memory as something to audit. Draws and the identity of the model are those of the same predictions in a file.
 *
 * @example audit({ subject: predictionsSubject({ ids, predicted, confidence }), questions: [question('error')], … })
 */
export function predictionsSubject(points: PredictedPoints): AuditSubject {
  const { ids, predicted, confidence, probabilities, others = {}, slices = {} } = points
  requireInput(
    predicted !== undefined || probabilities !== undefined,
    'predictions: classes that are predicted, or probabilities of each class, are required, got none',
  )
  const named = <T, C>(columns: Readonly<Record<string, T>>, read: (column: string, values: T, rows: number) => C): C[] =>
    Object.entries(columns).map(([column, values]) => read(column, values, ids.length))
  return subjectOf(
    {
      ids,
      own: predicted && coded('prediction', predicted, ids.length),
      others: named(others, coded),
      confidence: confidence && measured('confidence', confidence, ids.length),
      probabilities: probabilities && named(probabilities, measured),
      slices: named(slices, coded),
    },
    points.classes,
  )
}

/** Points whose answers are grades. */
export interface GradedPoints extends Pick<PredictedPoints, 'ids' | 'slices'> {
  /** The least and the largest grade that can be given. */
  readonly range: readonly [number, number]
  /** Grades that a model gave: what answers are saved by. */
  readonly grades?: ArrayLike<number>
}

/**
 * Points whose mean grade is asked for, with the grades that a model gave them where there are any.
 *
 * @example audit({ subject: gradesSubject({ ids, range: [1, 5], grades }), questions: [question('mean')], … })
 */
export function gradesSubject({ ids, range, grades, slices = {} }: GradedPoints): AuditSubject {
  const [least, most] = range
  requireInput(
    Number.isFinite(least) && Number.isFinite(most) && least < most,
    `range: two numbers are required, the smaller one first, got ${least}..${most}`,
  )
  return subjectOf({
    ids,
    others: [],
    grades: grades
      ? measured('grades', grades, ids.length)
      : { column: 'grades', values: new Float32Array(ids.length).fill(least) },
    range,
    slices: Object.entries(slices).map(([column, values]) => coded(column, values, ids.length)),
  })
}

const batch = 1000

function subjectOf(rows: PredictedRows, classes?: readonly string[]): AuditSubject {
  const { poolHash: _, ...subject } = subjectOfRows(rows, { classes })
  return subject
}

interface RowReading {
  readonly classes?: readonly string[] | undefined
  /** What the ids are called where two are the same. */
  readonly idName?: string
  /** Whether all models are asked about alike. */
  readonly isRace?: boolean
}

/** Rows of predictions as something to audit, with the hash of their ids. */
export function subjectOfRows(rows: PredictedRows, { classes, idName = 'predictions', isRace = false }: RowReading) {
  const sound = soundRows(rows)
  const { order, hashes } = canonicalOrder(rows.ids, idName)
  const { frame, codes } = strataOfRows(sound, classesOf(sound, classes), order)
  const ids = order.map((row) => rows.ids[row]!)
  const said = saidOf(sound, isRace)
  const [hash, points] = [linesHash(), linesHash()]
  for (let start = 0; start < order.length; start += batch) {
    const some = order.slice(start, start + batch)
    hash.add(some.map((row) => [rows.ids[row], ...said(row)]))
    points.add(some.map((row) => [rows.ids[row]]))
  }
  return { pool: stratifiedMemory({ ids, codes, hashes }), frame, model: hash.digest(), poolHash: points.digest() }
}

function classesOf({ range, predicted }: ReturnType<typeof soundRows>, classes?: readonly string[]): readonly string[] {
  if (range) return []
  if (classes) requireClasses(classes)
  return classes ?? classesAmong(predicted.flatMap(({ names }) => names))
}

/** A text for every row, by their different values. */
export function coded(column: string, values: readonly (string | null)[], rows: number): Coded {
  requireEach(column, values, rows)
  const names: string[] = []
  const codes = new Int32Array(rows)
  const codeOf = new Map<string | null, number>([
    [null, -1],
    ['', -1],
  ])
  for (const [row, value] of values.entries()) {
    if (!codeOf.has(value)) codeOf.set(value, names.push(value!) - 1)
    codes[row] = codeOf.get(value)!
  }
  return { column, names, codes }
}

/** A number for every row, of 32 bits. */
export function measured(column: string, values: ArrayLike<number>, rows: number): Measured {
  requireEach(column, values, rows)
  return { column, values: Float32Array.from(values) }
}

function requireEach(column: string, { length }: ArrayLike<unknown>, rows: number): void {
  requireInput(length === rows, `${column}: a value for each of ${rows} points is required, got ${length}`)
}
