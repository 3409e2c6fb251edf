import { requireInput } from '../../core/errors.ts'
import type { TableColumn } from '../../core/rows.ts'
import { cellsOf } from '../../engines/clickhouse/cells.ts'
import { numberIn } from '../../engines/clickhouse/rows.ts'
import type { ClickHouseSession } from '../../engines/clickhouse/session.ts'
import { quotedName } from '../../engines/clickhouse/sql-text.ts'
import type { TableFacts } from '../../features/roles.ts'

const headRows = 64
/** The different numbers of so many columns are counted; of more, only up to a hundred of each. */
const mostCounted = 64

/** What there is to know about the columns of a table, from one pass over all rows. Lengths and examples are those of a few rows. */
export async function profileColumns({ where, table, columns, ask }: ClickHouseSession): Promise<TableFacts> {
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
