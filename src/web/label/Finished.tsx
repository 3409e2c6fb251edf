import type { Project } from '../../protocol/project.ts'
import type { ClosedRound } from '../../protocol/rounds.ts'
import { levelPercentage, rangeText, valueText } from '../../text/shares.ts'
import { count, noEstimate } from '../../text/wording.ts'
import { useKeys } from '../keys/use-keys.ts'
import { Button } from '../parts/Button.tsx'
import { Rows } from '../parts/Rows.tsx'
import { StateCard } from '../parts/StateCard.tsx'
import { noEstimateYet } from '../plots/sentences.ts'
import { Link } from '../shell/routes.tsx'
import { labelling } from './labelling.ts'
import type { PageRound } from './round.ts'

/** A round is closed: what it said about the model before it. */
export function Finished({ project, round }: { project: Project; round: PageRound }) {
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
        {estimate ? (
          <>
            The model before this round was wrong on about <b>{valueText(estimate)}</b> of the points then unlabelled.
          </>
        ) : (
          whyNot(project, closed)
        )}
      </p>
      <Rows
        rows={[
          ...(estimate && estimate.low !== null && estimate.high !== null
            ? [[`${levelPercentage(estimate.level)} interval, holds whenever you look`, rangeText(estimate)!] as const]
            : []),
          ...(estimate ? [['Answers it rests on', count(estimate.answers)] as const] : []),
          ...(unknown > 0 ? [['Cannot tell, widens the interval', count(unknown)] as const] : []),
          ['Answers so far', `${count(project.answers)} of ${count(project.plan.budget)}`],
        ]}
      />
    </StateCard>
  )
}

/** Why a closed round says nothing about a model. */
function whyNot({ strategy }: Project, closed: ClosedRound | undefined): string {
  if (!strategy.isRandom) return noEstimate
  return closed?.learnedFrom === 0 ? noEstimateYet : 'Its estimate is on its way.'
}
