import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { least, narrow, type Size } from './size.ts'
import './plots.css'

type Drawings = typeof import('./drawings.ts').drawings

interface Props {
  /** What the picture says, in a sentence or two. */
  label: string
  height: number
  /** Where the place is narrow; the same if left out. */
  narrowHeight?: number
  draw: (drawings: Drawings, size: Size) => SVGSVGElement
}

let loaded: Drawings | undefined

/** A picture drawn at its own width, and drawn again when that changes; its place is kept from the start. */
export function PlotFrame({ label, height: wideHeight, narrowHeight = wideHeight, draw }: Props) {
  const box = useRef<HTMLDivElement>(null)
  const width = useWidth(box)
  const height = width < narrow ? narrowHeight : wideHeight
  const [known, setKnown] = useState(loaded)
  useEffect(() => {
    let isShown = true
    if (!loaded)
      import('./drawings.ts').then(({ drawings }) => {
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

function useWidth(box: React.RefObject<HTMLElement | null>): number {
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
