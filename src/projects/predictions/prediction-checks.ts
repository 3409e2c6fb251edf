import { requireInput } from '../../core/errors.ts'
import { findRow, isNoProbability, type QueriedTable } from '../pools/queried-table.ts'
import type { PredictionReading } from './predictions.ts'
import { predictionColumns } from './reading.ts'

/** Refuses rows that say nothing, or what is no probability, grade or class; names one of them. */
export async function requireSound(table: QueriedTable, reading: PredictionReading): Promise<void> {
  const { prediction, confidence, probabilities, classes, score, range } = reading
  for (const name of predictionColumns(reading)) {
    await requireLabels(table, name)
    if (classes) await requireAmong(table, name, classes)
  }
  await requireProbabilities(table, probabilities ?? (confidence === undefined ? [] : [confidence]))
  if (prediction !== undefined && probabilities) await requireAmong(table, prediction, probabilities)
  if (score !== undefined) await requireWithin(table, score, range!)
}

async function requireLabels(table: QueriedTable, name: string): Promise<void> {
  const { sql, isMissing } = table.cell(name, 'text')
  const row = await findRow(table, sql, isMissing)
  requireInput(row === undefined, `${name}: every row needs a prediction, got none for ${row?.id}`, 'Leave out rows without one.')
}

async function requireAmong(table: QueriedTable, name: string, classes: readonly string[]): Promise<void> {
  const { sql } = table.cell(name, 'text')
  const row = await findRow(table, sql, `${table.dialect.indexIn(classes.map(table.dialect.text), sql, -1)} < 0`)
  requireInput(row === undefined, `${name}: one of ${classes.join(', ')} is required, got ${row?.text} for ${row?.id}`)
}

/** All of them in one pass; where something is wrong, it is found column by column. */
async function requireProbabilities(table: QueriedTable, names: readonly string[]): Promise<void> {
  const conditions = names.map((name) => isNoProbability(table.cell(name, 'number')))
  const isFine = names.length > 1 && (await findRow(table, table.id, conditions.join(' OR '))) === undefined
  if (isFine) return
  for (const [k, name] of names.entries()) {
    const row = await findRow(table, table.cell(name, 'text').sql, conditions[k]!)
    requireInput(
      row === undefined,
      `${name}: a number in [0, 1] is required, got ${row?.text ?? 'nothing'} for ${row?.id}`,
      row?.text === undefined ? 'Leave out confidences if some are not known.' : 'A percentage? Divide it by 100.',
    )
  }
}

async function requireWithin(table: QueriedTable, name: string, range: readonly [number, number]): Promise<void> {
  const { sql, isMissing } = table.cell(name, 'number')
  const [least, most] = range.map((end) => table.dialect.number(Math.fround(end))) // as grades are read
  const row = await findRow(table, table.cell(name, 'text').sql, `${isMissing} OR NOT (${sql} >= ${least} AND ${sql} <= ${most})`)
  const hint = 'Leave out rows without one.'
  requireInput(!row || row.text !== undefined, `${name}: every row needs a grade, got none for ${row?.id}`, hint)
  requireInput(!row, `${name}: a number from ${range[0]} to ${range[1]} is required, got ${row?.text} for ${row?.id}`)
}
