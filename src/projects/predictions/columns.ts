import type { ColumnRequest, Table } from '../../sources/table.ts'

/** A column of few different texts. */
export interface Coded {
  /** The different texts, as they came. */
  readonly names: string[]
  /** Every row's position among them; −1 where the cell is empty. */
  readonly codes: Int32Array
}

/** Reads columns into memory, all that were asked for in one pass. A column is complete once `read` is done. */
export function columnReader(table: Table) {
  const asked: { readonly request: ColumnRequest; take(start: number, values: ArrayLike<unknown>): void }[] = []

  return {
    /** As written; null where a cell is empty. */
    texts(name: string): (string | null)[] {
      const column = new Array<string | null>(table.rows)
      const take = (start: number, values: ArrayLike<unknown>) => {
        for (let i = 0; i < values.length; i++) column[start + i] = values[i] as string | null
      }
      asked.push({ request: { name, as: 'text' }, take })
      return column
    },
    /** NaN where a cell is empty. */
    numbers(name: string): Float32Array {
      const column = new Float32Array(table.rows)
      asked.push({ request: { name, as: 'number' }, take: (start, values) => column.set(values as Float32Array, start) })
      return column
    },
    coded(name: string): Coded {
      const column: Coded = { names: [], codes: new Int32Array(table.rows) }
      const codeOf = new Map<string | null, number>([[null, -1]])
      const take = (start: number, values: ArrayLike<unknown>) => {
        for (let i = 0; i < values.length; i++) {
          const text = values[i] as string | null
          let code = codeOf.get(text)
          if (code === undefined) {
            code = column.names.push(text!) - 1
            codeOf.set(text, code)
          }
          column.codes[start + i] = code
        }
      }
      asked.push({ request: { name, as: 'text' }, take })
      return column
    },
    async read(): Promise<void> {
      if (asked.length === 0) return
      for await (const { start, columns } of table.batches(asked.map(({ request }) => request)))
        for (const [j, { values }] of columns.entries()) asked[j]!.take(start, values)
    },
  }
}
