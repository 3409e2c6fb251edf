import { requireInput } from '../../core/errors.ts'
import { identityOf } from '../../core/hash.ts'
import type { Label } from '../../core/record.ts'
import type { ClickHousePool } from '../../engines/clickhouse/points.ts'
import { type OpenClickHousePool, openClickHousePool } from '../../engines/clickhouse/pool.ts'
import type { ClickHouseSession } from '../../engines/clickhouse/session.ts'
import { quotedName } from '../../engines/clickhouse/sql-text.ts'
import { type Roles, rolesOf, shownColumns } from '../../features/roles.ts'
import { lookUpOracle } from '../../oracles/look-up.ts'
import { type Classes, classesOf } from './classes.ts'
import { type ClickHouseColumns, readColumns } from './clickhouse-columns.ts'
import { clickhouseBlocks, learnOnClickHouse } from './clickhouse-recipe.ts'
import { sessionAt, spoken } from './clickhouse-session.ts'
import type { PoolWish } from './engine-choice.ts'
import { type DataOptions, openTest, type PoolData } from './memory.ts'
import type { Loading } from './open-file.ts'

/** A pool that stays on ClickHouse. Nothing as long as the pool crosses the line. */
export async function loadOnClickHouse(
  address: string,
  options: DataOptions,
  { progress }: Loading,
  { engine, working }: PoolWish,
  scoredOn: ScoredOn,
): Promise<PoolData & { readonly says: readonly string[] }> {
  const { test: wanted, positive: _, classes: given, added = [], ...wishes } = options
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
    const table = { session, id, fields: fieldsOf(roles, columns) }
    const { label, scores } = wishes
    const textOf = (column: string) => columns.cells(column).text
    progress?.(0.25, scores ? 'scores' : 'features')
    const learned = scores ? undefined : await learnedOn(table, roles, columns)
    const other = typeof wanted === 'string' && learned ? await openTest(wanted, wishes, learned.recipe) : undefined
    const { names, of } =
      label === undefined
        ? { names: given ?? [], of: (value: Label) => value }
        : await classesIn(session, label, textOf(label), options, other?.file.labels)
    progress?.(0.75, 'ids')
    const pool = learned ?? (await scoredOn(table, scores ?? [], names, columns))
    const answers = (column: string) =>
      lookUpOracle(async (ids) => (await pool.lookUp(ids, [textOf(column)])).map(([value]) => of(value ?? null)))
    const close = async () => session.close()
    return {
      ...pool,
      file: { table: { hash: pool.hash, batches: noRows, close }, roles },
      async labelsIn(column) {
        const { isMissing, text } = columns.cells(column)
        const rows = await session.ask({
          sql: `SELECT toString(${quotedName(id)}), ${text} FROM ${session.table} WHERE NOT ${isMissing}`,
        })
        return new Map(rows.map(([one, said]): [string, Label] => [String(one), String(said)]))
      },
      close,
      says: [spoken(session)],
      test: other && { ...other.points, labels: other.points.rows.map((row) => of(other.file.labels[row]!)) },
      classes: names,
      answers: label === undefined ? undefined : () => answers(label),
    }
  } catch (error) {
    session.close()
    throw error
  }
}

export type Table = Pick<ClickHousePool, 'session' | 'id' | 'fields'>

/** Points with the features that a model is learned from. */
async function learnedOn({ session, id, fields }: Table, roles: Roles, columns: ClickHouseColumns): Promise<Points> {
  const recipe = await learnOnClickHouse(session, roles, columns)
  const hashed = recipe.parts.flatMap(({ column }) => columns.cells(column).hashed)
  const pool = await openClickHousePool({ session, id, blocks: clickhouseBlocks(recipe, columns), hashed, fields })
  const { points, checksum } = pool.fingerprint
  // What the draws on record are about: these ids with these features, whichever servers they are on.
  const hash = identityOf({ points, checksum: `${checksum}`, id, columns: recipe.parts.map(({ column }) => column) })
  return { recipe, hash, size: points, engine: pool.engine, lookUp: pool.lookUp }
}

/** Points with the scores that are kept in columns. */
export type ScoredOn = (
  table: Table,
  named: readonly string[],
  classes: readonly string[],
  columns: ClickHouseColumns,
) => Promise<Points>

export type Points = Pick<PoolData, 'recipe' | 'size' | 'engine' | 'look'> &
  Pick<OpenClickHousePool, 'lookUp'> & { readonly hash: string }

async function classesIn(
  { ask, table }: ClickHouseSession,
  label: string,
  text: string,
  { positive }: DataOptions,
  others: readonly Label[] = [],
): Promise<Classes> {
  const rows = await ask({ sql: `SELECT DISTINCT ${text} FROM ${table} LIMIT 100000` })
  const found = rows.map(([value]): Label => (value === null ? null : String(value)))
  return classesOf(label, new Set([...found, ...others]), positive)
}

/** Nobody reads a table on a cluster row by row: points are shown as rows, not as pictures made of columns. */
async function* noRows(): AsyncGenerator<never, void> {}

function fieldsOf(roles: Roles, columns: ClickHouseColumns): Record<string, string> {
  return Object.fromEntries(shownColumns(roles).map(({ name }) => [name, columns.cells(name).text]))
}
