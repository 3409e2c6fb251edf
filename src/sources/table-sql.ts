import { positionOf, type Source } from './batches.ts'
import type { TableSql } from './table.ts'
import { numbered, sqlParquet, type TableFile } from './table-file.ts'

/** All files of a table in one query. One file is read as it is: to name three cells of each of four thousand columns takes seconds to plan. */
export function tableSql(source: Source): TableSql {
  const setup = source.files.flatMap(({ setup }) => setup ?? [])
  const one = inOne(source)
  if (one)
    return {
      setup,
      from: one.from,
      ...(one.format === 'parquet' && { line: 'file_row_number', isNumbered: source.files.length === 1 }),
      column(name) {
        const { text, number, vector } = one.columns[positionOf(source, name)]!
        return { text: `(${text})`, number: `(${number})`, vector: `(${vector})` }
      },
    }
  const selects = source.files.map(({ columns, from }) => {
    const cells = columns.map(({ text, number, vector }, i) => `${text} AS t${i}, ${number} AS n${i}, ${vector} AS v${i}`)
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

/** Parquet files that agree in their columns are read as one: a query of a thousand files takes long to plan. */
function inOne({ files }: Source): TableFile | undefined {
  const [first] = files
  const cells = ({ columns }: TableFile) => JSON.stringify(columns)
  const isOne = files.every((file) => file.format === 'parquet' && cells(file) === cells(first!))
  if (!isOne) return files.length === 1 ? first : undefined
  const parquet = sqlParquet(files.map(({ path }) => path))
  return { ...first!, from: numbered(parquet, first!.columns.length) }
}
