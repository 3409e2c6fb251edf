import { requireInput } from '../core/errors.ts'
import { sliceValues, type ValueCount } from '../core/slice-values.ts'
import type { Frame, SliceColumn } from '../questions/frame.ts'
import { codesOfRows, columnsOf, stratifyPredictions } from './prediction-strata.ts'

/** A column of few different texts. */
export interface Coded {
  readonly column: string
  /** The different texts, as they came. */
  readonly names: readonly string[]
  /** Every row's position among them; −1 where the cell is empty. */
  readonly codes: Int32Array
}

/** A column of 32-bit numbers; NaN where the cell is empty. */
export interface Measured {
  readonly column: string
  readonly values: Float32Array
}

/** What is known of the rows of a pool before the first answer. */
export interface PredictedRows {
  readonly ids: readonly string[]
  /** What the model predicts that is audited. Without it: the likeliest class, or grades. */
  readonly own?: Coded | undefined
  /** What other models predict. */
  readonly others: readonly Coded[]
  /** The probability of what is predicted. */
  readonly confidence?: Measured | undefined
  /** Probabilities by class, in columns named like the classes: in place of a confidence. */
  readonly probabilities?: readonly Measured[] | undefined
  /** Grades that were given, and the least and the largest that can be. */
  readonly grades?: Measured | undefined
  readonly range?: readonly [number, number] | undefined
  readonly slices: readonly Coded[]
}

/** The same, found to be sound, with what follows from it. */
export interface SoundRows extends PredictedRows {
  /** What each model predicts, the one that is audited first; none where there are grades. */
  readonly predicted: readonly Coded[]
  /** The probability of what it predicts, if it says. */
  readonly shares?: Float32Array
}

/** Refuses rows that say nothing, or what is no probability, grade or class; names the first of them. */
export function soundRows(rows: PredictedRows): SoundRows {
  const { own, others, confidence, probabilities, grades, range } = rows
  const given = own ? [own, ...others] : others
  requireInput(rows.ids.length > 0, 'pool: at least one point is required, got none')
  for (const coded of given) requireLabels(coded)
  for (const measured of probabilities ?? (confidence ? [confidence] : [])) requireProbabilities(measured)
  if (grades) requireWithin(grades, range!)
  if (!probabilities) return { ...rows, predicted: given, ...(confidence && { shares: confidence.values }) }
  const names = probabilities.map(({ column }) => column)
  const codes = own ? placesAmong(own, names) : likeliest(probabilities)
  const shares = new Float32Array(codes.length)
  for (let row = 0; row < codes.length; row++) shares[row] = probabilities[codes[row]!]!.values[row]!
  const column = nameOfFirst(
    own?.column,
    others.map((other) => other.column),
  )
  return { ...rows, predicted: [{ column, names, codes }, ...others], shares }
}

/** What the model that is audited is called: by its column, or what no other is called. */
export function nameOfFirst(column: string | undefined, others: readonly string[]): string {
  return column ?? (others.includes('prediction') ? '(prediction)' : 'prediction')
}

function likeliest(probabilities: readonly Measured[]): Int32Array {
  const columns = probabilities.map(({ values }) => values)
  return new Int32Array(columns[0]!.length).map((_, row) => {
    let best = 0
    for (let k = 1; k < columns.length; k++) if (columns[k]![row]! > columns[best]![row]!) best = k
    return best
  })
}

/** The strata of rows, in an order, among some classes, and the names behind them. */
export function strataOfRows(
  { predicted, shares, probabilities = [], grades, range, ...rows }: SoundRows,
  classes: readonly string[],
  order: ArrayLike<number>,
): { readonly frame: Frame; readonly codes: Float64Array } {
  const slices = rows.slices.map(slicesIn)
  const frame: Frame = {
    classes,
    models: predicted.map(({ column }) => column),
    slices: slices.map(({ column, values }) => ({ column, values })),
    ...(range && { range }),
  }
  const named = probabilities.map(({ column }) => column)
  const axes = columnsOf(frame, shares !== undefined, named)
  const columns = [
    ...predicted.map((coded) => placesAmong(coded, classes)),
    ...(shares ? [shares] : []),
    ...(axes.probabilities.length > 0 ? probabilities.map(({ values }) => values) : []),
    ...(grades ? [grades.values] : []),
    ...slices.map(({ places }) => places),
  ]
  return { frame, codes: codesOfRows(stratifyPredictions(axes), columns, order) }
}

