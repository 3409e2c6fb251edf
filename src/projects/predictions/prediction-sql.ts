import type { ColumnModel } from '../../core/model.ts'
import { mostSliceValues, type SliceValues, sliceValues } from '../../core/slice-values.ts'
import type { Stratify } from '../../core/strata.ts'
import { classesAmong, nameOfFirst } from '../../engines/predicted-rows.ts'
import { columnsOf, stratifyPredictions, widthOfColumns } from '../../engines/prediction-strata.ts'
import type { FeatureBlock } from '../../engines/sql/features.ts'
import type { Frame } from '../../questions/frame.ts'
import { type QueriedColumns, type QueriedTable, textsIn, valuesIn } from '../pools/queried-table.ts'
import type { PredictionReading } from './predictions.ts'
import { predictionColumns, requireGrades } from './reading.ts'

/** What a row says, each as an expression. */
export interface PredictionSql {
  /** What each model predicts, the one that is audited first; none where there are grades. */
  readonly labels: readonly string[]
  /** The probability of what it predicts, if it says. */
  readonly share: string | undefined
  /** Probabilities by class, where there is one for each. */
  readonly probabilities: readonly string[]
  readonly grade: string | undefined
  /** What is true, where the table has it. */
  readonly truth: string | undefined
}

export function predictionSql({ cell, dialect }: QueriedColumns, reading: PredictionReading): PredictionSql {
  const { prediction, confidence, probabilities: named = [], score, truth, models } = reading
  const { entry, indexIn, operations } = dialect
  const textOf = (name: string) => cell(name, 'text').sql
  const numberOf = (name: string) => cell(name, 'number').sql
  const ifNamed = (name: string | undefined, read: (name: string) => string) => (name === undefined ? undefined : read(name))
  const probabilities = named.map(numberOf)
  const names = named.map(dialect.text)
  const isLikeliest = (prediction ?? models ?? score) === undefined
  const likeliest = () => operations.place!(...probabilities)
  const own = () => (isLikeliest ? likeliest() : indexIn(names, textOf(prediction!), 0))
  const given = predictionColumns(reading).map(textOf)
  return {
    labels: isLikeliest ? [entry(names, likeliest()), ...given] : given,
    share: probabilities.length > 0 ? entry(probabilities, own()) : ifNamed(confidence, numberOf),
    probabilities,
    grade: ifNamed(score, numberOf),
    truth: ifNamed(truth, textOf),
  }
}

/** What there is to know of a table before its points are put into strata. */
export interface QueriedFrame {
  readonly frame: Frame
  /** The values behind the slices of each column. */
  readonly slices: readonly SliceValues[]
}

const mostTexts = 10_001 // more than there can be classes

/** What strata are told apart by: classes that occur or are known, and the values of slices. */
export async function frameIn(table: QueriedTable, said: PredictionSql, reading: PredictionReading): Promise<QueriedFrame> {
  const { prediction, against, models, by = [], range } = reading
  const classes = await classesIn(table, said, reading)
  const slices: SliceValues[] = []
  for (const column of by) slices.push(sliceValues(await valuesIn(table, column, mostSliceValues + 1)))
  const others = against === undefined ? [] : [against]
  const frame = {
    classes,
    models: range ? [] : (models ?? [nameOfFirst(prediction, others), ...others]),
    slices: slices.map(({ names }, k) => ({ column: by[k]!, values: names })),
    ...(range && { range }),
  }
  return { frame, slices }
}

async function classesIn(table: QueriedTable, { labels, truth }: PredictionSql, reading: PredictionReading) {
  const { range, classes, known = [], probabilities = [] } = reading
  const found = async (text: string | undefined) => (text === undefined ? [] : await textsIn(table, text, mostTexts))
  if (range) {
    requireGrades(`${reading.truth}`, await found(truth), range)
    return []
  }
  if (classes) return classes
  const names = [...(await found(truth)), ...probabilities, ...known]
  for (const label of labels) names.push(...(await found(label)))
  return classesAmong(names)
}

/** The numbers of every point as a model of columns, and how its stratum follows from them. */
export interface StratifiedSql {
  readonly blocks: readonly FeatureBlock[]
  readonly stratify: Stratify
  model(id: string): ColumnModel
}

export function stratifiedSql(
  { labels, share, probabilities, grade }: PredictionSql,
  { frame, slices }: QueriedFrame,
  { by = [], probabilities: named = [] }: PredictionReading,
  { cell, dialect }: QueriedColumns,
): StratifiedSql {
  const columns = columnsOf(frame, share !== undefined, named)
  const names = frame.classes.map(dialect.text)
  const placeIn: typeof dialect.indexIn = (...of) => dialect.float(dialect.indexIn(...of))
  const sliced = slices.map(({ values, names: { length } }, k) => {
    const filled = `coalesce(${cell(by[k]!, 'text').sql}, '')` // no text that is there is empty
    const texts = values.map((value) => dialect.text(value ?? ''))
    return placeIn(texts, filled, length - 1)
  })
  const numbers = [
    ...labels.map((label) => placeIn(names, label, -1)),
    ...(share === undefined ? [] : [share]),
    ...(columns.probabilities.length > 0 ? probabilities : []),
    ...(grade === undefined ? [] : [grade]),
    ...sliced,
  ]
  return {
    blocks: numbers.map((sql) => ({ kind: 'number', sql })),
    stratify: stratifyPredictions(columns),
    model: (id) => ({ kind: 'columns', id, classes: ['right', 'wrong'], columns: widthOfColumns(columns) }),
  }
}
