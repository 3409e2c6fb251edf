import type { ClosedRound } from '../../protocol/rounds.ts'
import { counted } from '../../text/wording.ts'
import { Card } from '../parts/Card.tsx'
import { Icon } from '../parts/Icon.tsx'
import { Rows } from '../parts/Rows.tsx'
import { Tag } from '../parts/Tag.tsx'
import { noEstimate, weight } from '../plots/sentences.ts'
import { Weights } from '../plots/Weights.tsx'
import { capWords, healthOf, newestWeights } from './words.ts'

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
  const tag = (
    <Tag>
      <Icon name={health === 'Healthy' ? 'check' : 'info'} size={14} />
      {health}
    </Tag>
  )
  const possible = largestPossible !== undefined && <span className="progress-aside"> of {weight(largestPossible)} possible</span>
  return (
    <Card title="Weight health" note={`Round ${number}, ${counted(answers, 'answer')}`} aside={tag}>
      <Weights round={number} counts={counts} largest={largest} caption={capWords(largestPossible)}>
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
      </Weights>
    </Card>
  )
}
