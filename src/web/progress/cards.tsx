import type { Project } from '../../protocol/project.ts'
import type { ClosedRound } from '../../protocol/rounds.ts'
import { levelPercentage, plusMinus, rangeText, valueText } from '../../text/shares.ts'
import { count, counted, noEstimate, rounded } from '../../text/wording.ts'
import { Card } from '../parts/Card.tsx'
import { Icon } from '../parts/Icon.tsx'
import { Rows, Tag } from '../parts/Note.tsx'
import { type RoundMark, roundsOf } from '../plots/drawings/rounds.ts'
import { PlotFigure } from '../plots/PlotFigure.tsx'
import { sayBars, sayRounds, sayWeights, weight } from '../plots/sentences.ts'
import { Link } from '../shell/routes.tsx'
import { capWords, healthOf, newestWeights } from './words.ts'

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

/** The one people most likely want: a tolerance of 2 %, or the one nearest to it. */
function nearestUsual(forecast: NonNullable<Project['forecast']>) {
  return forecast.toSorted((a, b) => Math.abs(a.tolerance - 0.02) - Math.abs(b.tolerance - 0.02))[0]
}

export function ForecastCard({ forecast = [] }: { forecast: Project['forecast'] }) {
  const head = nearestUsual(forecast)
  return (
    <Card title="Forecast">
      {head ? (
        <>
          <p className="big">
            About {rounded(head.answers, 2)} more answers to {plusMinus(head.tolerance)}
            <small>to certify the model as it is now</small>
          </p>
          <Rows rows={forecast.map(({ tolerance, answers }) => [plusMinus(tolerance), `about ${rounded(answers, 2)}`])} />
        </>
      ) : (
        <p className="lede">A forecast needs a model. It appears when there is one.</p>
      )}
      <p className="caption at-foot">
        From the model’s own confidence. A plan, not a promise: the interval holds whatever the number turns out to be.
      </p>
      <Link className="button" to="/certify">
        Certify this model
      </Link>
    </Card>
  )
}

const byClass = 'Answers by class'
const mostBars = 14

/** What was answered, class by class; "cannot tell" last and only where it was said. */
export function ClassesCard({ project }: { project: Pick<Project, 'classes' | 'byClass' | 'answers' | 'strategy' | 'purpose'> }) {
  const given = new Map(project.byClass.map(({ label, answers }) => [label, answers]))
  const bars = project.classes.map(({ name }) => ({ name, count: given.get(name) ?? 0 }))
  const unknown = given.get(null) ?? 0
  if (unknown > 0) bars.push({ name: 'cannot tell', count: unknown })
  return (
    <Card title={byClass} note={counted(project.answers, 'answer')}>
      <PlotFigure
        label={sayBars(byClass, bars)}
        height={Math.min(bars.length, mostBars) * 23}
        draw={(draw, size) => draw.bars(bars.slice(0, mostBars), size)}
        caption={captionOf(project)}
        isFoot
        table={{ of: byClass, columns: ['Class', 'Answers'], rows: bars.map((bar) => [bar.name, count(bar.count)]) }}
      />
    </Card>
  )
}

function captionOf({ strategy, purpose }: Pick<Project, 'strategy' | 'purpose'>): string {
  if (purpose === 'learn' && strategy.name === 'uniform') return 'Drawn uniformly, so about the pool’s mix.'
  return 'What was drawn, not the pool’s mix: unsure points are drawn more often.'
}

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
