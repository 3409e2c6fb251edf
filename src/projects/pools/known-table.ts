import { join } from 'node:path'
import type { TableColumn } from '../../core/rows.ts'
import type { KnownTable, Table } from '../../sources/table.ts'
import { readWhole, writeWhole } from './whole-file.ts'

// What was found out about the columns of a project's pool, in `pool/table.json`: to open the project again, its file is hashed and not gone through.

const fileIn = (folder: string) => join(folder, 'table.json')
const version = 2

/** Cells that are gone through again in no time. */
const fewest = 2 ** 18

/** Writes it down, unless there is little to go through. Of files that joined later nothing is kept. */
export function keepTable(folder: string, { hash, reading, rows, columns }: Table, least = fewest): void {
  if (reading === undefined || rows * columns.length < least) return
  writeWhole(fileIn(folder), { version, hash, reading, rows }, [Buffer.from(JSON.stringify(columns))])
}

/** Undefined if nothing was written down, or not the whole of it. */
export function readKnownTable(folder: string): KnownTable | undefined {
  return readWhole<KnownTable, Omit<KnownTable, 'columns'> & { readonly version: number }>(fileIn(folder), (file) => {
    const { version: written, ...header } = file.header
    if (written !== version) return undefined
    const text = Buffer.alloc(file.size)
    file.read(text, 0)
    return { value: { ...header, columns: JSON.parse(text.toString()) as TableColumn[] } }
  })
}
