import { positionOf, type Source } from './batches.ts'
import { readParquet } from './parquet-file.ts'
import type { TableSql } from './table.ts'
import type { TableFile } from './table-file.ts'

/** All parts of a table in one query. One part is read as it is: to name three cells of each of four thousand columns takes seconds to plan. */
export function tableSql(source: Source): TableSql {
  const { parts, line } = inOne(source)
  const setup = parts.flatMap(({ setup }) => setup ?? [])
  const [only, ...others] = parts
  if (only && others.length === 0)
    return {
      setup,
      from: only.from,
      ...(line && { line, isNumbered: source.files.length === 1 }),
      column(name) {
        const { text, number, vector } = only.columns[positionOf(source, name)]!
        return { text: `(${text})`, number: `(${number})`, vector: `(${vector})` }
      },
    }
  const selects = parts.map(({ columns, from }) => {
    const cells = columns.flatMap(({ text, number, vector }, i) => [
      `${text} AS t${i}`,
      `${number} AS n${i}`,
      `${vector} AS v${i}`,
    ])
    return `SELECT ${cells} FROM ${from}`
  })
  return {
    setup,
    from: `(${selects.join(' UNION ALL ')})`,
    column(name) {
      const i = positionOf(source, name)
      return { text: `t${i}`, number: `n${i}`, vector: `v${i}` }
    },
  }
}

/** Parquet files that agree in their columns are read as one: a query of a thousand parts takes long to plan. */
function inOne({ files, parts }: Source): { readonly parts: readonly TableFile[]; readonly line?: string } {
  const [first] = parts
  const cells = ({ columns }: TableFile) => JSON.stringify(columns)
  const isOne = files.every(({ format }) => format === 'parquet') && parts.every((part) => cells(part) === cells(first!))
  if (!isOne) return { parts }
  const paths = files.map(({ path }) => path)
  return { parts: [{ ...first!, from: readParquet(paths, first!.columns.length) }], line: 'file_row_number' }
}
