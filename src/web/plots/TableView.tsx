import { type ListColumn, Table } from '../parts/Table.tsx'
import './plots.css'

interface Props {
  /** What the table is of; read to those who cannot see it. */
  caption: string
  columns: readonly string[]
  rows: readonly (readonly string[])[]
}

/** The same numbers in rows, behind a line that opens. */
export function TableView({ caption, columns, rows }: Props) {
  const columnsOf = columns.map((title, i): ListColumn<readonly string[]> => ({ title, cell: (row) => row[i], isNumber: i > 0 }))
  return (
    <details className="plot-table">
      <summary>Show as a table</summary>
      <Table caption={caption} columns={columnsOf} rows={rows} keyOf={(row) => row[0]!} className="is-dense" />
    </details>
  )
}
