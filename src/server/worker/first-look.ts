import type { Table } from '../../sources/table.ts'

/** What stands in the rows of a table, as far as a first look goes. */
export interface FirstLook {
  /** The first rows, cell by cell in the order of the columns, cut where they are long. */
  readonly rows: (string | null)[][]
  /** Of columns of few different values: each with how often it is there, the most frequent first. */
  readonly values: ReadonlyMap<string, { value: string; count: number }[]>
  /** Of columns of numbers: the least and the largest. */
  readonly ranges: ReadonlyMap<string, [number, number]>
}

const shownRows = 25
const longest = 300 // characters of a cell
const mostColumns = 60
const mostRows = 200_000
const mostValues = 100

/** Reads the first rows, and the columns that may hold predictions. */
export async function firstLook(table: Table): Promise<FirstLook> {
  const columns = table.columns.slice(0, mostColumns)
  const shown = Array.from({ length: Math.min(shownRows, table.rows) }, (_, k) => k)
  const picked = await table.pick(
    shown,
    columns.map(({ name }) => name),
  )
  const few = columns.filter(({ kind, distinct }) => kind === 'text' && distinct <= mostValues)
  const numbers = columns.filter(({ kind }) => kind === 'number')
  const counts = new Map(few.map(({ name }) => [name, new Map<string, number>()]))
  const ranges = new Map<string, [number, number]>()
  const requests = [
    ...few.map(({ name }) => ({ name, as: 'text' as const })),
    ...numbers.map(({ name }) => ({ name, as: 'number' as const })),
  ]
  if (requests.length > 0)
    for await (const { start, rows, columns: cells } of table.batches(requests)) {
      for (const [j, { values }] of cells.entries()) {
        const { name, as } = requests[j]!
        if (as === 'text') count(counts.get(name)!, values as readonly (string | null)[])
        else ranges.set(name, widened(ranges.get(name), values as Float32Array))
      }
      if (start + rows >= mostRows) break
    }
  const values = [...counts].map(([name, found]) => {
    const sorted = [...found].map(([value, count]) => ({ value, count })).sort((a, b) => b.count - a.count)
    return [name, sorted] as const
  })
  return {
    rows: picked.map((cells) => cells.map((cell) => (cell && cell.length > longest ? `${cell.slice(0, longest)}…` : cell))),
    values: new Map(values),
    ranges,
  }
}

function count(counts: Map<string, number>, values: readonly (string | null)[]): void {
  for (const value of values) if (value !== null) counts.set(value, (counts.get(value) ?? 0) + 1)
}

function widened(range: [number, number] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY], values: Float32Array) {
  let [least, most] = range
  for (const value of values) {
    if (value < least) least = value
    if (value > most) most = value
  }
  return [least, most] as [number, number]
}
