import { count } from '../parts/numbers.ts'
import type { Bar } from './drawings/bars.ts'
import { PlotFrame } from './PlotFrame.tsx'
import { sayBars } from './sentences.ts'
import { TableView } from './TableView.tsx'

interface Props {
  title: string
  /** What the names are, for the head of the table. */
  of: string
  bars: readonly Bar[]
  caption: string
}

export function Bars({ title, of, bars, caption }: Props) {
  return (
    <figure className="plot-figure">
      <PlotFrame
        label={sayBars(title, bars)}
        height={Math.min(bars.length, 14) * 23}
        draw={(draw, size) => draw.bars(bars.slice(0, 14), size)}
      />
      <figcaption className="plot-foot">{caption}</figcaption>
      <TableView caption={title} columns={[of, 'Answers']} rows={bars.map((bar) => [bar.name, count(bar.count)])} />
    </figure>
  )
}
