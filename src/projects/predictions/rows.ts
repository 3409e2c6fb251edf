import { type Coded, type SoundRows, soundRows } from '../../engines/predicted-rows.ts'
import type { Table } from '../../sources/table.ts'
import { requireIds, rowNumbers } from '../pools/points.ts'
import { columnReader } from './columns.ts'
import type { PredictionReading } from './predictions.ts'

/** What a file says of every row, in the order of the file. */
export interface PredictionRows extends SoundRows {
  readonly truth: Coded | undefined
}

/** Everything an audit needs, in one pass over the file. */
export async function readPredictions(table: Table, reading: PredictionReading): Promise<PredictionRows> {
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
