import { requireInput } from '../core/errors.ts'
import { isClickHouse } from '../engines/clickhouse/address.ts'
import { loadOnClickHouse, type ScoredOn } from './pools/clickhouse.ts'
import { loadOnDisk } from './pools/duckdb.ts'
import { chooseEngine, type EngineName, type PoolWish } from './pools/engine-choice.ts'
import { type DataOptions, type LoadedData, loadData, type PoolData } from './pools/memory.ts'
import type { Loading } from './pools/open-file.ts'
import { scoresOnClickHouse } from './scores/clickhouse.ts'
import { scoresRecipe } from './scores/columns.ts'
import { loadScoredFiles } from './scores/files.ts'

/** A pool, wherever it lies: on which engine, and why, for people. */
export type SpokenData = (PoolData | LoadedData) & {
  readonly engineName: EngineName | 'clickhouse'
  readonly says: readonly string[]
}

/** Reads a pool into memory, or where it lies if that is too small or somebody asked for it. */
export async function loadPool(
  path: string,
  options: DataOptions,
  seed: number,
  loading: Loading = {},
  wish: PoolWish = {},
): Promise<SpokenData> {
  if (isClickHouse(path)) {
    requireBitsFit(options, 'clickhouse')
    return { ...(await loadOnClickHouse(path, options, loading, wish, scoredOn)), engineName: 'clickhouse' }
  }
  const { scores, id = 'id' } = options
  const { engine, memory, says } = await chooseEngine(path, wish, scores && [id, ...scores])
  requireBitsFit(options, engine)
  if (scores) {
    const { working } = wish
    const place = { engine, memory, ...(working && { working }) }
    return { ...(await loadScoredFiles(path, { ...options, scores }, loading, place)), engineName: engine, says }
  }
  if (engine === 'memory') return { ...(await loadData(path, options, seed, loading)), engineName: engine, says }
  const { working } = wish
  return { ...(await loadOnDisk(path, options, loading, { memory, ...(working && { working }) })), engineName: engine, says }
}

/** Databases work on features as they are. */
function requireBitsFit({ bits = 32 }: DataOptions, engine: EngineName | 'clickhouse'): void {
  requireInput(
    bits === 32 || engine === 'memory',
    `bits: 32 are required where the pool is worked on by ${engine}, got ${bits}`,
    'Leave out --bits, or keep the pool in memory: --engine memory.',
  )
}

const scoredOn: ScoredOn = async (table, named, classes, columns) => {
  const { size, hash, look, engine, lookUp } = await scoresOnClickHouse(table, named, classes, columns)
  return { recipe: scoresRecipe(size, named), hash, size, engine, look, lookUp }
}
