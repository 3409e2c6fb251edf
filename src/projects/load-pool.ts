import { requireInput } from '../core/errors.ts'
import { isClickHouse } from '../engines/clickhouse/address.ts'
import { loadOnClickHouse } from './pools/clickhouse.ts'
import { loadOnDisk } from './pools/duckdb.ts'
import { chooseEngine, type EngineName, type PoolWish } from './pools/engine-choice.ts'
import { loadData } from './pools/memory.ts'
import type { DataOptions, LoadedData, Loading, PoolData } from './pools/pool-data.ts'
import { loadScoresOnClickHouse } from './scores/clickhouse.ts'
import { loadForElsewhere } from './scores/elsewhere.ts'
import { loadScoredFiles } from './scores/files.ts'

/** A pool, wherever it lies: on which engine, and why, for people. */
export type SpokenData = (PoolData | LoadedData) & {
  readonly engineName: EngineName | 'clickhouse'
  readonly says: readonly string[]
}

/** Reads a pool into memory, or where it lies if that is too small or a caller asks for it. */
export async function loadPool(
  path: string,
  options: DataOptions,
  seed: number,
  loading: Loading = {},
  wish: PoolWish = {},
): Promise<SpokenData> {
  const { scores, elsewhere = false, id = 'id' } = options
  if (isClickHouse(path)) {
    requireMemoryFor(options, 'clickhouse')
    requireBitsFit(options, 'clickhouse')
    requireFiles(elsewhere)
    const load = scores
      ? loadScoresOnClickHouse(path, { ...options, scores }, loading, wish)
      : loadOnClickHouse(path, options, loading, wish)
    return { ...(await load), engineName: 'clickhouse' }
  }
  const { engine, memory, says } = await chooseEngine(path, wish, scores && [id, ...scores])
  requireBitsFit(options, engine)
  requireMemoryFor(options, engine)
  const place = { engine, memory, ...(wish.working && { working: wish.working }) }
  const load = scores
    ? loadScoredFiles(path, { ...options, scores }, loading, place)
    : elsewhere
      ? loadForElsewhere(path, options, loading, place)
      : engine === 'memory'
        ? loadData(path, options, seed, loading)
        : loadOnDisk(path, options, loading, place)
  return { ...(await load), engineName: engine, says }
}

/** A program reads the pool itself, and hands its scores over. */
function requireFiles(elsewhere: boolean): void {
  requireInput(
    !elsewhere,
    'pool: one in files is required for a model that is fitted elsewhere, got a table on ClickHouse',
    'Have your model write its probabilities into columns of the table, and name them with --scores-column.',
  )
}

/** A database does not see vectors that are made beside it. */
function requireMemoryFor({ embed = [] }: DataOptions, engine: EngineName | 'clickhouse'): void {
  requireInput(
    embed.length === 0 || engine === 'memory',
    `--embed: a pool in memory is required, got one that is worked on by ${engine}`,
    'Keep it in memory, --engine memory, or write the vectors into a column of your own and name it with --vector.',
  )
}

/** Databases work on features as they are. */
function requireBitsFit({ bits = 32 }: DataOptions, engine: EngineName | 'clickhouse'): void {
  requireInput(
    bits === 32 || engine === 'memory',
    `bits: 32 are required where the pool is worked on by ${engine}, got ${bits}`,
    'Leave out --bits, or keep the pool in memory: --engine memory.',
  )
}
