import { count } from '../parts/numbers.ts'
import { PlotFrame } from './PlotFrame.tsx'
import { rangeText, valueText } from './precision.ts'
import type { RoundMark, Rounds } from './rounds.ts'
import { sayRounds } from './sentences.ts'
import { TableView } from './TableView.tsx'

/** The estimate of every round with its interval. They are not joined: every round has another model. */
export function RoundIntervals({ rounds }: { rounds: Rounds }) {
  return (
    <figure className="plot-figure">
      <PlotFrame
        label={sayRounds(rounds)}
        height={284}
        narrowHeight={236}
        draw={(draw, size) => draw.roundIntervals(rounds, size)}
      />
      <figcaption>
        Each round’s answers are scored by the model <em>before</em> it learns from them, so every interval is about a different
        model and none of them uses an answer twice.
      </figcaption>
      <TableView
        caption="Estimated error by round: the model before this round"
        columns={['Round', 'Learned from', 'Error', 'Interval', 'Answers']}
        rows={rounds.marks.map(rowOf)}
      />
    </figure>
  )
}

function rowOf({ number, learnedFrom, value, low, high, answers, isRevised }: RoundMark): string[] {
  const error = value === undefined ? 'none' : `${valueText({ value, low, high })}${isRevised ? ', revised' : ''}`
  return [String(number), count(learnedFrom), error, rangeText({ low, high }) ?? 'none', String(answers)]
}
