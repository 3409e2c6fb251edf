import { type CSSProperties, memo } from 'react'

interface Props {
  width: number
  height: number
  /** Ink of each cell, 0 to 1, row by row. */
  cells: readonly number[]
  /** Names it; without, it is decoration. */
  label?: string
}

/** Cells as solid shades mixed from ink and surface: never smoothed, and inverted in the dark by the same mixture. */
export const Bitmap = memo(function Bitmap({ width, height, cells, label }: Props) {
  const name = label ? { role: 'img', 'aria-label': label } : { 'aria-hidden': true }
  return (
    // biome-ignore lint/a11y/noSvgWithoutTitle: named by `label`, or hidden
    <svg className="bitmap" viewBox={`0 0 ${width} ${height}`} shapeRendering="crispEdges" {...name}>
      {shades(width, cells).map(({ shade, path }) => (
        <path key={shade} d={path} style={{ '--shade': shade } as CSSProperties} />
      ))}
    </svg>
  )
})

/** One path for each of sixteen shades: a picture is a handful of elements, however many cells it has. */
function shades(width: number, cells: readonly number[]): { shade: number; path: string }[] {
  const paths = new Map<number, string>()
  cells.forEach((ink, i) => {
    const shade = Math.round(Math.min(1, Math.max(0, ink)) * 16)
    if (shade === 0) return
    const cell = `M${i % width} ${Math.floor(i / width)}h1v1h-1z`
    paths.set(shade, (paths.get(shade) ?? '') + cell)
  })
  return Array.from(paths, ([shade, path]) => ({ shade, path }))
}
