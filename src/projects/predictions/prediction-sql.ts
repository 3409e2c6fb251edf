import { requireInput } from '../../core/errors.ts'
import type { FeatureBlock } from '../../engines/sql/features.ts'
import { needsClass } from '../../metrics/catalogue.ts'
import { findRow, isNoProbability, type QueriedColumns, type QueriedTable, textsIn } from '../pools/queried-table.ts'
import { type PredictionReading, requirePrediction, unknownChance } from './predictions.ts'

/** What a row says, each as an expression. */
export interface PredictionSql {
  readonly label: string
  /** The probability that the model gives to its prediction, if it says. */
  readonly share: string | undefined
  /** Probabilities by class, where there is one for each. */
  readonly shares: ReadonlyMap<string, string>
  /** What another model predicts, and what is true, where the table has it. */
  readonly other: string | undefined
  readonly truth: string | undefined
}

export function predictionSql({ cell, dialect }: QueriedColumns, reading: PredictionReading): PredictionSql {
  requirePrediction(reading)
  const { prediction, confidence, probabilities = [], against, truth } = reading
  const { entry, indexIn, operations } = dialect
  const textOf = (name: string | undefined) => (name === undefined ? undefined : cell(name, 'text').sql)
  const numberOf = (name: string) => cell(name, 'number').sql
  const shares = new Map(probabilities.map((name) => [name, numberOf(name)]))
  const [names, numbers] = [[...shares.keys()].map(dialect.text), [...shares.values()]]
  const likeliest = () => operations.place!(...numbers)
  const own = prediction === undefined ? likeliest : () => indexIn(names, textOf(prediction)!, 0)
  return {
    label: textOf(prediction) ?? entry(names, likeliest()),
    share: shares.size > 0 ? entry(numbers, own()) : confidence && numberOf(confidence),
    shares,
    other: textOf(against),
    truth: textOf(truth),
  }
}

const mostClasses = 10_000

/** The classes that occur, and those that are known. */
export async function classesIn(table: QueriedTable, said: PredictionSql, { known = [] }: PredictionReading): Promise<string[]> {
  const names = new Set(known)
  for (const text of [said.label, said.other, said.truth])
    if (text !== undefined) for (const name of await textsIn(table, text, mostClasses + 1)) names.add(name)
  requireInput(
    names.size <= mostClasses,
    `classes: at most ${mostClasses} are possible, got more`,
    'Is this the column of predictions?',
  )
  return [...names].sort()
}

/** Refuses rows that say nothing, or what is no probability or no class; names one of them. */
export async function requireSound(table: QueriedTable, reading: PredictionReading): Promise<void> {
  const { prediction, confidence, probabilities = confidence === undefined ? [] : [confidence], against } = reading
  for (const name of [prediction, against])
    if (name !== undefined) {
      const { sql, isMissing } = table.cell(name, 'text')
      const row = await findRow(table, sql, isMissing)
      requireInput(
        row === undefined,
        `${name}: every row needs a prediction, got none for ${row?.id}`,
        'Leave out rows without one.',
      )
    }
  for (const name of probabilities) {
    const row = await findRow(table, table.cell(name, 'text').sql, isNoProbability(table.cell(name, 'number')))
    requireInput(
      row === undefined,
      `probability: a number in [0, 1] is required, got ${row?.text ?? 'nothing'} for ${row?.id}`,
      'A percentage? Divide it by 100.',
    )
  }
  if (prediction === undefined || reading.probabilities === undefined) return
  const { sql } = table.cell(prediction, 'text')
  const row = await findRow(table, sql, `${table.dialect.indexIn(probabilities.map(table.dialect.text), sql, -1)} < 0`)
  const message = `${prediction}: one of ${probabilities.join(', ')} is required, got ${row?.text} for ${row?.id}`
  requireInput(row === undefined, message)
}

/** The scores of an audit: the logit of the chance that is measured, the class that is predicted, and that of the other model. */
export function scoreBlocks(
  said: PredictionSql,
  classes: readonly string[],
  { metric, positive }: PredictionReading,
  dialect: QueriedColumns['dialect'],
): FeatureBlock[] {
  const { number, operations, float } = dialect
  const { largest, smallest, log, difference, quotient } = operations
  const chance = needsClass(metric) ? chanceOf(said, positive!, classes.length, dialect) : wrongness(said, dialect)
  const inside = smallest!(largest!(chance, number(0.001)), number(0.999))
  const logit = log!(quotient!(inside, difference!(number(1), inside)))
  const names = classes.map(dialect.text)
  const places = [said.label, said.other].filter((text) => text !== undefined).map((text) => dialect.indexIn(names, text, -1))
  return [logit, ...places].map((sql) => ({ kind: 'number', sql: float(sql) }))
}

/** The chance that a prediction is wrong. */
function wrongness({ share }: PredictionSql, { number, operations }: QueriedColumns['dialect']): string {
  return share === undefined ? number(unknownChance) : operations.difference!(number(1), share)
}

/** The chance that a row is of some class, of so many: what its prediction leaves is shared evenly among the others. */
function chanceOf(said: PredictionSql, positive: string, classes: number, dialect: QueriedColumns['dialect']): string {
  const { number, operations, when, text } = dialect
  const { label, shares } = said
  if (shares.size > 0) return shares.get(positive) ?? number(unknownChance)
  const wrong = wrongness(said, dialect)
  const right = operations.difference!(number(1), wrong)
  return when(`${label} = ${text(positive)}`, right, operations.quotient!(wrong, number(Math.max(1, classes - 1))))
}
