import { existsSync, statSync } from 'node:fs'
import { AlisError, requireInput } from '../core/errors.ts'
import type { DataFile } from './files.ts'
import { chosenTable, sqlName } from './table-file.ts'
import type { ToolRecord } from './tool-record.ts'

/** The rows of a table or view in a SQLite database, in the order of its row numbers. */
export async function* sqliteRows({ path, reading }: DataFile): AsyncGenerator<ToolRecord> {
  const log = `${path}-wal`
  const isOpen = existsSync(log) && statSync(log).size > 0
  requireInput(
    !isOpen,
    `${path}: a database that no program has open is required, got changes in ${log}`,
    'Close it there first.',
  )
  const { default: Database } = await import('better-sqlite3')
  const database = new Database(path, { readonly: true, fileMustExist: true })
  try {
    database.defaultSafeIntegers()
    const listed = database.prepare(
      "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite#_%' ESCAPE '#'",
    )
    const table = sqlName(chosenTable(path, listed.pluck().all() as string[], reading?.table))
    const all = `SELECT * FROM ${table}`
    const statement = orElse(
      () => database.prepare<[], Record<string, unknown>>(`${all} ORDER BY rowid`),
      () => database.prepare<[], Record<string, unknown>>(all), // a view, or a table without them
    )
    for (const row of statement.iterate())
      yield Object.fromEntries(Object.entries(row).map(([name, value]) => [name, cellOf(value)]))
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error) || !`${error.code}`.startsWith('SQLITE_')) throw error
    const hint = 'Check that it was copied to its end, and that it has no password.'
    throw new AlisError('bad-input', `${path}: must be a whole SQLite database, got "${error.message}"`, hint, { cause: error })
  } finally {
    database.close()
  }
}

function orElse<T>(first: () => T, second: () => T): T {
  try {
    return first()
  } catch {
    return second()
  }
}

function cellOf(value: unknown): string | number | null {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : `${value}`
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64')
  return value as string | number | null
}
