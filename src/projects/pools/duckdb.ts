import { requireInput } from '../../core/errors.ts'
import type { Label } from '../../core/record.ts'
import type { DuckdbPool } from '../../engines/duckdb/points.ts'
import { type OpenDuckdbPool, openDuckdbPool } from '../../engines/duckdb/pool.ts'
import { streamedLearner } from '../../features/learn-streamed.ts'
import type { Recipe } from '../../features/recipe.ts'
import { type Roles, rolesOf, shownColumns } from '../../features/roles.ts'
import { lookUpOracle } from '../../oracles/look-up.ts'
import { openTable } from '../../sources/duckdb-file.ts'
import type { Table, TableSql } from '../../sources/table.ts'
import { classesOf } from './classes.ts'
import { type DataOptions, openTest, type PoolData } from './memory.ts'
import type { Loading } from './open-file.ts'
import { blocksOf } from './recipe-sql.ts'

/** What the work on disk may use, and who watches it. */
export interface OnDisk {
  readonly memory: number
  /** Hears of every long step of a round, from 0 to 1. */
  readonly working?: (share: number, step: string) => void
}

/** What DuckDB may use of it: the rest is for what it does not count, and for ourselves. */
export const forDuckdb = ({ memory }: OnDisk): number => Math.floor(0.7 * memory)

/** A pool that stays where it lies. Nothing as long as the pool is held in memory. */
export async function loadOnDisk(path: string, options: DataOptions, loading: Loading, onDisk: OnDisk): Promise<PoolData> {
  const { test, positive: _, classes: __, added = [], ...wishes } = options
  requireInput(
    typeof test !== 'number',
    `test: a file of its own is required for a pool on disk, got a share of ${test}`,
    'Name a file with --test, or leave it out.',
  )
  requireInput(
    added.length === 0,
    `pool: a pool on disk is one file or pattern, got ${added.length} files that joined later`,
    'Use a pattern that matches all of them, in a new project.',
  )
  const { progress, signal } = loading
  const third = (k: number) => (share: number, step: string) => progress?.((k + share) / 3, step)
  const table = await openTable(path, { ...(signal && { signal }), progress: third(0) })
  const closing = [() => table.close()]
  const close = async () => {
    for (const end of closing.toReversed()) await end()
  }
  try {
    const sql = requireSql(path, table)
    const roles = rolesOf(table, wishes)
    const recipe = await learnRecipe(table, roles, { progress: third(1), ...(signal && { signal }) })
    const rows = rowsOf(sql, roles.find(({ role }) => role === 'id')?.column.name)
    let isReady = false
    const pool = await openDuckdbPool(
      { ...rows, blocks: blocksOf(recipe, sql), fields: fieldsOf(sql, roles), setup: sql.setup },
      { memoryLimit: forDuckdb(onDisk), progress: (share, step) => (isReady ? onDisk.working : third(2))?.(share, step) },
    )
    closing.push(() => pool.close())
    isReady = true
    return {
      file: { table, roles },
      recipe,
      size: pool.size,
      engine: pool.engine,
      async labelsIn(column) {
        const { text } = sql.column(column)
        const found = await pool.ask(`SELECT ${rows.id}, ${text} FROM ${rows.from} WHERE ${text} IS NOT NULL`)
        return new Map(found.map(([id, label]): [string, Label] => [String(id), String(label)]))
      },
      close,
      ...(await answersIn(pool, sql, recipe, options)),
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** What the label column says, where there is one: the classes, the answers, and the rows of another file to test on. */
export async function answersIn(
  pool: OpenDuckdbPool,
  sql: TableSql,
  recipe: Recipe,
  { test, positive, classes, added: _, ...wishes }: DataOptions,
): Promise<Pick<PoolData, 'test' | 'classes' | 'answers'>> {
  if (wishes.label === undefined) return { test: undefined, classes: classes ?? [], answers: undefined }
  const { text } = sql.column(wishes.label)
  const found = await pool.ask(`SELECT DISTINCT ${text} FROM ${sql.from} LIMIT ${mostLabels}`)
  const labels = found.map(([label]): Label => (label === null ? null : String(label)))
  const other = typeof test === 'string' ? await openTest(test, wishes, recipe) : undefined
  const { names, of } = classesOf(wishes.label, new Set([...labels, ...(other?.file.labels ?? [])]), positive)
  return {
    test: other && { ...other.points, labels: other.points.rows.map((row) => of(other.file.labels[row]!)) },
    classes: names,
    answers: () => lookUpOracle(async (ids) => (await pool.lookUp(ids, [text])).map(([label]) => of(label ?? null))),
  }
}

/** More than there can be classes: how many there are is for people to hear. */
const mostLabels = 100_000

export function requireSql(path: string, { sql }: Table): TableSql {
  requireInput(sql !== undefined, `${path}: a pool on disk is one file or pattern, got files that joined later`)
  return sql
}

/** What to select from, and the id of a row: of a column, or else its number. */
export function rowsOf(
  { from, line, isNumbered, column }: TableSql,
  id: string | undefined,
): Pick<DuckdbPool, 'from' | 'id' | 'line'> {
  if (id !== undefined) return { from, id: column(id).text, line }
  if (isNumbered) return { from, id: `(${line} + 1)::VARCHAR`, line }
  // Counting takes one thread, and nothing is found without reading all that comes before.
  return { from: `(SELECT *, (row_number() OVER ())::VARCHAR AS row_name FROM ${from})`, id: 'row_name' }
}

/** What people see of a point, as expressions. */
export function fieldsOf({ column }: TableSql, roles: Roles): Record<string, string> {
  return Object.fromEntries(shownColumns(roles).map(({ name }) => [name, column(name).text]))
}

async function learnRecipe(table: Table, roles: Roles, { progress, signal }: Loading): Promise<Recipe> {
  const learner = streamedLearner(roles)
  for await (const batch of table.batches(learner.wanted, (read) => progress?.(read / table.rows, 'features'))) {
    signal?.throwIfAborted()
    learner.add(batch)
  }
  return learner.finish()
}
