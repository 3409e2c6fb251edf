import { canonicalOrder } from '../../core/canonical-order.ts'
import type { Label } from '../../core/record.ts'
import { type IdIndex, idIndex, rowsOf } from '../../engines/id-index.ts'
import { type Coded, classesAmong, saidOf, strataOfRows } from '../../engines/predicted-rows.ts'
import { stratifiedMemory } from '../../engines/stratified.ts'
import { columnOracle } from '../../oracles/column.ts'
import { openTable } from '../../sources/duckdb-file.ts'
import type { Table } from '../../sources/table.ts'
import { fieldReader } from '../pools/fields.ts'
import { idColumn } from '../pools/points.ts'
import type { Loading } from '../pools/pool-data.ts'
import { type PredictionReading, type Predictions, predictionHash } from './predictions.ts'
import { columnsIn, hasConfidence, requireGrades, requireReading, shownIn } from './reading.ts'
import { type PredictionRows, readPredictions } from './rows.ts'

/** Reads predictions into memory. */
export async function predictionsInMemory(
  path: string,
  reading: PredictionReading,
  { progress, signal }: Loading = {},
): Promise<Predictions> {
  requireReading(reading)
  const table = await openTable(path, { ...(signal && { signal }), ...(progress && { progress }) })
  try {
    return await predictionsIn(table, reading)
  } catch (error) {
    await table.close()
    throw error
  }
}

async function predictionsIn(table: Table, reading: PredictionReading): Promise<Predictions> {
  const id = reading.id ?? idColumn(table, reading.truth)
  const rows = await readPredictions(table, { ...reading, ...(id !== undefined && { id }) })
  const { truth } = rows
  const { order, hashes } = canonicalOrder(rows.ids, id)
  const ids = order.map((row) => rows.ids[row]!)
  const index = idIndex(ids, hashes)
  const { frame, codes } = strataOfRows(rows, classesIn(rows, reading), order)
  const { model, points } = hashesOf(rows, order, reading)
  const fieldsOf = fieldReader(table, order, shownIn(table.columns, reading))
  return {
    pool: stratifiedMemory({ ids, codes, hashes, index }),
    frame,
    model,
    poolHash: points,
    columns: columnsIn(reading, id),
    answers: truth && (() => columnOracle(answersIn(truth, order, index))),
    hasConfidence: hasConfidence(reading),
    async contents(wanted) {
      const fields = await fieldsOf(rowsOf(index, wanted))
      return wanted.map((one, k) => ({ id: one, fields: fields[k]! }))
    },
    close: () => table.close(),
  }
}

function classesIn({ predicted, truth }: PredictionRows, reading: PredictionReading): readonly string[] {
  const { range, classes, known = [] } = reading
  if (range && truth) requireGrades(truth.column, truth.names, range)
  if (range) return []
  return classes ?? classesAmong([...predicted.flatMap(({ names }) => names), ...(truth?.names ?? []), ...known])
}

function answersIn({ names, codes }: Coded, order: readonly number[], { rowOf }: IdIndex) {
  return {
    get(id: string): Label | undefined {
      const k = rowOf(id)
      return k < 0 ? undefined : (names[codes[order[k]!]!] ?? null)
    },
  }
}

/** Rows that are written as lines at once. */
const batch = 1000

function hashesOf(rows: PredictionRows, order: readonly number[], { models }: PredictionReading) {
  const hash = predictionHash()
  const said = saidOf(rows, models !== undefined)
  for (let start = 0; start < order.length; start += batch)
    hash.add(order.slice(start, start + batch).map((row) => [rows.ids[row], ...said(row)]))
  return hash.digests()
}
