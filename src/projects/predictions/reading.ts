import { requireInput } from '../../core/errors.ts'
import { pick } from '../../core/pick.ts'
import type { Columns } from '../../questions/certificate.ts'
import type { PredictionReading } from './predictions.ts'

/** The columns of what models predict, the one that is audited first; none where its likeliest class is what it predicts. */
export function predictionColumns({ prediction, against, models }: PredictionReading): string[] {
  return models ? [...models] : [prediction, against].filter((name) => name !== undefined)
}

/** What gives a prediction or an answer away. */
function hiddenColumns(reading: PredictionReading): string[] {
  const { confidence, probabilities = [], score, truth } = reading
  return [...predictionColumns(reading), confidence, ...probabilities, score, truth].filter((name) => name !== undefined)
}

/** The columns that are read, but for the ids. */
export const columnsRead = (reading: PredictionReading): string[] => [...hiddenColumns(reading), ...(reading.by ?? [])]

/** What is shown to those who answer: every column that gives nothing away, or those of them that were chosen. */
export function shownIn<T extends { readonly name: string }>(columns: readonly T[], reading: PredictionReading): T[] {
  const hidden = new Set(hiddenColumns(reading))
  const { show } = reading
  const unknown = show?.find((wanted) => !columns.some(({ name }) => name === wanted))
  requireInput(unknown === undefined, `show: a column of the table is required, got ${unknown}`)
  const telling = show?.find((name) => hidden.has(name))
  requireInput(telling === undefined, `show: a column that gives no answer away is required, got ${telling}`)
  return columns.filter(({ name }) => !hidden.has(name) && (!show || show.includes(name)))
}

/** The columns by name, as a certificate has them. */
export function columnsIn(reading: PredictionReading, id: string | undefined): Columns {
  const own = pick(reading, 'prediction', 'confidence', 'probabilities', 'against', 'models', 'score', 'range', 'by')
  return { ...(id !== undefined && { id }), ...own }
}

/** Those that the identity of the model rests on: without what it is compared with, and what slices are made of. */
export function columnsOfModel(reading: PredictionReading): Columns {
  const own = reading.probabilities ? 'probabilities' : 'confidence'
  return pick(reading, 'id', 'prediction', own, 'models', 'score')
}

/** Whether anything tells sure predictions from doubtful ones: probabilities, or several models that do not agree. */
export function hasConfidence({ confidence, probabilities, models }: PredictionReading): boolean {
  return (confidence ?? probabilities ?? models) !== undefined
}

/** Refuses what makes no sense together, before anything is read. */
export function requireReading(reading: PredictionReading): void {
  const { prediction, against, models, score, range, by = [] } = reading
  if (score !== undefined || range !== undefined) requireGrading(reading)
  else if (models) requireModels(reading, models)
  else {
    const isThere = prediction !== undefined || (reading.probabilities ?? []).length > 0
    requireInput(isThere, 'prediction: a column is required, got none', 'Name it with --prediction.')
    requireInput(
      against === undefined || against !== prediction,
      `against: another column than that of the prediction is required, got ${against} for both`,
    )
    requireNamedLikeClasses(reading)
  }
  requireDifferent('by', by)
}

function requireGrading({ score, range, ...others }: PredictionReading): void {
  requireInput(score !== undefined, 'score: a column of grades is required for a range, got none', 'Name it with --score.')
  requireInput(
    range !== undefined,
    'range: the least and the largest grade are required for a score, got none',
    'For example --range 1..5.',
  )
  const [least, most] = range
  requireInput(
    Number.isFinite(least) && Number.isFinite(most) && least < most,
    `range: two numbers are required, the smaller one first, got ${least}..${most}`,
  )
  requireNoOther('score: grades or predictions of classes are required', others)
}

function requireModels({ models: _, ...others }: PredictionReading, models: readonly string[]): void {
  requireInput(models.length >= 2, `models: two columns or more are required, got ${models[0] ?? 'none'}`)
  requireDifferent('models', models)
  requireNoOther('models: columns of predictions and nothing else about them are required', others)
}

function requireNoOther(required: string, reading: PredictionReading): void {
  const other = (['prediction', 'confidence', 'probabilities', 'against', 'models'] as const).find(
    (name) => reading[name] !== undefined,
  )
  requireInput(other === undefined, `${required}, got ${other} too`, `Leave out --${other}.`)
}

function requireDifferent(what: string, names: readonly string[]): void {
  const again = names.find((name, k) => names.indexOf(name) < k)
  requireInput(again === undefined, `${what}: columns that differ are required, got ${again} twice`)
}

function requireNamedLikeClasses({ probabilities = [], classes }: PredictionReading): void {
  requireDifferent('probabilities', probabilities)
  const other = classes && probabilities.find((name) => !classes.includes(name))
  requireInput(
    other === undefined,
    `probabilities: columns named like the classes ${classes?.join(', ')} are required, got ${other}`,
  )
}

/** Refuses known answers that are no grades: texts as written, the different ones. */
export function requireGrades(column: string, answers: readonly string[], [least, most]: readonly [number, number]): void {
  const bad = answers.find((answer) => answer.trim() === '' || !(Number(answer) >= least && Number(answer) <= most))
  requireInput(bad === undefined, `${column}: a number from ${least} to ${most} is required, got ${JSON.stringify(bad)}`)
}
