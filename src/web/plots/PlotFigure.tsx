import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { Table } from '../parts/Table.tsx'
import { shellWords } from '../text/shell.ts'
import { least, narrow, type Size } from './drawings/scales.ts'
import './plots.css'

type Drawings = typeof import('./drawings/all.ts').drawings

interface Picture {
  /** What the picture says, in a sentence or two. */
  label: string
  height: number
  /** Where the place is narrow; the same if left out. */
  narrowHeight?: number
  draw: (drawings: Drawings, size: Size) => SVGSVGElement
}

interface Props extends Picture {
  caption: ReactNode
  /** Whether the caption stands at the foot of a card that is taller. */
  isFoot?: boolean
  /** The same numbers in rows; `of` is read to those who cannot see them. */
  table?: { of: string; columns: readonly string[]; rows: readonly (readonly string[])[] }
  /** Between the picture and its caption. */
  children?: ReactNode
}

export function PlotFigure({ caption, isFoot, table, children, ...picture }: Props) {
  return (
    <figure className="plot-figure">
      <PlotBox {...picture} />
      {children}
      <figcaption className={isFoot ? 'caption at-foot' : 'caption'}>{caption}</figcaption>
      {table && <PlotTable {...table} />}
    </figure>
  )
}

export function PlotTable({ of, columns, rows }: NonNullable<Props['table']>) {
  return (
    <details className="plot-table">
      <summary>{shellWords.table}</summary>
      <Table
        caption={of}
        columns={columns.map((title, i) => ({ title, cell: (row: readonly string[]) => row[i], isNumber: i > 0 }))}
        rows={rows}
        keyOf={(row) => row[0]!}
        className="is-dense"
      />
    </details>
  )
}

let loaded: Drawings | undefined

/** A picture drawn at its own width, and drawn again when that changes; its place is kept from the start. */
function PlotBox({ label, height: wideHeight, narrowHeight = wideHeight, draw }: Picture) {
  const box = useRef<HTMLDivElement>(null)
  const width = useWidth(box)
  const height = width < narrow ? narrowHeight : wideHeight
  const [known, setKnown] = useState(loaded)
  useEffect(() => {
    let isShown = true
    if (!loaded)
      import('./drawings/all.ts').then(({ drawings }) => {
        loaded = drawings
        if (isShown) setKnown(drawings)
      })
    return () => {
      isShown = false
    }
  }, [])
  useLayoutEffect(() => {
    if (known && width >= least) box.current?.replaceChildren(draw(known, { width, height }))
  })
  return <div ref={box} className="plot-box" role="img" aria-label={label} style={{ minHeight: height }} />
}

export function useWidth(box: React.RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    const element = box.current!
    setWidth(element.clientWidth)
    const observer = new ResizeObserver(() => setWidth(element.clientWidth))
    observer.observe(element)
    return () => observer.disconnect()
  }, [box])
  return width
}
