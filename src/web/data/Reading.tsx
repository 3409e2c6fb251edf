import type { Content, View } from '../../protocol/points.ts'
import { Point, Thumb } from '../parts/Point.tsx'
import { words } from '../text/data.ts'

interface Props {
  view: View
  content: Content
  isOpen: boolean
  onToggle: () => void
}

/** A point in a row of a list: pressed, all of it is read below. A picture of cells is all there already. */
export function ReadButton({ view, content, isOpen, onToggle }: Props) {
  if (view.kind === 'bitmap') return <Thumb view={view} content={content} />
  return (
    <button type="button" className="read-button" aria-expanded={isOpen} onClick={onToggle}>
      <span className="heard">{words.read} </span>
      <Thumb view={view} content={content} />
    </button>
  )
}

/** The whole of a point, below its row. */
export function WholePoint({ view, content }: Pick<Props, 'view' | 'content'>) {
  return (
    <div className="data-whole">
      <Point view={view} content={content} />
    </div>
  )
}
