import { useEffect, useRef } from 'react'
import type { Now } from '../../protocol/now.ts'
import type { Project } from '../../protocol/project.ts'
import type { ClosedRound } from '../../protocol/rounds.ts'
import { levelPercentage, rangeText, valueText } from '../../text/shares.ts'
import { count, counted, rounded } from '../../text/wording.ts'
import { BandFigure } from '../now/BandFigure.tsx'
import { Goals } from '../now/Goals.tsx'
import { How } from '../now/How.tsx'
import { Card } from '../parts/Card.tsx'
import { Rows } from '../parts/Note.tsx'
import { rich } from '../parts/rich.tsx'
import { type RoundMark, roundsOf } from '../plots/drawings/rounds.ts'
import { PlotFigure } from '../plots/PlotFigure.tsx'
import { PrimaryLink } from '../shell/routes.tsx'
import { unitOf } from '../text/now.ts'
import { sayBars, sayRounds, sayWeights, weight } from '../text/plots.ts'
import { capWords, healthOf, newestWeights, words } from '../text/progress.ts'

/** What was known of the model of each moment; how that is known, and what every round says by itself, at its foot. */
export function BandCard({ project, now, asked }: { project: Project; now: Now; asked: number }) {
  return (
    <Card title={words.band} note={words.bandOf(unitOf(project))}>
      <BandFigure looks={now.looks} budget={project.plan.budget} caption={rich(words.bandWhy, { past: <em>{words.past}</em> })} />
      <HowDetails project={project} asked={asked} />
    </Card>
  )
}

/** The second layer. It opens each time that "surely" is pressed; `asked`: how often that was. */
function HowDetails({ project, asked }: { project: Project; asked: number }) {
  const details = useRef<HTMLDetailsElement>(null)
  useEffect(() => {
    if (asked === 0 || !details.current) return
    details.current.open = true
    details.current.querySelector('summary')?.focus()
  }, [asked])
  return (
    <details className="how" ref={details}>
      <summary>{words.how}</summary>
      <div className="how-body">
        <How project={project} />
        <h3>{words.byRound}</h3>
        <RoundsFigure project={project} />
        <Weights rounds={project.rounds} />
      </div>
    </details>
  )
}

/** The estimate of every round with its interval. They are not joined: every round has another model. */
function RoundsFigure({ project }: { project: Project }) {
  const rounds = roundsOf(project)
  return (
    <PlotFigure
      label={sayRounds(rounds)}
      height={284}
      narrowHeight={236}
      draw={(draw, size) => draw.roundIntervals(rounds, size)}
      caption={rich(words.roundsWhy(levelPercentage(rounds.level)), { before: <em>{words.before}</em> })}
      table={{
        of: 'Estimated error by round: the model before this round',
        columns: ['Round', 'Learned from', 'Error', 'Interval', 'Answers'],
        rows: rounds.marks.map(rowOf),
      }}
    />
  )
}

function rowOf({ number, learnedFrom, value, low, high, answers, isRevised }: RoundMark): string[] {
  const error = value === undefined ? 'none' : `${valueText({ value, low, high })}${isRevised ? ', revised' : ''}`
  return [String(number), count(learnedFrom), error, rangeText({ low, high }) ?? 'none', String(answers)]
}

/** What every goal takes: a guess while the model goes on learning, and the forecast of a certificate. */
export function GoalsCard({ project }: { project: Project }) {
  const certified = project.forecast?.find(({ tolerance }) => tolerance === 0.05)
  return (
    <Card title={words.goals} note={words.goalsNote}>
      <Goals project={project} />
      <p className="caption">{words.goalsCaption}</p>
      {certified && <p className="caption at-foot">{words.alone(rounded(certified.answers, 2))}</p>}
      <PrimaryLink to="/certify">{words.goOn}</PrimaryLink>
    </Card>
  )
}

const { byClass } = words
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
  if (purpose === 'learn' && strategy.name === 'uniform') return words.plainLot
  return words.asked
}

/** Answers are counted by their weight in these. */
const ranges = ['below ¼', '¼ to ½', '½ to 1', '1 to 2', '2 to 4', '4 and above']

/** What each answer of the newest round counts for. */
function Weights({ rounds }: { rounds: readonly ClosedRound[] }) {
  const round = newestWeights(rounds)
  if (!round) return null
  const { weights, number, answers } = round
  const { largest, largestPossible, effectiveSize, counts } = weights
  const possible = largestPossible !== undefined && (
    <span className="progress-aside">{words.possible(weight(largestPossible))}</span>
  )
  return (
    <>
      <h3>{words.countsOf(number)}</h3>
      <PlotFigure
        label={sayWeights(counts, largest, number)}
        height={170}
        draw={(draw, size) => draw.weights(counts, size)}
        caption={capWords(largestPossible)}
        table={{
          of: `Weights of round ${number}`,
          columns: ['Weight', 'Answers'],
          rows: ranges.map((range, i) => [range, count(counts[i]!)]),
        }}
      >
        <Rows
          rows={[
            [words.worth, `${Math.round(effectiveSize)} of ${answers}, ${healthOf({ effectiveSize, answers }).toLowerCase()}`],
            [
              words.heaviest,
              <>
                {words.times(weight(largest))}
                {possible}
              </>,
            ],
          ]}
        />
      </PlotFigure>
    </>
  )
}
