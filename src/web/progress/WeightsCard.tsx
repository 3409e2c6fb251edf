import type { ClosedRound } from '../../protocol/rounds.ts'
import { count, counted, noEstimate } from '../../text/wording.ts'
import { Card } from '../parts/Card.tsx'
import { Icon } from '../parts/Icon.tsx'
import { Rows } from '../parts/Rows.tsx'
import { Tag } from '../parts/Tag.tsx'
import { PlotFigure } from '../plots/PlotFigure.tsx'
import { sayWeights, weight } from '../plots/sentences.ts'
import { capWords, healthOf, newestWeights } from './words.ts'

/** Answers are counted by their weight in these. */
const ranges = ['below ¼', '¼ to ½', '½ to 1', '1 to 2', '2 to 4', '4 and above']

export function WeightsCard({ rounds }: { rounds: readonly ClosedRound[] }) {
  const round = newestWeights(rounds)
  if (!round)
    return (
      <Card title="Weight health">
        <p className="quiet">
          {rounds.some(({ learnedFrom }) => learnedFrom > 0) ? noEstimate : 'Weights appear with the first estimate.'}
        </p>
      </Card>
    )
  const { weights, number, answers } = round
  const { largest, largestPossible, effectiveSize, counts } = weights
  const health = healthOf({ effectiveSize, answers })
  const rows = ranges.map((range, i) => [range, count(counts[i]!)])
  const tag = (
    <Tag>
      <Icon name={health === 'Healthy' ? 'check' : 'info'} size={14} />
      {health}
    </Tag>
  )
  const possible = largestPossible !== undefined && <span className="progress-aside"> of {weight(largestPossible)} possible</span>
  return (
    <Card title="Weight health" note={`Round ${number}, ${counted(answers, 'answer')}`} aside={tag}>
      <PlotFigure
        label={sayWeights(counts, largest, number)}
        height={170}
        draw={(draw, size) => draw.weights(counts, size)}
        caption={capWords(largestPossible)}
        isFoot
        table={{ of: `Weights of round ${number}`, columns: ['Weight', 'Answers'], rows }}
      >
        <Rows
          rows={[
            ['Effective sample size', `${Math.round(effectiveSize)} of ${answers}`],
            [
              'Largest weight',
              <>
                {weight(largest)}
                {possible}
              </>,
            ],
          ]}
        />
      </PlotFigure>
    </Card>
  )
}
