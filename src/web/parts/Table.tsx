import { Fragment, type ReactNode } from 'react'

export interface ListColumn<Row> {
  title: ReactNode
  cell: (row: Row) => ReactNode
  isNumber?: boolean
  /** Left out on narrow screens. */
  isWideOnly?: boolean
  /** Of its cells, not of its head. */
  className?: string
}

interface Props<Row> {
  /** What the table is of; read to those who cannot see it. */
  caption: string
  columns: readonly ListColumn<Row>[]
  rows: readonly Row[]
  keyOf: (row: Row) => string | number
  /** A row of one cell below another, where there is something more to say of that. */
  below?: (row: Row) => ReactNode
  className?: string
}

export function Table<Row>({ caption, columns, rows, keyOf, below, className = '' }: Props<Row>) {
  const kind = ({ isNumber, isWideOnly }: ListColumn<Row>, own?: string) =>
    [isNumber && 'is-number', isWideOnly && 'wide-only', own].filter(Boolean).join(' ') || undefined
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table scrolls inside, and must do so by keyboard too
    <section className="table-scroll" aria-label={caption} tabIndex={0}>
      <table className={`table ${className}`}>
        <caption className="heard">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column, i) => (
              <th key={i} scope="col" className={kind(column)}>
                {column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => {
            const more = below?.(row)
            return (
              <Fragment key={keyOf(row)}>
                <tr className={more ? 'has-more' : undefined}>
                  {columns.map((column, i) => (
                    <td key={i} className={kind(column, column.className)}>
                      {column.cell(row)}
                    </td>
                  ))}
                </tr>
                {more && (
                  <tr className="table-more">
                    <td colSpan={columns.length}>{more}</td>
                  </tr>
                )}
              </Fragment>
            )
          })}
        </tbody>
      </table>
    </section>
  )
}
