import { createHash } from 'node:crypto'
import { logit } from '../../certificates/calibrated.ts'
import type { Columns } from '../../certificates/certificate.ts'
import { dense } from '../../core/features.ts'
import type { ColumnModel } from '../../core/model.ts'
import type { Label } from '../../core/record.ts'
import type { Engine } from '../../engines/engine.ts'
import { idIndex } from '../../engines/id-index.ts'
import { memoryEngine } from '../../engines/memory.ts'
import { columnOracle } from '../../oracles/column.ts'
import type { Oracle } from '../../oracles/oracle.ts'
import { openTable } from '../../sources/duckdb-file.ts'
import type { Table } from '../../sources/table.ts'
import type { Metric } from '../../strategies/measures.ts'
import { readFields } from '../pools/fields.ts'
import type { Loading } from '../pools/open-file.ts'
import { canonicalOrder, idColumn } from '../pools/points.ts'
import type { Coded } from './columns.ts'
import { type PredictionRows, readPredictions, unknownChance } from './rows.ts'

/** What to read: the columns of predictions, the column of known answers, and the classes if they are known already. */
export interface Reading extends Columns {
  readonly metric: Metric
  readonly positive?: string
  readonly truth?: string
  readonly classes?: readonly string[]
  /** Classes that an answer may name though no prediction does. */
  readonly known?: readonly string[]
}

/** A file of predictions, ready to be audited. It stays open, to show points to whoever answers, until the engine is closed. */
export interface Predictions {
  readonly engine: Engine
  readonly model: ColumnModel
  readonly classes: readonly string[]
  readonly poolHash: string
  readonly columns: Columns
  /** Known answers, where the file has them. */
  readonly answers: (() => Oracle) | undefined
  /** Whether anything tells sure predictions from doubtful ones. */
  readonly hasConfidence: boolean
}

/** Reads predictions into memory. */
export async function predictionsInMemory(
  path: string,
  reading: Reading,
  { progress, signal }: Loading = {},
): Promise<Predictions> {
  const table = await openTable(path, { ...(signal && { signal }), ...(progress && { progress }) })
  try {
    return await predictionsIn(table, reading)
  } catch (error) {
    await table.close()
    throw error
  }
}

async function predictionsIn(table: Table, reading: Reading): Promise<Predictions> {
  const { truth, known = [] } = reading
  const id = reading.id ?? idColumn(table, truth)
  const rows = await readPredictions(table, { ...reading, ...(id !== undefined && { id }) })
  const { order, hashes } = canonicalOrder(rows.ids, id)
  const ids = order.map((row) => rows.ids[row]!)
  const classes = reading.classes ?? classesIn(rows, known)
  const features = featuresOf(rows, order, classes, reading)
  const [modelHash, poolHash] = hashesOf(
    order,
    (row) => saidOf(rows, row),
    (row) => [rows.ids[row]],
  ) as [string, string]
  return {
    engine: memoryEngine({
      ids,
      features,
      hashes,
      fields: (wanted) =>
        readFields(
          table,
          wanted.map((k) => order[k]!),
          shownIn(table, reading),
        ),
      close: () => table.close(),
    }),
    model: { kind: 'columns', id: modelHash, classes: ['no', 'yes'], columns: features.columns },
    classes,
    poolHash,
    columns: columnsIn(reading, id),
    answers: rows.truth && (() => columnOracle(answersIn(rows.truth!, order, idIndex(ids, hashes).rowOf))),
    hasConfidence: rows.chances !== undefined,
  }
}

/** The columns by name, as a certificate has them. */
export function columnsIn({ prediction, confidence, probabilities, against }: Reading, id: string | undefined): Columns {
  return {
    ...(id !== undefined && { id }),
    ...(prediction !== undefined && { prediction }),
    ...(confidence !== undefined && { confidence }),
    ...(probabilities !== undefined && { probabilities }),
    ...(against !== undefined && { against }),
  }
}

/** Whether a metric is about the chance that a point is positive, and not that a prediction is wrong. */
export function isAboutPositive(metric: Metric): boolean {
  return metric !== 'error' && metric !== 'accuracy' && metric !== 'difference'
}

function classesIn({ labels, others, truth }: PredictionRows, known: readonly string[]): string[] {
  return [...new Set([...[labels, others, truth].flatMap((column) => column?.names ?? []), ...known])].sort()
}

/** For each row in order: the score of the chance that is measured, the class that is predicted, and that of the other model. */
function featuresOf(rows: PredictionRows, order: readonly number[], classes: readonly string[], { metric, positive }: Reading) {
  const { labels, others, chances } = rows
  const chanceOf = isAboutPositive(metric)
    ? rows.chanceOf(positive!, classes.length)
    : (row: number) => chances?.[row] ?? unknownChance
  const width = others ? 3 : 2
  const values = new Float32Array(width * order.length)
  const places = placesIn(classes, labels)
  const otherPlaces = others && placesIn(classes, others)
  for (let k = 0; k < order.length; k++) {
    const row = order[k]!
    values[width * k] = logit(chanceOf(row))
    values[width * k + 1] = places[labels.codes[row]!]!
    if (others) values[width * k + 2] = otherPlaces![others.codes[row]!]!
  }
  return dense(values, width)
}

/** Where each name stands among the classes; −1 for one that no answer can have. */
function placesIn(classes: readonly string[], { names }: Coded): Int32Array {
  const places = new Map(classes.map((name, k) => [name, k]))
  return Int32Array.from(names, (name) => places.get(name) ?? -1)
}

function answersIn({ names, codes }: Coded, order: readonly number[], rowOf: (id: string) => number) {
  return {
    get(id: string): Label | undefined {
      const k = rowOf(id)
      return k < 0 ? undefined : (names[codes[order[k]!]!] ?? null)
    },
  }
}

/** What whoever answers may see: everything but the predictions and the truth. */
export function shownIn(table: Table, { prediction, confidence, probabilities = [], against, truth }: Reading): string[] {
  const hidden = new Set([prediction, confidence, ...probabilities, against, truth])
  return table.columns.map(({ name }) => name).filter((name) => !hidden.has(name))
}

/** All that the models say of a row: what makes them another model if it changes. */
function saidOf({ ids, labels, chances, others }: PredictionRows, row: number): readonly unknown[] {
  const own = [ids[row], labels.names[labels.codes[row]!], chances?.[row] ?? null]
  return others ? [...own, others.names[others.codes[row]!]] : own
}

/** SHA-256 over one line of JSON a row, for each of some lines. All in one pass: in this order, finding a row takes the time. */
function hashesOf(order: readonly number[], ...lines: readonly ((row: number) => readonly unknown[])[]): string[] {
  const hashes = lines.map((line) => ({ line, hash: createHash('sha256') }))
  for (let start = 0; start < order.length; start += 1000) {
    const rows = order.slice(start, start + 1000)
    for (const { line, hash } of hashes) hash.update(`${rows.map((row) => JSON.stringify(line(row))).join('\n')}\n`)
  }
  return hashes.map(({ hash }) => `sha256:${hash.digest('hex')}`)
}
