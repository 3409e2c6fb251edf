import { requireInput } from '../../core/errors.ts'
import type { DuckdbOptions } from '../../engines/duckdb/database.ts'
import { duckdbDialect } from '../../engines/duckdb/dialect.ts'
import type { DuckdbPool } from '../../engines/duckdb/points.ts'
import { type OpenDuckdbPool, openDuckdbPool } from '../../engines/duckdb/pool.ts'
import { streamedLearner } from '../../features/learn-streamed.ts'
import type { Recipe } from '../../features/recipe.ts'
import { type Roles, rolesOf, shownColumns } from '../../features/roles.ts'
import { openTable } from '../../sources/duckdb-file.ts'
import type { Table, TableSql } from '../../sources/table.ts'
import { labelsOf, requireNoShare } from './label-column.ts'
import type { DataOptions, Loading, PoolData, Progress } from './pool-data.ts'
import { fieldsOf, type QueriedColumns } from './queried-table.ts'
import { blocksOf } from './recipe-sql.ts'
import { learnStepsIn, stepFeatures } from './steps-sql.ts'

/** What the work on disk may use, and how it is watched. */
export interface OnDisk {
  readonly memory: number
  /** Called at every long step of a round. */
  readonly working?: Progress
}

/** A file that DuckDB works on where it lies. */
export interface FileOnDisk {
  readonly table: Table
  readonly sql: TableSql
  readonly limits: DuckdbOptions
  /** Progress of one of the steps of opening. */
  step(k: number): Progress
  /** Opens a pool that is closed with the file. */
  pool(pool: DuckdbPool): Promise<OpenDuckdbPool>
  /** Has something else closed before the file. */
  closes(end: () => Promise<void>): void
  close(): Promise<void>
}

/** Opens a file where it lies, in so many steps, and makes something of it. If that fails, everything is closed again. */
export async function openOnDisk<T>(
  path: string,
  { progress, signal }: Loading,
  { memory, working }: OnDisk,
  steps: number,
  make: (file: FileOnDisk) => Promise<T>,
): Promise<T> {
  const step = (k: number) => (share: number, what: string) => progress?.((k + share) / steps, what)
  const table = await openTable(path, { ...(signal && { signal }), progress: step(0) })
  const ends = [() => table.close()]
  const close = async () => {
    for (const end of ends.toReversed()) await end()
  }
  let isOpen = false
  const limits: DuckdbOptions = {
    memoryLimit: Math.floor(0.7 * memory), // the rest is for what DuckDB does not count, and for this process
    progress: (share, what) => (isOpen ? working : step(steps - 1))?.(share, what),
  }
  const closes = (end: () => Promise<void>) => void ends.push(end)
  const pool = async (wanted: DuckdbPool) => {
    const opened = await openDuckdbPool(wanted, limits)
    closes(() => opened.close())
    return opened
  }
  try {
    const made = await make({ table, sql: requireSql(path, table), limits, step, pool, closes, close })
    isOpen = true
    return made
  } catch (error) {
    await close()
    throw error
  }
}

export function requireSql(path: string, { sql }: Table): TableSql {
  requireInput(sql !== undefined, `${path}: a pool on disk is one file or pattern, got files that joined later`)
  return sql
}

/** The columns of a file, with the id of a row from a column, or else its number. */
export function columnsIn(sql: TableSql, id: string | undefined): QueriedColumns & Pick<DuckdbPool, 'line' | 'setup'> {
  const { setup, from, line, isNumbered, column } = sql
  const columns = {
    dialect: duckdbDialect,
    setup,
    from,
    line,
    cell(name: string, as: 'text' | 'number' | 'vector') {
      const cell = column(name)[as]
      return { sql: as === 'number' ? `${cell}::DOUBLE` : cell, isMissing: `${cell} IS NULL` }
    },
  }
  if (id !== undefined) return { ...columns, id: column(id).text }
  if (isNumbered) return { ...columns, id: `(${line} + 1)::VARCHAR` }
  // Counting takes one thread, and nothing is found without reading all that comes before.
  return {
    ...columns,
    line: undefined,
    from: `(SELECT *, (row_number() OVER ())::VARCHAR AS row_name FROM ${from})`,
    id: 'row_name',
  }
}

/** A pool that stays where it lies. Nothing as long as the pool is held in memory. */
export async function loadOnDisk(path: string, options: DataOptions, loading: Loading, onDisk: OnDisk): Promise<PoolData> {
  const { added = [] } = options
  requireNoShare('a pool on disk', options)
  requireInput(
    added.length === 0,
    `pool: a pool on disk is one file or pattern, got ${added.length} files that joined later`,
    'Use a pattern that matches all of them, in a new project.',
  )
  return openOnDisk(path, loading, onDisk, 3, async ({ table, sql, step, pool: open, close }) => {
    const roles = rolesOf(table, options)
    const base = await learnRecipe(table, roles, { ...loading, progress: step(1) })
    const columns = columnsIn(sql, roles.find(({ role }) => role === 'id')?.column.name)
    const features = { blocks: blocksOf(base, columns), fields: fieldsOf(columns, shownColumns(roles)) }
    const plain = await open({ ...columns, ...features })
    const recipe = await learnStepsIn({ ...plain, features: plain.engine().features }, base, options.steps)
    const pool = plain.with({ ...features, steps: stepFeatures(recipe, columns.dialect) })
    const labels = await labelsOf({ ...columns, ask: pool.ask }, pool.lookUp, recipe, options)
    return { file: { table, roles }, recipe, size: pool.size, engine: pool.engine, close, ...labels }
  })
}

async function learnRecipe(table: Table, roles: Roles, { progress, signal }: Loading): Promise<Recipe> {
  const learner = streamedLearner(roles)
  for await (const batch of table.batches(learner.wanted, (read) => progress?.(read / table.rows, 'features'))) {
    signal?.throwIfAborted()
    learner.add(batch)
  }
  return learner.finish()
}
