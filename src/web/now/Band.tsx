import { useId } from 'react'
import type { Look } from '../../protocol/now.ts'
import { isTooEarly } from '../../text/now.ts'
import { count } from '../../text/wording.ts'
import { apart, type Size, tickText } from '../plots/drawings/scales.ts'
import { lookTexts, said } from '../text/now.ts'
import { type BandLayout, bandLayout } from './band-layout.ts'
import '../plots/plots.css'
import './now.css'

interface Props {
  looks: readonly Look[]
  size: Size
  isSmall?: boolean
  budget?: number | undefined
  /** The look that is being read, where it is not the newest. */
  read?: Look | undefined
}

/** The range over answers: a band that narrows, and the estimate in it. Drawn by hand, so that labelling never waits for a plotting library. */
export function Band({ looks, size, isSmall = false, budget, read }: Props) {
  const clip = useId()
  const layout = bandLayout(looks, size, isSmall, budget)
  const { x, y, edges, ranged } = layout
  const newest = looks.at(-1)
  const path = (some: readonly Look[], of: 'value' | 'low' | 'high') =>
    some.map((look, i) => `${i ? 'L' : 'M'}${x(look.answers).toFixed(1)} ${y(look[of]).toFixed(1)}`).join('')
  const area = `${path(ranged, 'high')}${path(ranged.toReversed(), 'low').replace('M', 'L')}Z`
  return (
    <svg
      className="plot band"
      width={size.width}
      height={size.height}
      viewBox={`0 0 ${size.width} ${size.height}`}
      aria-hidden="true"
    >
      <Axes layout={layout} isSmall={isSmall} />
      {budget !== undefined && x(budget) <= edges.right && <Budget x={x(budget)} edges={edges} budget={budget} />}
      <clipPath id={clip}>
        <rect x={edges.left} width={edges.right - edges.left} y={edges.top} height={edges.bottom - edges.top + 2} />
      </clipPath>
      <g clipPath={`url(#${clip})`}>
        {ranged.length > 1 && (
          <>
            <path className="band-area" d={area} />
            <path className="band-hair" d={path(ranged, 'high')} />
            <path className="band-hair" d={path(ranged, 'low')} />
          </>
        )}
        <path className="band-line" d={path(looks, 'value')} />
      </g>
      {looks.map(({ answers }) => (
        <path key={answers} className="band-tick" d={`M${x(answers)} ${edges.bottom}v5`} />
      ))}
      {read && read !== newest && <Mark look={read} layout={layout} isRead />}
      {newest && <Mark look={newest} layout={layout} />}
      {newest && !isSmall && <Names look={newest} layout={layout} />}
    </svg>
  )
}

function Axes({ layout: { scale, ticks, x, y, edges }, isSmall }: { layout: BandLayout; isSmall: boolean }) {
  return (
    <>
      {scale.ticks.map((tick) => (
        <g key={tick}>
          <line className={tick === 0 ? 'band-axis' : 'band-grid'} x1={edges.left} x2={edges.right} y1={y(tick)} y2={y(tick)} />
          <text x={edges.left - 8} y={y(tick) + 4} textAnchor="end">
            {tickText(scale, tick)}
          </text>
        </g>
      ))}
      {ticks.map((tick, i) => (
        <text key={tick} x={x(tick)} y={edges.bottom + (isSmall ? 18 : 22)} textAnchor="middle">
          {count(tick)}
          {i === ticks.length - 1 ? ' answers' : ''}
        </text>
      ))}
    </>
  )
}

/** A look: its range, where it is worth saying, and its estimate. */
function Mark({ look, layout: { x, y, edges }, isRead = false }: { look: Look; layout: BandLayout; isRead?: boolean }) {
  const at = x(look.answers)
  const [low, high] = [y(look.low), Math.max(edges.top, y(look.high))]
  return (
    <g className={isRead ? 'band-read' : undefined}>
      {isRead && <line className="band-grid" x1={at} x2={at} y1={edges.top} y2={edges.bottom} />}
      {!isTooEarly({ answers: look.counted }) && (
        <path className="band-whisker" d={`M${at} ${low}V${high}M${at - 5} ${low}h10M${at - 5} ${high}h10`} />
      )}
      <circle className="band-dot" cx={at} cy={y(look.value)} r={isRead ? 5 : 6} />
    </g>
  )
}

/** What the newest look says, beside it. */
function Names({ look, layout: { x, y, edges } }: { look: Look; layout: BandLayout }) {
  const { value, low, high } = lookTexts(look)
  const at = x(look.answers) + 12
  const estimate = said.about(value)
  if (isTooEarly({ answers: look.counted }))
    return (
      <text className="band-strong" x={at} y={y(look.value) + 4}>
        {estimate}
      </text>
    )
  const free = apart([y(look.high), y(look.value), y(look.low)], 17)
  const places = free.map((place) => place - Math.max(0, free[2]! - edges.bottom)) // clear of the counts below
  return (
    <>
      <text className="band-name" x={at} y={places[0]! + 4}>
        {high}
      </text>
      <text className="band-strong" x={at} y={places[1]! + 4}>
        {estimate}
      </text>
      <text className="band-name" x={at} y={places[2]! + 4}>
        {low}
      </text>
    </>
  )
}

function Budget({ x, edges, budget }: { x: number; edges: BandLayout['edges']; budget: number }) {
  return (
    <>
      <line className="band-budget" x1={x} x2={x} y1={edges.top} y2={edges.bottom} />
      <text x={x + 6} y={edges.top + 10}>
        {said.budget}
      </text>
      <text x={x + 6} y={edges.top + 25}>
        {count(budget)}
      </text>
    </>
  )
}
