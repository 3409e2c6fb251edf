import { requireInput } from '../core/errors.ts'
import type { TableColumn } from '../core/rows.ts'
import { type Database, readRow, readRows, streamChunks } from './duckdb.ts'
import type { Opening } from './opening.ts'
import { soundLength, type TableFile } from './table-file.ts'
import { itemsOf } from './vector-items.ts'

const headRows = 2048
const exactUpTo = 1000

/** The files of a table, and what their cells tell. */
export interface TableProfile {
  readonly files: readonly TableFile[]
  readonly columns: readonly TableColumn[]
  readonly rows: number
}

/**
 * What there is to know about the columns, from one pass over all rows, and a second one over the columns that seem to have few
 * different values, to count them exactly. Lengths and examples are those of the first rows.
 */
export async function profileColumns(files: readonly TableFile[], opening: Opening): Promise<TableProfile> {
  const { database } = opening
  const { path, columns } = files[0]!
  opening.readTo('looking', 0)
  const heads = await readHeads(database, files)
  // Only vectors begin with a bracket; where all first cells are empty, we cannot tell.
  const isOpen = columns.map(({ isOpen }, i) => isOpen && !/^\s*[^\s[]/.test(heads[i]![0] ?? ''))

  const values = columns.map((_, i) => comparable(files, i))
  const all = union(files, (file, i) => {
    const { counted, underscore = 'false', vector } = file.columns[i]!
    const length = isOpen[i] ? [`${soundLength(vector)} AS v${i}`] : []
    return [`${values[i]!(file)} AS p${i}`, `${counted} AS n${i}`, `${underscore} AS u${i}`, ...length]
  })
  const measures = columns.flatMap((_, i) => {
    const lengths = isOpen[i] ? [`count(v${i})`, `min(v${i})`, `max(v${i})`] : ['0', '0', '0']
    return [`count(p${i})`, `count(n${i})`, `sum(u${i}::TINYINT)`, `approx_count_distinct(p${i})`, ...lengths]
  })
  const sql = `SELECT ${['count(*)', ...measures]} FROM ${all}`
  const found = await readRow(database, sql, { progress: (share) => opening.readTo('looking', share) })
  const [rows, ...counts] = found.map(Number) as [number, ...number[]]
  requireInput(rows > 0 || opening.mayBeEmpty === true, `${path}: must have rows, got none`)

  const profiled = columns.map(({ name }, i): TableColumn => {
    const [present, numbers, underscores, distinct, vectors, shortest, longest] = counts.slice(7 * i, 7 * i + 7) as Seven
    const isNumber = present > 0 && numbers === present && underscores === 0
    const isVector = present > 0 && vectors === present && shortest === longest && shortest > 0
    return {
      name,
      kind: isNumber ? 'number' : isVector ? 'vector' : 'text',
      missing: rows - present,
      distinct: Math.min(distinct, present), // an estimate, which may be above what is possible
      meanLength: meanLength(heads[i]!),
      examples: [...new Set(heads[i])].slice(0, 3),
      ...(isVector && { width: shortest }),
    }
  })
  return { files, columns: await countExactly(files, profiled, rows, values, opening), rows }
}

type Seven = [number, number, number, number, number, number, number]
type ValueOf = (file: TableFile) => string

/** What to compare in column i: values of one type, or else what is written. */
function comparable(files: readonly TableFile[], i: number): ValueOf {
  const isOneType = files.every(({ columns }) => columns[i]!.type === files[0]!.columns[i]!.type)
  return ({ columns }) => (isOneType ? columns[i]!.value : columns[i]!.text)
}

function union(files: readonly TableFile[], expressions: (file: TableFile, i: number) => readonly string[]): string {
  return `(${files.map((file) => `SELECT ${file.columns.flatMap((_, i) => expressions(file, i))} FROM ${file.from}`).join(' UNION ALL ')})`
}

/** The first cells of every column that are not empty. */
async function readHeads(database: Database, files: readonly TableFile[]): Promise<string[][]> {
  for (const { columns, from } of files) {
    const rows = await readRows(database, `SELECT ${columns.map(({ text }) => text)} FROM ${from} LIMIT ${headRows}`)
    if (rows.length > 0) return columns.map((_, i) => rows.map((row) => row[i] as string | null).filter((cell) => cell !== null))
  }
  return files[0]!.columns.map(() => [])
}

function meanLength(cells: readonly string[]): number {
  return cells.length === 0 ? 0 : cells.reduce((sum, { length }) => sum + length, 0) / cells.length
}

/** Different values of the columns that seem to have few: DuckDB's estimate is off by an eighth or so. Counting in SQL takes seconds for each column. */
async function countExactly(
  files: readonly TableFile[],
  columns: readonly TableColumn[],
  rows: number,
  values: readonly ValueOf[],
  { database, signal, readTo }: Opening,
): Promise<TableColumn[]> {
  const few = [...columns.keys()].filter((i) => columns[i]!.distinct <= 2 * exactUpTo)
  if (few.length === 0) return [...columns]
  const seen = few.map(() => new Set<number>())
  const hashes = union(files, (file, i) => (few.includes(i) ? [`(hash(${values[i]!(file)}) >> 11)::DOUBLE`] : []))
  let done = 0
  for await (const chunk of streamChunks(database, `FROM ${hashes}`)) {
    signal?.throwIfAborted()
    for (const [k, set] of seen.entries()) {
      if (set.size <= exactUpTo + 1) for (const hash of itemsOf(chunk.getColumnVector(k))) set.add(hash)
    }
    done += chunk.rowCount
    readTo('counting', done / rows)
  }
  return columns.map((column, i) => {
    const k = few.indexOf(i)
    if (k < 0) return column
    const distinct = seen[k]!.size - (column.missing > 0 ? 1 : 0) // empty cells have a hash too
    return { ...column, distinct: distinct <= exactUpTo ? distinct : Math.max(column.distinct, exactUpTo + 1) }
  })
}
