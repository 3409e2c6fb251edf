import type { Coded, Measured } from '../../engines/predicted-rows.ts'
import type { ColumnRequest, Table } from '../../sources/table.ts'

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
    numbers(name: string): Measured {
      const values = new Float32Array(table.rows)
      asked.push({ request: { name, as: 'number' }, take: (start, some) => values.set(some as Float32Array, start) })
      return { column: name, values }
    },
    coded(name: string): Coded {
      const names: string[] = []
      const codes = new Int32Array(table.rows)
      const codeOf = new Map<string | null, number>([[null, -1]])
      const take = (start: number, values: ArrayLike<unknown>) => {
        for (let i = 0; i < values.length; i++) {
          const text = values[i] as string | null
          let code = codeOf.get(text)
          if (code === undefined) {
            code = names.push(text!) - 1
            codeOf.set(text, code)
          }
          codes[start + i] = code
        }
      }
      asked.push({ request: { name, as: 'text' }, take })
      return { column: name, names, codes }
    },
    async read(): Promise<void> {
      if (asked.length === 0) return
      for await (const { start, columns } of table.batches(asked.map(({ request }) => request)))
        for (const [j, { values }] of columns.entries()) asked[j]!.take(start, values)
    },
  }
}
