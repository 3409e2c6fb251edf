import type { Cells } from '../../core/rows.ts'
import type { ColumnRequest, Table } from '../../sources/table.ts'

/** A column on its way into memory: what to ask for, and where its cells go. */
export interface Intake<T> {
  readonly request: ColumnRequest
  /** Complete when all rows have been read. */
  readonly column: T
  take(start: number, cells: Cells): void
}

/** Reads several columns in one pass over the table. */
export async function readColumns(
  table: Table,
  intakes: readonly (Intake<unknown> | undefined)[],
  progress?: (rows: number) => void,
): Promise<void> {
  const wanted = intakes.filter((intake) => intake !== undefined)
  if (wanted.length === 0) return
  const requests = wanted.map(({ request }) => request)
  for await (const { start, columns } of table.batches(requests, progress)) {
    for (const [j, cells] of columns.entries()) wanted[j]!.take(start, cells)
  }
}

/** As written; null where a cell is empty. */
export function texts(table: Table, name: string): Intake<(string | null)[]> {
  const column = new Array<string | null>(table.rows)
  return {
    request: { name, as: 'text' },
    column,
    take(start, { values }) {
      for (let i = 0; i < values.length; i++) column[start + i] = values[i] as string | null
    },
  }
}

/** NaN where a cell is empty. */
export function numbers(table: Table, name: string): Intake<Float32Array> {
  const column = new Float32Array(table.rows)
  return { request: { name, as: 'number' }, column, take: (start, { values }) => column.set(values as Float32Array, start) }
}

/** A column of few different texts. */
export interface Coded {
  /** The different texts, as they came. */
  readonly names: string[]
  /** Every row's position among them; −1 where the cell is empty. */
  readonly codes: Int32Array
}

export function coded(table: Table, name: string): Intake<Coded> {
  const column: Coded = { names: [], codes: new Int32Array(table.rows) }
  const codeOf = new Map<string | null, number>([[null, -1]])
  return {
    request: { name, as: 'text' },
    column,
    take(start, { values }) {
      for (let i = 0; i < values.length; i++) {
        const text = values[i] as string | null
        let code = codeOf.get(text)
        if (code === undefined) {
          code = column.names.push(text!) - 1
          codeOf.set(text, code)
        }
        column.codes[start + i] = code
      }
    },
  }
}
