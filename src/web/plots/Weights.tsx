import type { ReactNode } from 'react'
import { count } from '../../text/wording.ts'
import { PlotFigure } from './PlotFigure.tsx'
import { sayWeights } from './sentences.ts'

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
  const rows = ranges.map((range, i) => [range, count(counts[i]!)])
  return (
    <PlotFigure
      label={sayWeights(counts, largest, round)}
      height={170}
      draw={(draw, size) => draw.weights(counts, size)}
      caption={caption}
      isFoot
      table={{ of: `Weights of round ${round}`, columns: ['Weight', 'Answers'], rows }}
    >
      {children}
    </PlotFigure>
  )
}
