import type { ReactNode } from 'react'
import './parts.css'

export interface ListColumn<Row> {
  title: string
  cell: (row: Row) => ReactNode
  isNumber?: boolean
  /** Left out on narrow screens. */
  isWideOnly?: boolean
}

interface Props<Row> {
  /** What the table is of; read to those who cannot see it. */
  caption: string
  columns: readonly ListColumn<Row>[]
  rows: readonly Row[]
  keyOf: (row: Row) => string | number
  className?: string
}

export function Table<Row>({ caption, columns, rows, keyOf, className = '' }: Props<Row>) {
  const kind = (column: ListColumn<Row>) =>
    [column.isNumber && 'is-number', column.isWideOnly && 'wide-only'].filter(Boolean).join(' ') || undefined
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table scrolls inside, and must do so by keyboard too
    <section className="table-scroll" aria-label={caption} tabIndex={0}>
      <table className={`table ${className}`}>
        <caption className="heard">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.title} scope="col" className={kind(column)}>
                {column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map((column) => (
                <td key={column.title} className={kind(column)}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
