import { isClickHouse } from '../engines/clickhouse/address.ts'
import { chooseEngine, type PoolWish } from './pools/engine-choice.ts'
import type { Loading } from './pools/pool-data.ts'
import { predictionsOnClickHouse } from './predictions/clickhouse.ts'
import { predictionsOnDisk } from './predictions/duckdb.ts'
import { predictionsInMemory } from './predictions/memory.ts'
import type { PredictionReading, Predictions } from './predictions/predictions.ts'
import { columnsRead } from './predictions/reading.ts'

/** Reads predictions into memory, or where they lie if that is too small or a caller asks for it. `says`: which and why. */
export async function loadPredictions(
  path: string,
  reading: PredictionReading,
  loading: Loading = {},
  wish: PoolWish = {},
): Promise<Predictions & { readonly says: readonly string[] }> {
  if (isClickHouse(path)) return predictionsOnClickHouse(path, reading, wish.working)
  const { engine, memory, says } = await chooseEngine(path, wish, [reading.id ?? 'id', ...columnsRead(reading)])
  const load = engine === 'memory' ? predictionsInMemory : predictionsOnDisk
  const { working } = wish
  return { ...(await load(path, reading, loading, { memory, ...(working && { working }) })), says }
}
