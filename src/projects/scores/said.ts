import { writeFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { closing } from '../../core/closing.ts'
import { requireInput } from '../../core/errors.ts'
import type { ScoresFile } from '../../elsewhere/messages.ts'
import type { OwnScores } from '../../learners/own-learner.ts'
import { openTable } from '../../sources/duckdb-file.ts'
import type { Table } from '../../sources/table.ts'
import { tableBytes, type WrittenRow } from '../../sources/write-table.ts'
import { requireSql } from '../pools/duckdb.ts'
import { type ChancesSql, chancesIn } from './duckdb.ts'
import { openNpy } from './npy.ts'

/** Scores as a program hands them over: in a file, or all in its reply. */
export type SaidScores = OwnScores | ScoresFile

interface SaidAbout {
  readonly classes: readonly string[]
  /** A path without an ending, to write to. */
  readonly scratch: string
  /** The ids of the pool in the order of its rows. */
  ids(): AsyncIterable<readonly string[]>
}

/** Works with scores that were handed over, wherever they are, as chances of all classes in SQL. */
export async function withSaid<T>(said: SaidScores, about: SaidAbout, work: (source: ChancesSql) => Promise<T>): Promise<T> {
  const { classes } = about
  const isTable = 'file' in said && extname(said.file).toLowerCase() !== '.npy'
  const names = isTable ? classes : classes.map((_, k) => `p${k}`)
  const path = isTable
    ? said.file
    : await writtenRows(about, 'file' in said ? arrayRows(said.file, about) : givenRows(said, about))
  return closing(openTable(path), async (table) => {
    if (isTable) requireColumns(path, table, ['id', ...classes])
    return work(chancesIn(requireSql(path, table), 'id', names))
  })
}

function requireColumns(path: string, { columns }: Table, wanted: readonly string[]): void {
  const there = columns.map(({ name }) => name)
  const missing = wanted.find((name) => !there.includes(name))
  requireInput(
    missing === undefined,
    `${path}: a column id and one for each class, named like it, is required, got none called ${JSON.stringify(missing)}`,
    `Its columns are ${there.slice(0, 12).join(', ')}. An NPY file needs none: a row for each row of the pool, a column for each class.`,
  )
}

/** Writes rows where DuckDB reads them. */
async function writtenRows({ classes, scratch }: SaidAbout, rows: AsyncIterable<readonly WrittenRow[]>): Promise<string> {
  const path = `${scratch}.parquet`
  const columns = [{ name: 'id', type: 'text' } as const, ...classes.map((_, k) => ({ name: `p${k}`, type: 'number' as const }))]
  await writeFile(path, tableBytes(columns, 'parquet', rows))
  return path
}

async function* givenRows({ probabilities }: OwnScores, { classes }: SaidAbout): AsyncGenerator<readonly WrittenRow[]> {
  const rows: WrittenRow[] = []
  for (const [id, chances] of probabilities) {
    requireInput(
      chances.length === classes.length,
      `probabilities: one for each of ${classes.length} classes is required, got ${chances.length} for ${JSON.stringify(id)}`,
    )
    rows.push([id, ...chances])
  }
  yield rows
}

/** An array has a row for each row of the pool. */
async function* arrayRows(path: string, { classes, ids }: SaidAbout): AsyncGenerator<readonly WrittenRow[]> {
  const array = await openNpy(path)
  try {
    const width = classes.length
    requireInput(array.columns === width, `${path}: a column for each of ${width} classes is required, got ${array.columns}`)
    let row = 0
    for await (const some of ids()) {
      const numbers = await array.read(row, some.length)
      yield some.map((id, i): WrittenRow => [id, ...classes.map((_, k) => numberOr(numbers[i * width + k]))])
      row += some.length
    }
    requireInput(row === array.rows, `${path}: a row for each of ${row} rows of the pool is required, got ${array.rows}`)
  } finally {
    await array.close()
  }
}

const numberOr = (number: number | undefined): number | null => (number === undefined || Number.isNaN(number) ? null : number)
