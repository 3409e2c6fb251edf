import { requireInput } from '../../core/errors.ts'
import { identityOf } from '../../core/hash.ts'
import type { TableColumn } from '../../core/rows.ts'
import { cellsOf } from '../../engines/clickhouse/cells.ts'
import { openClickHousePool } from '../../engines/clickhouse/pool.ts'
import { numberIn } from '../../engines/clickhouse/rows.ts'
import type { ClickHouseSession } from '../../engines/clickhouse/session.ts'
import { quotedName } from '../../engines/clickhouse/sql-text.ts'
import { type Roles, rolesOf, shownColumns, type TableFacts } from '../../features/roles.ts'
import { learnOnClickHouse } from './clickhouse-recipe.ts'
import { describeServers, hashedIn, openOnClickHouse, requireId, tableOn } from './clickhouse-table.ts'
import type { PoolWish } from './engine-choice.ts'
import { labelsOf, requireNoShare } from './label-column.ts'
import type { DataOptions, Loading, PoolData } from './pool-data.ts'
import { fieldsOf, type QueriedTable } from './queried-table.ts'
import { blocksOf } from './recipe-sql.ts'
import { learnStepsIn, stepFeatures } from './steps-sql.ts'

/** A table on ClickHouse whose columns have been understood. */
interface TableOfPoints {
  readonly session: ClickHouseSession
  readonly facts: TableFacts
  readonly roles: Roles
  /** The column that names the points. */
  readonly id: string
  /** What people see of a point, as expressions. */
  readonly fields: Readonly<Record<string, string>>
  readonly table: QueriedTable
}

/** A pool on ClickHouse, but for what is the same of all. */
type ClickHousePoolData = Omit<PoolData, 'file' | 'close'> & { readonly hash: string }

/** Opens the table of a pool and makes points of its rows. Nothing as long as the pool crosses the line. */
export async function openPoolOnClickHouse(
  address: string,
  options: DataOptions,
  { progress }: Loading,
  { engine, working }: PoolWish,
  make: (table: TableOfPoints) => Promise<ClickHousePoolData>,
): Promise<PoolData & { readonly says: readonly string[] }> {
  const { added = [], scores } = options
  requireNoShare('a pool on ClickHouse', options)
  requireInput(
    engine === undefined,
    `engine: a pool on ClickHouse is worked on there, got ${engine}`,
    'Leave --engine out, or export the table to Parquet files.',
  )
  requireInput(added.length === 0, `pool: a pool on ClickHouse is one table, got ${added.length} files that joined later`)
  return openOnClickHouse(address, working, async (session) => {
    progress?.(0, 'columns')
    const facts = await profileColumns(session)
    const roles = rolesOf(facts, options)
    const id = roles.find(({ role }) => role === 'id')?.column.name
    requireId(session.where, id)
    const table = tableOn(session, id)
    progress?.(0.25, scores ? 'scores' : 'features')
    const { hash, ...points } = await make({ session, facts, roles, id, fields: fieldsOf(table, shownColumns(roles)), table })
    const close = async () => session.close()
    return { ...points, file: { table: { hash, batches: noRows, close }, roles }, close, says: [describeServers(session)] }
  })
}

/** Points are shown as rows, not as pictures made of columns: no table on a cluster is read row by row. */
async function* noRows(): AsyncGenerator<never, void> {}

/** A pool that stays on ClickHouse, with the features that a model is learned from. */
export function loadOnClickHouse(address: string, options: DataOptions, loading: Loading, wish: PoolWish) {
  return openPoolOnClickHouse(address, options, loading, wish, async ({ facts, roles, table, ...pool }) => {
    const base = await learnOnClickHouse(pool.session, roles, facts)
    const columns = base.parts.map(({ column }) => column)
    loading.progress?.(0.75, 'ids')
    const plain = await openClickHousePool({
      ...pool,
      blocks: blocksOf(base, table),
      hashed: hashedIn(pool.session, columns),
    })
    const { points, checksum } = plain.fingerprint
    const sampled = { size: points, idsInOrder: plain.idsInOrder, features: plain.engine().features }
    // Servers without it take minutes to understand as many products of lists as there are landmarks.
    const recipe = pool.session.abilities.hasDotProduct ? await learnStepsIn(sampled, base, options.steps) : base
    const { engine, lookUp } = plain.with(stepFeatures(recipe, table.dialect))
    // What the draws on record are about: these ids with these features, whichever servers they are on.
    const hash = identityOf({ points, checksum: `${checksum}`, id: pool.id, columns })
    return { recipe, hash, size: points, engine, ...(await labelsOf(table, lookUp, recipe, options)) }
  })
}

const headRows = 64
/** The different numbers of so many columns are counted; of more, only up to a hundred of each. */
const mostCounted = 64

/** What there is to know about the columns of a table, from one pass over all rows. Lengths and examples are those of a few rows. */
async function profileColumns({ where, table, columns, ask }: ClickHouseSession): Promise<TableFacts> {
  const readable = columns.flatMap((column) => cellsOf(column) ?? [])
  requireInput(readable.length > 0, `${where}: columns of numbers, texts or lists of numbers are required, got none`)
  const different = (kind: TableColumn['kind']) => (kind === 'text' || readable.length <= mostCounted ? 'uniq' : 'uniqUpTo(100)')
  const measures = readable.map(({ name, kind, isMissing }) =>
    kind === 'vector'
      ? [`min(length(${quotedName(name)}))`, `max(length(${quotedName(name)}))`]
      : [`countIf(${isMissing})`, `${different(kind)}(${quotedName(name)})`],
  )
  const [counts] = await ask({ sql: `SELECT ${['count()', ...measures.flat()].join(', ')} FROM ${table}` })
  const head = await ask({ sql: `SELECT ${readable.map(({ text }) => text).join(', ')} FROM ${table} LIMIT ${headRows}` })
  const rows = numberIn(counts!, 0)
  requireInput(rows > 0, `${where}: must have rows, got none`)

  const profiled = readable.flatMap(({ name, kind }, i): TableColumn[] => {
    const [first, second] = [numberIn(counts!, 2 * i + 1), numberIn(counts!, 2 * i + 2)]
    const examples = head.map((row) => row[i]).filter((cell) => typeof cell === 'string')
    const meanLength = examples.reduce((sum, { length }) => sum + length, 0) / Math.max(1, examples.length)
    const common = { name, meanLength, examples: [...new Set(examples)].slice(0, 3) }
    if (kind !== 'vector') return [{ ...common, kind, missing: first, distinct: second }]
    const isVector = first === second && first > 0 // lists of different lengths are no vectors
    return isVector ? [{ ...common, kind, missing: 0, distinct: rows, width: first }] : []
  })
  return { rows, columns: profiled }
}
