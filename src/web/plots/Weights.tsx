import type { ReactNode } from 'react'
import { count } from '../parts/numbers.ts'
import { PlotFrame } from './PlotFrame.tsx'
import { sayWeights } from './sentences.ts'
import { TableView } from './TableView.tsx'

interface Props {
  round: number
  /** How many answers count for less than ¼, ½, 1, 2, 4, and more. */
  counts: readonly number[]
  largest: number
  caption: string
  children?: ReactNode
}

const ranges = ['below ¼', '¼ to ½', '½ to 1', '1 to 2', '2 to 4', '4 and above']

export function Weights({ round, counts, largest, caption, children }: Props) {
  return (
    <figure className="plot-figure">
      <PlotFrame label={sayWeights(counts, largest, round)} height={170} draw={(draw, size) => draw.weights(counts, size)} />
      {children}
      <figcaption className="plot-foot">{caption}</figcaption>
      <TableView
        caption={`Weights of round ${round}`}
        columns={['Weight', 'Answers']}
        rows={ranges.map((range, i) => [range, count(counts[i]!)])}
      />
    </figure>
  )
}
