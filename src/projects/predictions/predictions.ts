import { createHash } from 'node:crypto'
import { requireInput } from '../../core/errors.ts'
import type { ColumnModel } from '../../core/model.ts'
import type { Content } from '../../engines/engine.ts'
import type { Oracle } from '../../oracles/oracle.ts'
import type { Columns } from '../../questions/certificate.ts'
import type { Audited } from '../../questions/subject.ts'

/** What to read: the columns of predictions, the column of known answers, and the classes if they are known already. */
export interface PredictionReading extends Columns {
  readonly truth?: string
  readonly classes?: readonly string[]
  /** Classes that an answer may name though no prediction does. */
  readonly known?: readonly string[]
}

/** Predictions that are ready to be audited. What they were read from stays open, to show points, until they are closed. */
export interface Predictions extends Audited {
  /** Known answers, where there are any. */
  readonly answers: (() => Oracle) | undefined
  /** Whether anything tells sure predictions from doubtful ones. */
  readonly hasConfidence: boolean
  /** What people see of points. In the order of the ids. */
  contents(ids: readonly string[]): Promise<readonly Content[]>
  close(): Promise<void>
}

// Without a confidence every prediction is as doubtful as any other; one in ten is where the interval starts looking.
export const unknownChance = 0.1

/** The columns that are read, but for the ids. */
export function columnsRead({ prediction, confidence, probabilities = [], against, truth }: PredictionReading): string[] {
  return [prediction, confidence, ...probabilities, against, truth].filter((name) => name !== undefined)
}

/** What is shown to those who answer: every column that gives nothing away. */
export function shownIn<T extends { readonly name: string }>(columns: readonly T[], reading: PredictionReading): T[] {
  const hidden = new Set(columnsRead(reading))
  return columns.filter(({ name }) => !hidden.has(name))
}

/** The columns by name, as a certificate has them. */
export function columnsIn(
  { prediction, confidence, probabilities, against }: PredictionReading,
  id: string | undefined,
): Columns {
  return {
    ...(id !== undefined && { id }),
    ...(prediction !== undefined && { prediction }),
    ...(confidence !== undefined && { confidence }),
    ...(probabilities !== undefined && { probabilities }),
    ...(against !== undefined && { against }),
  }
}

export function requirePrediction({ prediction, probabilities = [] }: Columns): void {
  requireInput(
    probabilities.length > 0 || prediction !== undefined,
    'prediction: a column is required, got none',
    'Name it with --prediction.',
  )
}

/** The scores of an audit as a model of their own: right or wrong. */
export const scoresModel = (id: string, columns: number): ColumnModel => ({
  kind: 'columns',
  id,
  classes: ['no', 'yes'],
  columns,
})

/**
 * SHA-256 over one line of JSON a row: of all that the models say of it, which makes them another model if it changes, and of its id alone.
 * Rows begin with their ids and come in the order of the hashes of ids.
 */
export function predictionHash() {
  const [model, points] = [createHash('sha256'), createHash('sha256')]
  const lines = (rows: readonly (readonly unknown[])[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('')
  return {
    add(rows: readonly (readonly unknown[])[]): void {
      model.update(lines(rows))
      points.update(lines(rows.map(([id]) => [id])))
    },
    digests: () => ({ model: `sha256:${model.digest('hex')}`, points: `sha256:${points.digest('hex')}` }),
  }
}
