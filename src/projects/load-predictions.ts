import { isClickHouse } from '../engines/clickhouse/address.ts'
import type { PoolWish } from './pools/engine-choice.ts'
import { chooseEngine } from './pools/engine-choice.ts'
import type { Loading } from './pools/open-file.ts'
import { predictionsOnClickHouse } from './predictions/clickhouse.ts'
import { predictionsOnDisk } from './predictions/duckdb.ts'
import { type Predictions, predictionsInMemory, type Reading } from './predictions/memory.ts'

/** Reads predictions into memory, or where they lie if that is too small or somebody asked for it. `says`: which and why. */
export async function loadPredictions(
  path: string,
  reading: Reading,
  loading: Loading = {},
  wish: PoolWish = {},
): Promise<Predictions & { readonly says: readonly string[] }> {
  if (isClickHouse(path)) return predictionsOnClickHouse(path, reading, wish.working)
  const { id, prediction, confidence, probabilities = [], against, truth } = reading
  const columns = [id ?? 'id', prediction, confidence, ...probabilities, against, truth].filter((name) => name !== undefined)
  const { engine, memory, says } = await chooseEngine(path, wish, columns)
  const load = engine === 'memory' ? predictionsInMemory : predictionsOnDisk
  const { working } = wish
  return { ...(await load(path, reading, loading, { memory, ...(working && { working }) })), says }
}
