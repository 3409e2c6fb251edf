import { canonicalOrder } from '../../core/canonical-order.ts'
import { orClosed } from '../../core/closing.ts'
import type { Label } from '../../core/record.ts'
import { type IdIndex, idIndex, rowsOf } from '../../engines/id-index.ts'
import {
  type Coded,
  classesAmong,
  type Measured,
  type SoundRows,
  saidOf,
  soundRows,
  strataOfRows,
} from '../../engines/predicted-rows.ts'
import { stratifiedMemory } from '../../engines/stratified.ts'
import { columnOracle } from '../../oracles/column.ts'
import { openTable } from '../../sources/duckdb-file.ts'
import type { ColumnRequest, Table } from '../../sources/table.ts'
import { fieldReader } from '../pools/fields.ts'
import { idColumn, requireIds, rowNumbers } from '../pools/points.ts'
import type { Loading } from '../pools/pool-data.ts'
import { type PredictionReading, type Predictions, predictionHash } from './predictions.ts'
import { columnsIn, hasConfidence, requireGrades, requireReading, shownIn } from './reading.ts'

export async function predictionsInMemory(
  path: string,
  reading: PredictionReading,
  { progress, signal }: Loading = {},
): Promise<Predictions> {
  requireReading(reading)
  const table = await openTable(path, { ...(signal && { signal }), ...(progress && { progress }) })
  return orClosed(table, () => predictionsIn(table, reading))
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
  const shown = shownIn(table.columns, reading)
  const fieldsOf = fieldReader(table, order, shown)
  return {
    pool: stratifiedMemory({ ids, codes, hashes, index }),
    frame,
    model,
    poolHash: points,
    columns: columnsIn(reading, id),
    answers: truth && (() => columnOracle(answersIn(truth, order, index))),
    values: truth && { predicted: rows.predicted.flatMap(({ names }) => names), known: truth.names },
    hasConfidence: hasConfidence(reading),
    shown,
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

/** What a file says of every row, in the order of the file. */
interface PredictionRows extends SoundRows {
  readonly truth: Coded | undefined
}

/** Everything an audit needs, in one pass over the file. */
async function readPredictions(table: Table, reading: PredictionReading): Promise<PredictionRows> {
  const { id, prediction, confidence, probabilities, against, score, range, by = [] } = reading
  const reader = columnReader(table)
  const [first, ...rest] = reading.models ?? [prediction, ...(against === undefined ? [] : [against])]
  const ifNamed = <T>(name: string | undefined, read: (name: string) => T) => (name === undefined ? undefined : read(name))
  const cells = ifNamed(id, reader.texts)
  const rows = {
    own: ifNamed(first, reader.coded),
    others: rest.map((name) => reader.coded(name!)),
    confidence: probabilities ? undefined : ifNamed(confidence, reader.numbers),
    probabilities: probabilities?.map(reader.numbers),
    grades: ifNamed(score, reader.numbers),
    range,
    slices: by.map(reader.coded),
  }
  const truth = ifNamed(reading.truth, reader.coded)
  await reader.read()
  const ids = cells ? requireIds(id!, cells) : rowNumbers(table.rows)
  return { ...soundRows({ ids, ...rows }), truth }
}

/** Reads columns into memory, all that were asked for in one pass. A column is complete once `read` is done. */
function columnReader(table: Table) {
  const asked: { readonly request: ColumnRequest; take(start: number, values: ArrayLike<unknown>): void }[] = []

  return {
    /** As written; null where a cell is empty. */
    texts(name: string): (string | null)[] {
      const column = new Array<string | null>(table.rows)
      const take = (start: number, values: ArrayLike<unknown>) => {
        for (let i = 0; i < values.length; i++) column[start + i] = values[i] as string | null
      }
      asked.push({ request: { name, as: 'text' }, take })
      return column
    },
    numbers(name: string): Measured {
      const values = new Float32Array(table.rows)
      asked.push({ request: { name, as: 'number' }, take: (start, some) => values.set(some as Float32Array, start) })
      return { column: name, values }
    },
    coded(name: string): Coded {
      const names: string[] = []
      const codes = new Int32Array(table.rows)
      const codeOf = new Map<string | null, number>([[null, -1]])
      const take = (start: number, values: ArrayLike<unknown>) => {
        for (let i = 0; i < values.length; i++) {
          const text = values[i] as string | null
          let code = codeOf.get(text)
          if (code === undefined) {
            code = names.push(text!) - 1
            codeOf.set(text, code)
          }
          codes[start + i] = code
        }
      }
      asked.push({ request: { name, as: 'text' }, take })
      return { column: name, names, codes }
    },
    async read(): Promise<void> {
      if (asked.length === 0) return
      for await (const { start, columns } of table.batches(asked.map(({ request }) => request)))
        for (const [j, { values }] of columns.entries()) asked[j]!.take(start, values)
    },
  }
}
