import type { Project } from '../../protocol/project.ts'
import { levelPercentage, rangeText, valueText } from '../../text/shares.ts'
import { count } from '../../text/wording.ts'
import { Card } from '../parts/Card.tsx'
import { Tag } from '../parts/Tag.tsx'
import { type RoundMark, roundsOf } from '../plots/drawings/rounds.ts'
import { PlotFigure } from '../plots/PlotFigure.tsx'
import { sayRounds } from '../plots/sentences.ts'

/** The estimate of every round with its interval. They are not joined: every round has another model. */
export function ErrorCard({ project }: { project: Project }) {
  const rounds = roundsOf(project)
  const [title, note] = ['Estimated error by round', 'The model before this round']
  return (
    <Card title={title} note={note} aside={<Tag>{levelPercentage(rounds.level)} intervals</Tag>}>
      <PlotFigure
        label={sayRounds(rounds)}
        height={284}
        narrowHeight={236}
        draw={(draw, size) => draw.roundIntervals(rounds, size)}
        caption={
          <>
            Each round’s answers are scored by the model <em>before</em> it learns from them, so every interval is about a
            different model and none of them uses an answer twice.
          </>
        }
        table={{
          of: 'Estimated error by round: the model before this round',
          columns: ['Round', 'Learned from', 'Error', 'Interval', 'Answers'],
          rows: rounds.marks.map(rowOf),
        }}
      />
    </Card>
  )
}

function rowOf({ number, learnedFrom, value, low, high, answers, isRevised }: RoundMark): string[] {
  const error = value === undefined ? 'none' : `${valueText({ value, low, high })}${isRevised ? ', revised' : ''}`
  return [String(number), count(learnedFrom), error, rangeText({ low, high }) ?? 'none', String(answers)]
}
