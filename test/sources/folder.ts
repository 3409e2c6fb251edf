import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { AlisError } from '../../src/core/errors.ts'
import type { Cells } from '../../src/core/rows.ts'
import { openTable } from '../../src/sources/duckdb-file.ts'
import type { ColumnRequest, Table } from '../../src/sources/table.ts'

type Contents = string | Uint8Array

let folder: string

/** A folder for the files of a test suite, gone when it ends. */
export function useFolder(): void {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'alis-sources-'))
  })
  afterAll(() => rm(folder, { recursive: true }))
}

/** Writes files into a folder of their own and returns its path. */
async function writeFiles(files: Readonly<Record<string, Contents>>): Promise<string> {
  const place = await mkdtemp(join(folder, 'case-'))
  for (const [name, contents] of Object.entries(files)) {
    const path = join(place, name)
    await mkdir(join(path, '..'), { recursive: true })
    await writeFile(path, contents)
  }
  return place
}

/** One file called pool.csv, or files by name. */
export type Files = Contents | Readonly<Record<string, Contents>>

export const filesOf = (files: Files): Readonly<Record<string, Contents>> =>
  typeof files === 'string' || files instanceof Uint8Array ? { 'pool.csv': files } : files

/** Writes files and returns the path of the first, or a pattern for them. */
export async function pathOf(files: Files, pattern?: string): Promise<string> {
  const named = filesOf(files)
  return join(await writeFiles(named), pattern ?? Object.keys(named)[0]!)
}

/** Opens a file of a folder, or a pattern of files, for as long as `use` takes. */
export async function withTable<T>(path: string, use: (table: Table) => Promise<T>): Promise<T> {
  const table = await openTable(path)
  try {
    return await use(table)
  } finally {
    await table.close()
  }
}

/** A refusal as a person reads it, without the folder it happened in. Anything but a refusal of bad input fails the test. */
export async function refusal(action: Promise<unknown>): Promise<{ message: string; hint: string | undefined }> {
  const error = await action.then(
    (value) => new Error(`expected a refusal, got ${JSON.stringify(value)}`),
    (reason: unknown) => reason,
  )
  if (!(error instanceof AlisError) || error.code !== 'bad-input') throw error
  return { message: error.message.replaceAll(/\S*\/case-[^/]*\//g, ''), hint: error.hint }
}

/** Columns in full: numbers (null where empty), texts, or lists. */
export async function readColumns(table: Table, requests: readonly ColumnRequest[]): Promise<Record<string, unknown[]>> {
  const columns = requests.map((): unknown[] => [])
  for await (const batch of table.batches(requests)) {
    for (const [j, cells] of batch.columns.entries()) columns[j]!.push(...plain(cells))
  }
  return Object.fromEntries(requests.map(({ name }, j) => [name, columns[j]!]))
}

function plain(cells: Cells): unknown[] {
  if (cells.kind === 'text') return [...cells.values]
  const numbers = Array.from(cells.values, (value) => (Number.isNaN(value) ? null : value))
  if (cells.kind === 'number') return numbers
  return Array.from({ length: numbers.length / cells.width }, (_, i) => numbers.slice(i * cells.width, (i + 1) * cells.width))
}

/** The whole table, every column as what it was found to be. */
export const readAll = (table: Table): Promise<Record<string, unknown[]>> =>
  readColumns(
    table,
    table.columns.map(({ name, kind }) => ({ name, as: kind })),
  )
