import type { Project } from '../../protocol/project.ts'
import { counted, percent } from '../parts/numbers.ts'
import { rangeText, valueText } from '../plots/precision.ts'
import type { MeasuredRound } from '../plots/rounds.ts'
import { Link } from '../shell/routes.tsx'
import { noEstimate, type Standing } from './words.ts'

export function Headline({ project, standing }: { project: Project; standing: Standing }) {
  if (standing.kind === 'measured') return <Measured round={standing.round} isRandom={project.strategy.isRandom} />
  if (standing.kind === 'silent')
    return (
      <header>
        <h1>No estimate.</h1>
        <p className="lede">{noEstimate}</p>
        <div className="tools">
          <Link className="button primary" to="/certify">
            Certify this model
          </Link>
        </div>
      </header>
    )
  return (
    <header>
      <h1>No estimate yet.</h1>
      <p className="lede">
        The first round teaches the first model, so there is nothing to measure before it. The first estimate appears when round 2
        closes.
      </p>
      <div className="tools">
        <Link className="button primary" to="/label">
          Go to round {standing.next}
        </Link>
      </div>
    </header>
  )
}

function Measured({ round, isRandom }: { round: MeasuredRound; isRandom: boolean }) {
  const { estimate, number } = round
  const range = rangeText(estimate)
  const rests = `rests on the ${counted(estimate.answers, 'answer')} of that round`
  return (
    <header>
      <h1>
        Before round {number} the model was wrong on about {valueText(estimate)}.
      </h1>
      <p className="lede">
        That is a share of the points then unlabelled.{' '}
        {range ? (
          <>
            The {percent(estimate.level)} interval runs from <b>{range}</b>, {rests}, and holds whenever you look.
          </>
        ) : (
          <>It {rests}.</>
        )}
        {estimate.isRevised && ' An answer it rests on was revised after the round had closed.'}
      </p>
      {!isRandom && <p className="caption">For later rounds: {noEstimate}</p>}
    </header>
  )
}
