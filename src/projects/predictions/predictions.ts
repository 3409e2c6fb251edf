import { createHash } from 'node:crypto'
import { linesOf } from '../../core/hash.ts'
import type { TableColumn } from '../../core/rows.ts'
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
  /** Columns that annotators are shown. Left out, every column that gives nothing away. */
  readonly show?: readonly string[]
}

/** Predictions that are ready to be audited. What they were read from stays open, to show points, until they are closed. */
export interface Predictions extends Audited {
  /** Known answers, where there are any. */
  readonly answers: (() => Oracle) | undefined
  /** The different values of predictions and of known answers, in the order of the file; not looked for where predictions stay where they lie. */
  readonly values?: { readonly predicted: readonly string[]; readonly known: readonly string[] } | undefined
  /** Whether anything tells sure predictions from doubtful ones. */
  readonly hasConfidence: boolean
  /** The columns that people see, with what is known of their cells. */
  readonly shown: readonly ShownColumn[]
  /** What people see of points. In the order of the ids. */
  contents(ids: readonly string[]): Promise<readonly Content[]>
  close(): Promise<void>
}

export type ShownColumn = Pick<TableColumn, 'name'> & Partial<Pick<TableColumn, 'kind' | 'examples'>>

/**
 * SHA-256 over one line of JSON a row: of all that the model says of it, which makes it another model if it changes, and of its id alone.
 * Rows begin with their ids and come in the order of the hashes of ids. What slices are made of, and what another model says to compare
 * with, is not part of the model: questions about them may be asked of the same record.
 */
export function predictionHash() {
  const [model, points] = [createHash('sha256'), createHash('sha256')]
  return {
    add(rows: readonly (readonly unknown[])[]): void {
      model.update(linesOf(rows))
      points.update(linesOf(rows.map(([id]) => [id])))
    },
    digests: () => ({ model: `sha256:${model.digest('hex')}`, points: `sha256:${points.digest('hex')}` }),
  }
}
