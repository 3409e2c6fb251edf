import { valueText } from '../../text/shares.ts'
import { type MeasuredMark, printedNumbers, type Rounds, roundScale, strideOf, windowOf } from './drawings/rounds.ts'
import { tickText } from './drawings/scales.ts'
import { sayRounds } from './sentences.ts'
import './plots.css'

const [width, height] = [280, 126]
const [left, right, top, bottom] = [34, 12, 8, 22]

/** The newest rounds beside the work. Drawn by hand, so that labelling never waits for a plotting library. */
export function MiniPlot({ rounds }: { rounds: Rounds }) {
  const { measured, first, last } = windowOf(rounds, 8, true)
  const scale = roundScale(measured, 3)
  const step = (width - left - right) / (last - first + 1)
  const x = (number: number) => left + (number - first + 0.5) * step
  const y = (share: number) => top + (height - top - bottom) * (1 - share / scale.high)
  const { open } = rounds
  return (
    <svg
      className="plot plot-mini"
      viewBox={`0 0 ${width} ${height}`}
      width={width}
      height={height}
      role="img"
      aria-label={sayRounds(rounds)}
    >
      {scale.ticks.map((tick) => (
        <g key={tick}>
          <line
            className={tick === 0 ? 'plot-mini-axis' : 'plot-mini-grid'}
            x1={left}
            x2={width - right}
            y1={y(tick)}
            y2={y(tick)}
          />
          <text x={left - 8} y={y(tick) + 4} textAnchor="end">
            {tickText(scale, tick)}
          </text>
        </g>
      ))}
      {measured.map((mark) => (
        <Whisker key={mark.number} mark={mark} x={x(mark.number)} y={y} />
      ))}
      {measured.slice(-1).map((mark) => (
        <text key={mark.number} className="plot-mini-strong" {...beside(mark, rounds, x(mark.number))} y={y(mark.value) + 4}>
          {valueText(mark)}
        </text>
      ))}
      {open && (
        <line className="plot-mini-open" x1={x(open.number)} x2={x(open.number)} y1={y(0) - 4} y2={y(scale.high * 0.45)} />
      )}
      {printedNumbers(first, last, strideOf(step, 24)).map((number) => (
        <text key={number} className="plot-mini-round" x={x(number)} y={height - 5} textAnchor="middle">
          {number === first && step >= 44 ? 'round ' : ''}
          {number}
          {number === open?.number && step >= 36 ? ' open' : ''}
        </text>
      ))}
    </svg>
  )
}

function Whisker({ mark: { value, low, high }, x, y }: { mark: MeasuredMark; x: number; y: (share: number) => number }) {
  return (
    <g>
      {low !== null && high !== null && (
        <path className="plot-mini-whisker" d={`M${x} ${y(low)}V${y(high)}M${x - 5} ${y(low)}h10M${x - 5} ${y(high)}h10`} />
      )}
      <circle cx={x} cy={y(value)} r={6} />
    </g>
  )
}

/** To the right of the dot, or to its left where the plot ends. */
function beside({ number }: MeasuredMark, { open }: Rounds, x: number) {
  return open && open.number > number ? { x: x + 12 } : x + 44 > width ? { x: x - 12, textAnchor: 'end' as const } : { x: x + 12 }
}
