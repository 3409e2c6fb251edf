import { logit } from '../../certificates/calibrated.ts'
import { dense } from '../../core/features.ts'
import type { Label } from '../../core/record.ts'
import { idIndex } from '../../engines/id-index.ts'
import { fastEngine } from '../../engines/kernels/engine.ts'
import { needsClass } from '../../metrics/catalogue.ts'
import { columnOracle } from '../../oracles/column.ts'
import { openTable } from '../../sources/duckdb-file.ts'
import type { Table } from '../../sources/table.ts'
import { fieldReader } from '../pools/fields.ts'
import { canonicalOrder, idColumn } from '../pools/points.ts'
import type { Loading } from '../pools/pool-data.ts'
import type { Coded } from './columns.ts'
import {
  columnsIn,
  type PredictionReading,
  type Predictions,
  predictionHash,
  scoresModel,
  shownIn,
  unknownChance,
} from './predictions.ts'
import { type PredictionRows, readPredictions } from './rows.ts'

/** Reads predictions into memory. */
export async function predictionsInMemory(
  path: string,
  reading: PredictionReading,
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

async function predictionsIn(table: Table, reading: PredictionReading): Promise<Predictions> {
  const { truth, known = [] } = reading
  const id = reading.id ?? idColumn(table, truth)
  const rows = await readPredictions(table, { ...reading, ...(id !== undefined && { id }) })
  const { order, hashes } = canonicalOrder(rows.ids, id)
  const ids = order.map((row) => rows.ids[row]!)
  const classes = reading.classes ?? classesIn(rows, known)
  const features = featuresOf(rows, order, classes, reading)
  const hash = predictionHash()
  for (let start = 0; start < order.length; start += 1000)
    hash.add(order.slice(start, start + 1000).map((row) => saidOf(rows, row)))
  const { model, points: poolHash } = hash.digests()
  return {
    engine: fastEngine({
      ids,
      features,
      hashes,
      fields: fieldReader(table, order, shownIn(table.columns, reading)),
      close: () => table.close(),
    }),
    model: scoresModel(model, features.columns),
    classes,
    poolHash,
    columns: columnsIn(reading, id),
    answers: rows.truth && (() => columnOracle(answersIn(rows.truth!, order, idIndex(ids, hashes).rowOf))),
    hasConfidence: rows.chances !== undefined,
  }
}

function classesIn({ labels, others, truth }: PredictionRows, known: readonly string[]): string[] {
  return [...new Set([...[labels, others, truth].flatMap((column) => column?.names ?? []), ...known])].sort()
}

/** For each row in order: the score of the chance that is measured, the class that is predicted, and that of the other model. */
function featuresOf(
  rows: PredictionRows,
  order: readonly number[],
  classes: readonly string[],
  { metric, positive }: PredictionReading,
) {
  const { labels, others, chances } = rows
  const chanceOf = needsClass(metric)
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

/** All that the models say of a row: what makes them another model if it changes. */
function saidOf({ ids, labels, chances, others }: PredictionRows, row: number): readonly unknown[] {
  const own = [ids[row], labels.names[labels.codes[row]!], chances?.[row] ?? null]
  return others ? [...own, others.names[others.codes[row]!]] : own
}