/** The slices of a column, and which of them every row is in. */
function slicesIn({ column, names, codes }: Coded): SliceColumn & { readonly places: Int32Array } {
  const counts = new Float64Array(names.length + 1) // the first: empty cells
  for (let row = 0; row < codes.length; row++) counts[codes[row]! + 1]! += 1
  const all = [null, ...names]
  const found = all.map((value, k): ValueCount => [value, counts[k]!]).filter(([, points]) => points > 0)
  const { names: values, placeOf } = sliceValues(found)
  const places = Int32Array.from(all, placeOf)
  return { column, values, places: codes.map((code) => places[code + 1]!) }
}

const mostClasses = 10_000

/** The classes that occur or are known, in the order of their names. */
export function classesAmong(found: Iterable<string>): string[] {
  const classes = [...new Set(found)].sort()
  const [only] = classes
  requireInput(
    classes.length >= 2,
    `classes: two or more are required, got ${only === undefined ? 'none' : `only ${JSON.stringify(only)}`}`,
    'Name what an answer may be beside it: --classes.',
  )
  requireInput(
    classes.length <= mostClasses,
    `classes: at most ${mostClasses} are possible, got more`,
    'Is this the column of predictions?',
  )
  return classes
}

/** Where the class of every row stands among some, which must have it. */
function placesAmong({ column, names, codes }: Coded, classes: readonly string[]): Int32Array {
  const placeOf = new Map(classes.map((name, k) => [name, k]))
  const places = Int32Array.from(names, (name) => placeOf.get(name) ?? -1)
  const bad = places.includes(-1) ? codes.findIndex((code) => places[code] === -1) : -1
  requireInput(bad < 0, `${column}: one of ${classes.join(', ')} is required, got ${names[codes[bad]!]} in row ${bad + 1}`)
  return codes.map((code) => places[code]!)
}

function requireLabels({ column, codes }: Coded): void {
  const missing = codes.indexOf(-1)
  requireInput(
    missing < 0,
    `${column}: every row needs a prediction, got none in row ${missing + 1}`,
    'Leave out rows without one.',
  )
}

function requireProbabilities({ column, values }: Measured): void {
  const bad = values.findIndex((value) => !(value >= 0 && value <= 1))
  const got = Number.isNaN(values[bad]) ? 'nothing' : values[bad]
  requireInput(
    bad < 0,
    `${column}: a number in [0, 1] is required, got ${got} in row ${bad + 1}`,
    got === 'nothing' ? 'Leave out confidences if some are not known.' : 'A percentage? Divide it by 100.',
  )
}

function requireWithin({ column, values }: Measured, range: readonly [number, number]): void {
  const [least, most] = range.map(Math.fround) as [number, number] // as grades are read
  const bad = values.findIndex((grade) => !(grade >= least && grade <= most))
  const hint = 'Leave out rows without one.'
  requireInput(!Number.isNaN(values[bad]), `${column}: every row needs a grade, got none in row ${bad + 1}`, hint)
  const got = `${values[bad]} in row ${bad + 1}`
  requireInput(bad < 0, `${column}: a number from ${range[0]} to ${range[1]} is required, got ${got}`)
}

/** All that the model says of a row: what makes it another model if it changes. `isRace`: where all models are asked about alike. */
export function saidOf({ predicted, shares, grades }: SoundRows, isRace: boolean): (row: number) => readonly unknown[] {
  const nameIn = ({ names, codes }: Coded, row: number) => names[codes[row]!]
  if (grades) return (row) => [grades.values[row]]
  if (isRace) return (row) => predicted.map((coded) => nameIn(coded, row))
  return (row) => [nameIn(predicted[0]!, row), shares ? 1 - shares[row]! : null]
}
