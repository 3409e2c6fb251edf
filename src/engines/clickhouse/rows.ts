import { AlisError } from '../../core/errors.ts'
import type { Row } from './connection.ts'

/** A number of an answer; 64-bit whole numbers come as texts. NaN never travels. */
export function numberIn(row: Row, at: number): number {
  const cell = row[at]
  const value = typeof cell === 'number' ? cell : typeof cell === 'string' && cell !== '' ? Number(cell) : Number.NaN
  if (Number.isFinite(value)) return value
  throw new AlisError('engine-failed', `clickhouse: a finite number is required, got ${JSON.stringify(cell)}`, notFinite)
}

const notFinite = 'Is there a feature that is no finite number? Missing values must have been filled in.'

export function textIn(row: Row, at: number): string {
  const cell = row[at]
  if (typeof cell === 'string') return cell
  throw new AlisError('engine-failed', `clickhouse: a text is required, got ${JSON.stringify(cell)}`)
}

export function listIn(row: Row, at: number): readonly unknown[] {
  const cell = row[at]
  if (Array.isArray(cell)) return cell
  throw new AlisError('engine-failed', `clickhouse: a list is required, got ${JSON.stringify(cell)}`)
}
