import type { Look } from '../../protocol/now.ts'

const [width, height, side] = [150, 24, 7]
const ends = [0.25, 0.5, 1]

/** Where a scale ends that holds so much: at the next of 25, 50 and 100 %. */
export const scaleEnd = (high: number) => ends.find((most) => high <= most) ?? 1

interface Props {
  look: Pick<Look, 'value' | 'low' | 'high'>
  /** Of a scale that is named elsewhere, once for many. */
  end?: number
}

/** A range on one line: two caps, a dot, and the scale it lies on. */
export function Range({ look, end: common }: Props) {
  const end = common ?? scaleEnd(look.high)
  const x = (share: number) => side + (width - 2 * side) * Math.min(1, share / end)
  const [low, high] = [x(look.low), x(look.high)]
  const middle = height / 2
  return (
    <span className="range" aria-hidden="true">
      {common === undefined && '0'}
      <svg className="plot" aria-hidden="true" width={width} height={height} viewBox={`0 0 ${width} ${height}`}>
        <line className="band-grid" x1={side} x2={width - side} y1={middle} y2={middle} />
        <rect className="band-area" x={low} width={Math.max(2, high - low)} y={middle - 5} height={10} rx={1} />
        <path className="band-whisker" d={`M${low} ${middle - 5}v10M${high} ${middle - 5}v10M${low} ${middle}H${high}`} />
        <circle className="band-dot" cx={x(look.value)} cy={middle} r={5} />
      </svg>
      {common === undefined && `${100 * end}\u00a0%`}
    </span>
  )
}
