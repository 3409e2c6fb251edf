import { count } from '../../text/wording.ts'
import type { Bar } from './drawings/bars.ts'
import { PlotFigure } from './PlotFigure.tsx'
import { sayBars } from './sentences.ts'

interface Props {
  title: string
  /** What the names are, for the head of the table. */
  of: string
  bars: readonly Bar[]
  caption: string
}

export function Bars({ title, of, bars, caption }: Props) {
  return (
    <PlotFigure
      label={sayBars(title, bars)}
      height={Math.min(bars.length, 14) * 23}
      draw={(draw, size) => draw.bars(bars.slice(0, 14), size)}
      caption={caption}
      isFoot
      table={{ of: title, columns: [of, 'Answers'], rows: bars.map((bar) => [bar.name, count(bar.count)]) }}
    />
  )
}
