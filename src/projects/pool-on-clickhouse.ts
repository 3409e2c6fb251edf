import { requireInput } from '../core/errors.ts'
import { identityOf } from '../core/hash.ts'
import type { Label } from '../core/record.ts'
import { openClickHousePool } from '../engines/clickhouse/engine.ts'
import type { Fingerprint } from '../engines/clickhouse/points.ts'
import { quotedName } from '../engines/clickhouse/sql-text.ts'
import type { Recipe } from '../features/recipe.ts'
import { type Roles, rolesOf } from '../features/roles.ts'
import { lookUpOracle } from '../oracles/look-up.ts'
import { classesOf } from './classes.ts'
import { type ClickHouseColumns, readColumns } from './clickhouse-columns.ts'
import { clickhouseBlocks, learnOnClickHouse } from './clickhouse-recipe.ts'
import { sessionAt, spoken } from './clickhouse-session.ts'
import { type DataOptions, openTest, type PoolData } from './data.ts'
import type { PoolWish } from './load-pool.ts'
import type { Loading } from './pool.ts'

/** A pool that stays on ClickHouse. Nothing as long as the pool crosses the line. */
export async function loadOnClickHouse(
  address: string,
  options: DataOptions,
  { progress }: Loading,
  { engine, working }: PoolWish,
): Promise<PoolData & { readonly says: readonly string[] }> {
  const { test: wanted, positive, classes: given, added = [], ...wishes } = options
  requireInput(
    typeof wanted !== 'number',
    `test: a file of its own is required for a pool on ClickHouse, got a share of ${wanted}`,
    'Name a file with --test, or leave it out.',
  )
  requireInput(
    engine === undefined,
    `engine: a pool on ClickHouse is worked on there, got ${engine}`,
    'Leave --engine out, or export the table to Parquet files.',
  )
  requireInput(added.length === 0, `pool: a pool on ClickHouse is one table, got ${added.length} files that joined later`)
  const session = await sessionAt(address, working)
  try {
    progress?.(0, 'columns')
    const columns = await readColumns(session)
    const roles = rolesOf(columns, wishes)
    const id = roles.find(({ role }) => role === 'id')?.column.name
    requireInput(
      id !== undefined,
      `${session.where}: a column of ids is required, got none`,
      'Name it with --id. Rows of a table have no order, so they cannot be numbered.',
    )
    progress?.(0.25, 'features')
    const recipe = await learnOnClickHouse(session, roles, columns)
    progress?.(0.75, 'ids')
    const pool = await openClickHousePool({
      session,
      id,
      blocks: clickhouseBlocks(recipe, columns),
      hashed: recipe.parts.flatMap(({ column }) => columns.cells(column).hashed),
      fields: fieldsOf(roles, columns),
    })
    const textOf = (column: string) => columns.cells(column).text
    const distinct = async (column: string) => {
      const rows = await session.ask({ sql: `SELECT DISTINCT ${textOf(column)} FROM ${session.table} LIMIT 100000` })
      return new Set(rows.map(([value]): Label => (value === null ? null : String(value))))
    }
    const labelsIn = async (column: string) => {
      const { isMissing, text } = columns.cells(column)
      const rows = await session.ask({
        sql: `SELECT toString(${quotedName(id)}), ${text} FROM ${session.table} WHERE NOT ${isMissing}`,
      })
      return new Map(rows.map(([one, label]): [string, Label] => [String(one), String(label)]))
    }
    const common = {
      file: { table: { hash: hashOf(pool.fingerprint, id, recipe), batches: noRows, close: async () => session.close() }, roles },
      recipe,
      size: pool.fingerprint.points,
      engine: pool.engine,
      labelsIn,
      close: async () => session.close(),
      says: [spoken(session)],
    }
    const { label } = wishes
    if (label === undefined) return { ...common, test: undefined, classes: given ?? [], answers: undefined }
    const other = typeof wanted === 'string' ? await openTest(wanted, wishes, recipe) : undefined
    const { names, of } = classesOf(label, new Set([...(await distinct(label)), ...(other?.file.labels ?? [])]), positive)
    const test = other && { ...other.points, labels: other.points.rows.map((row) => of(other.file.labels[row]!)) }
    const answers = () =>
      lookUpOracle(async (ids) => (await pool.lookUp(ids, [textOf(label)])).map(([value]) => of(value ?? null)))
    return { ...common, test, classes: names, answers }
  } catch (error) {
    session.close()
    throw error
  }
}

/** Nobody reads a table on a cluster row by row: points are shown as rows, not as pictures made of columns. */
async function* noRows(): AsyncGenerator<never, void> {}

/** What the draws on record are about: these ids with these features, whichever servers they are on. */
function hashOf({ points, checksum }: Fingerprint, id: string, { parts }: Recipe): string {
  return identityOf({ points, checksum: `${checksum}`, id, columns: parts.map(({ column }) => column) })
}

function fieldsOf(roles: Roles, columns: ClickHouseColumns): Record<string, string> {
  const shown = roles.filter(({ isShown }) => isShown)
  const wanted = shown.length > 0 ? shown : roles.filter(({ role }) => role !== 'label')
  return Object.fromEntries(wanted.map(({ column: { name } }) => [name, columns.cells(name).text]))
}
