import type { Project } from '../../protocol/project.ts'
import { useKeys } from '../keys/use-keys.ts'
import { Button } from '../parts/Button.tsx'
import { count, interval, percent } from '../parts/numbers.ts'
import { Rows } from '../parts/Rows.tsx'
import { StateCard } from '../parts/StateCard.tsx'
import { Link } from '../shell/routes.tsx'
import { labelling } from './labelling.ts'
import type { Round } from './round.ts'

/** A round is closed: what it said about the model before it. */
export function Finished({ project, round }: { project: Project; round: Round }) {
  const unknown = [...round.answers.values()].filter((label) => label === null).length
  const closed = project.rounds.find((one) => one.round === round.round)
  const estimate = closed?.estimate
  useKeys({ undo: labelling.undo })

  return (
    <StateCard
      takesFocus
      about={`Round ${round.number}`}
      title={`Round ${round.number} is complete.`}
      actions={
        <>
          <Button kind="primary" keyCap="Enter" onClick={labelling.next}>
            {project.phase.kind === 'done' ? 'Go on' : 'Next round'}
          </Button>
          <Link className="button plain" to="/progress">
            See progress
          </Link>
          <Link className="button bare" to="/certify">
            Certify
          </Link>
        </>
      }
    >
      <p className="lede">
        {estimate ? <Measured value={estimate.value} /> : <WhyNot project={project} isFirst={closed?.learnedFrom === 0} />}
      </p>
      <Rows
        rows={[
          ...(estimate && estimate.low !== null && estimate.high !== null
            ? [[`${percent(estimate.level)} interval, holds whenever you look`, interval(estimate.low, estimate.high)] as const]
            : []),
          ...(estimate ? [['Answers it rests on', count(estimate.answers)] as const] : []),
          ...(unknown > 0 ? [['Cannot tell, widens the interval', count(unknown)] as const] : []),
          ['Answers so far', `${count(project.answers)} of ${count(project.plan.budget)}`],
        ]}
      />
    </StateCard>
  )
}

function Measured({ value }: { value: number }) {
  return (
    <>
      The model before this round was wrong on about <b>{percent(value)}</b> of the points then unlabelled.
    </>
  )
}

function WhyNot({ project, isFirst }: { project: Project; isFirst: boolean }) {
  if (!project.strategy.isRandom) return 'No unbiased estimate: this strategy does not draw at random.'
  if (isFirst)
    return 'The first round teaches the first model, so there is nothing to measure before it. The first estimate appears when round 2 closes.'
  return 'Its estimate is on its way.'
}
