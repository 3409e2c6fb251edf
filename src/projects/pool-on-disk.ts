import { requireInput } from '../core/errors.ts'
import type { Label } from '../core/record.ts'
import { openDuckdbPool } from '../engines/duckdb-pool.ts'
import { streamedLearner } from '../features/learn-streamed.ts'
import type { Recipe } from '../features/recipe.ts'
import { type Roles, rolesOf } from '../features/roles.ts'
import { lookUpOracle } from '../oracles/look-up.ts'
import { openTable } from '../sources/duckdb-file.ts'
import type { Table, TableSql } from '../sources/table.ts'
import { classesOf } from './classes.ts'
import { type DataOptions, openTest, type PoolData } from './data.ts'
import type { Loading } from './pool.ts'
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
  const { test: wanted, positive, classes: given, added = [], ...wishes } = options
  requireInput(
    typeof wanted !== 'number',
    `test: a file of its own is required for a pool on disk, got a share of ${wanted}`,
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
  try {
    const sql = requireSql(path, table)
    const roles = rolesOf(table, wishes)
    const recipe = await learnRecipe(table, roles, { progress: third(1), ...(signal && { signal }) })
    const id = roles.find(({ role }) => role === 'id')?.column.name
    let isReady = false
    const pool = await openDuckdbPool(
      { ...rowsOf(sql, id), blocks: blocksOf(recipe, sql), fields: fieldsOf(sql, roles), setup: sql.setup },
      { memoryLimit: forDuckdb(onDisk), progress: (share, step) => (isReady ? onDisk.working : third(2))?.(share, step) },
    ).catch(async (error) => Promise.reject(error))
    isReady = true
    const close = async () => {
      await pool.close()
      await table.close()
    }
    const textOf = (column: string) => sql.column(column).text
    const distinct = async (column: string) => {
      const rows = await pool.ask(`SELECT DISTINCT ${textOf(column)} FROM ${sql.from} LIMIT 100000`)
      return new Set(rows.map(([value]): Label => (value === null ? null : String(value))))
    }
    const labelsIn = async (column: string) => {
      const rows = await pool.ask(
        `SELECT ${rowsOf(sql, id).id}, ${textOf(column)} FROM ${rowsOf(sql, id).from} WHERE ${textOf(column)} IS NOT NULL`,
      )
      return new Map(rows.map(([one, label]): [string, Label] => [String(one), String(label)]))
    }
    const common = { file: { table, roles }, recipe, size: pool.size, engine: pool.engine, labelsIn, close }
    const { label } = wishes
    if (label === undefined) return { ...common, test: undefined, classes: given ?? [], answers: undefined }
    const other = typeof wanted === 'string' ? await openTest(wanted, wishes, recipe) : undefined
    const { names, of } = classesOf(label, new Set([...(await distinct(label)), ...(other?.file.labels ?? [])]), positive)
    const test = other && { ...other.points, labels: other.points.rows.map((row) => of(other.file.labels[row]!)) }
    const answers = () =>
      lookUpOracle(async (ids) => (await pool.lookUp(ids, [textOf(label)])).map(([value]) => of(value ?? null)))
    return { ...common, test, classes: names, answers }
  } catch (error) {
    await table.close()
    throw error
  }
}

export function requireSql(path: string, { sql }: Table): TableSql {
  requireInput(sql !== undefined, `${path}: a pool on disk is one file or pattern, got files that joined later`)
  return sql
}

/** What to select from, and the id of a row: of a column, or else its number. */
export function rowsOf({ from, column }: TableSql, id: string | undefined): { readonly from: string; readonly id: string } {
  if (id !== undefined) return { from, id: column(id).text }
  return { from: `(SELECT *, (row_number() OVER ())::VARCHAR AS row_name FROM ${from})`, id: 'row_name' }
}

function fieldsOf({ column }: TableSql, roles: Roles): Record<string, string> {
  const shown = roles.filter(({ isShown }) => isShown)
  const columns = shown.length > 0 ? shown : roles.filter(({ role }) => role !== 'label')
  return Object.fromEntries(columns.map(({ column: { name } }) => [name, column(name).text]))
}

async function learnRecipe(table: Table, roles: Roles, { progress, signal }: Loading): Promise<Recipe> {
  const learner = streamedLearner(roles)
  for await (const batch of table.batches(learner.wanted, (read) => progress?.(read / table.rows, 'features'))) {
    signal?.throwIfAborted()
    learner.add(batch)
  }
  return learner.finish()
}
