import { type CSSProperties, memo, type ReactNode, useEffect, useRef, useState } from 'react'
import type { Content, View } from '../../protocol/points.ts'
import { usePicture } from '../api/pictures.ts'
import { words } from '../text/label.ts'
import { shellWords } from '../text/shell.ts'
import { KeyCap } from './Button.tsx'

interface Props {
  view: View
  content: Content
}

/** One point, to be answered. Whatever is in the pool is shown as text or a picture, never as markup. */
export function Point({ view, content }: Props) {
  switch (view.kind) {
    case 'bitmap':
      return (
        <div className="point-tile">
          <Bitmap
            width={view.width}
            height={view.height}
            cells={content.cells ?? []}
            label={`Picture of ${view.width} by ${view.height} cells`}
          />
        </div>
      )
    case 'image':
      return (
        <div className="point-tile is-image">
          {content.image ? <Picture src={content.image} name={words.thing(content.id)} /> : <NoPicture content={content} />}
        </div>
      )
    case 'text':
      return (
        <Box className={`point-text ${sizeOf(cellOf(content, view.column))}`} label={shellWords.text}>
          <div className="point-prose">
            {view.heads?.map((name) => (
              <p key={name} className="point-head" dir="auto">
                {cellOf(content, name)}
              </p>
            ))}
            <p dir="auto">{cellOf(content, view.column)}</p>
          </div>
        </Box>
      )
    case 'row':
      return (
        <Box className={`point-row ${sizeOf(content.fields.map(({ value }) => value).join(' '))}`} label={shellWords.columns}>
          <dl className="lined">
            {/* the id stands below */}
            {content.fields
              .filter(({ value }) => value !== content.id)
              .map(({ name, value }) => (
                <div key={name}>
                  <dt dir="auto">{name}</dt>
                  <dd dir="auto">{value === '' ? <span className="faint">{shellWords.empty}</span> : value}</dd>
                </div>
              ))}
          </dl>
        </Box>
      )
  }
}

/** Larger, the less there is to read. */
function sizeOf(text: string): string {
  return text.length < 120 ? 'is-short' : text.length < 700 ? '' : 'is-long'
}

/** What is too long for its place scrolls inside, by keyboard too, and says that there is more. */
function Box({ className, label, children }: { className: string; label: string; children: ReactNode }) {
  const box = useRef<HTMLElement>(null)
  const [isMore, setMore] = useState(false)
  const look = () => {
    const { scrollTop = 0, clientHeight = 0, scrollHeight = 0 } = { ...sizesOf(box.current) }
    setMore(scrollTop + clientHeight < scrollHeight - 8)
  }
  useEffect(() => {
    const watch = new ResizeObserver(look)
    watch.observe(box.current!)
    return () => watch.disconnect()
  }, [])
  return (
    <div className={isMore ? 'point-box is-more' : 'point-box'}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls inside, and must do so by keyboard too */}
      <section className={className} aria-label={label} tabIndex={0} ref={box} onScroll={look}>
        {children}
      </section>
      {isMore && (
        <button
          type="button"
          className="point-more"
          onClick={() => box.current?.scrollBy({ top: 0.8 * box.current.clientHeight })}
        >
          {words.readOn} <KeyCap>{shellWords.down}</KeyCap>
        </button>
      )}
    </div>
  )
}

const sizesOf = (box: HTMLElement | null) =>
  box && { scrollTop: box.scrollTop, clientHeight: box.clientHeight, scrollHeight: box.scrollHeight }

/** Whole, never cropped; pressed, as large as the window. */
function Picture({ src: from, name }: { src: string; name: string }) {
  const src = usePicture(from)
  const full = useRef<HTMLDialogElement>(null)
  const turn = () => (full.current?.open ? full.current.close() : full.current?.showModal())
  return (
    <>
      <button type="button" className="point-zoom" aria-label={`${name}, ${words.fullSize}`} onClick={turn}>
        <img src={src} hidden={!src} alt={name} decoding="sync" draggable={false} />
      </button>
      <dialog className="point-full" ref={full} aria-label={name}>
        <button type="button" aria-label={words.close} onClick={turn}>
          <img src={src} alt={name} />
        </button>
      </dialog>
    </>
  )
}

/** A point in a list: a small picture, or its first words on one line. */
export function Thumb({ view, content }: Props) {
  switch (view.kind) {
    case 'bitmap':
      return (
        <span className="thumb">
          <Bitmap width={view.width} height={view.height} cells={content.cells ?? []} />
        </span>
      )
    case 'image':
      return <span className="thumb">{content.image && <Small src={content.image} />}</span>
    default:
      return (
        <span className="thumb-text clipped" dir="auto">
          {textOf(view, content)}
        </span>
      )
  }
}

function Small({ src }: { src: string }) {
  const url = usePicture(src)
  return <img src={url} hidden={!url} alt="" />
}

/** A point in one line of words. */
function textOf(view: View, content: Content): string {
  if (view.kind === 'image') return cellOf(content, view.column)
  if (view.kind === 'text') return [...(view.heads ?? []), view.column].map((name) => cellOf(content, name)).join(' · ')
  return content.fields.map(({ value }) => value).join(' · ')
}

const cellOf = ({ fields }: Content, column: string) => fields.find(({ name }) => name === column)?.value ?? ''

function NoPicture({ content }: { content: Content }) {
  const value = content.fields[0]?.value
  return <p className="quiet">{value ? `No picture at ${value}.` : 'No picture here.'}</p>
}

interface BitmapProps {
  width: number
  height: number
  /** Ink of each cell, 0 to 1, row by row. */
  cells: readonly number[]
  /** Names it; without, it is decoration. */
  label?: string
}

/** Cells as solid shades mixed from ink and surface: never smoothed, and inverted in the dark by the same mixture. */
export const Bitmap = memo(function Bitmap({ width, height, cells, label }: BitmapProps) {
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
