import { useEffect, useState } from 'react'
import type { Phase, Project } from '../../protocol/project.ts'
import { api } from '../api/client.ts'
import { Failure } from '../api/failure.ts'
import { useServer } from '../api/store.ts'
import { useKeys } from '../keys/use-keys.ts'
import { Button } from '../parts/Button.tsx'
import { Icon } from '../parts/Icon.tsx'
import { FailureNote } from '../parts/Note.tsx'
import { count, counted, interval, percent } from '../parts/numbers.ts'
import { Rows } from '../parts/Rows.tsx'
import { StateCard } from '../parts/StateCard.tsx'
import { Link } from '../shell/routes.tsx'
import { labelling } from './labelling.ts'
import { RaiseBudget } from './RaiseBudget.tsx'
import { type Round, titleOf, unanswered } from './round.ts'

type Of<Kind extends Phase['kind']> = Extract<Phase, { kind: Kind }>

/** The next round is on its way. */
export function Fitting({ project, phase }: { project: Project; phase: Of<'opening'> }) {
  const last = project.rounds.at(-1)
  const steps = stepsOf(phase)
  const at = steps.findIndex(({ step }) => step === phase.step)
  return (
    <StateCard
      role="status"
      about={`Round ${phase.number}`}
      title={phase.number === 1 ? 'Opening the first round' : 'Opening the next round'}
    >
      <p className="quiet">
        {last && `All ${counted(last.answers, 'answer')} of round ${last.number} are saved. `}
        You can leave; the draws will be here when you come back.
      </p>
      <ol className="steps">
        {steps.map(({ step, says }, i) => (
          <li
            key={step}
            className={i < at ? 'is-done' : i === at ? 'is-now' : undefined}
            aria-current={i === at ? 'step' : undefined}
          >
            <Icon name={i < at ? 'check' : i === at ? 'turning' : 'ring'} size={16} />
            {says}
          </li>
        ))}
      </ol>
    </StateCard>
  )
}

/** Before the first answer there is nothing to learn from, and all points are alike. */
function stepsOf({ answers, points, size }: Of<'opening'>) {
  const steps = [
    { step: 'learn', says: `Learn from ${counted(answers, 'answer')}` },
    { step: 'score', says: `Score ${counted(points, 'point')}` },
    { step: 'draw', says: `Draw ${count(size)}, each with its probability on record` },
  ]
  return answers === 0 ? steps.slice(2) : steps
}

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

/** The budget is spent, or every point is answered. */
export function Done({ project }: { project: Project }) {
  const [isRaising, setRaising] = useState(false)
  const canRaise = project.answers < project.points
  return (
    <StateCard
      takesFocus
      about="Project"
      title={`All ${counted(project.answers, 'answer')} are in.`}
      lede="The model has learned from every one of them. To say how wrong it is, certify it: a fresh draw, measured apart from what it learned from."
      actions={
        <>
          <Link className="button primary" to="/certify">
            Certify this model
          </Link>
          <Link className="button plain" to="/data?tab=predictions">
            Export predictions
          </Link>
          {canRaise && (
            <Button kind="bare" aria-expanded={isRaising} onClick={() => setRaising(!isRaising)}>
              Raise the budget
            </Button>
          )}
        </>
      }
    >
      {isRaising && <RaiseBudget project={project} />}
    </StateCard>
  )
}

export function Failed({ project, failure }: { project: Project; failure: Of<'failed'>['failure'] }) {
  const [refusal, setRefusal] = useState<Failure>()
  const details = [failure.message, failure.hint, `code ${failure.code}`, project.path].filter(Boolean).join('\n')

  async function retry() {
    setRefusal(undefined)
    try {
      await api.retry()
    } catch (error) {
      if (error instanceof Failure) setRefusal(error)
      else throw error
    }
  }

  return (
    <StateCard
      takesFocus
      about={project.name}
      title="The next round could not be drawn."
      actions={
        <>
          <Button kind="primary" onClick={retry}>
            Try again
          </Button>
          <Button kind="bare" onClick={() => navigator.clipboard?.writeText(details)}>
            Copy details
          </Button>
        </>
      }
    >
      <p className="quiet">Nothing is lost: all {counted(project.answers, 'answer')} are saved.</p>
      <FailureNote failure={refusal ?? failure} />
    </StateCard>
  )
}

/** Everything is answered here, and the server has not said so yet. */
export function Saving({ round }: { round: Round }) {
  const { unsaved } = useServer()
  useKeys({ undo: labelling.undo })
  return (
    <StateCard
      role="status"
      about={titleOf(round)}
      title="All of them are answered."
      lede={unsaved > 0 ? `${counted(unsaved, 'answer')} on the way to the server.` : 'Waiting for the server.'}
      actions={<Button onClick={labelling.undo}>Undo</Button>}
    />
  )
}

/** What is left is being shown on other pages. */
export function Waiting({ round }: { round: Round }) {
  const left = unanswered(round).length
  useKeys({ undo: labelling.undo })
  useEffect(() => {
    const timer = setInterval(labelling.claimAgain, 3_000)
    return () => clearInterval(timer)
  }, [])
  return (
    <StateCard
      role="status"
      about={titleOf(round)}
      title="The rest is on other pages."
      lede={`${left === 1 ? 'The last point is' : `The last ${count(left)} points are`} open in another window. The round closes when all are answered.`}
      actions={round.history.length > 0 && <Button onClick={labelling.undo}>Undo</Button>}
    />
  )
}

/** Labelling and an audit are never mixed: while a model is measured, its draws are asked where it is measured. */
export function BeingCertified() {
  return (
    <StateCard
      takesFocus
      about="Project"
      title="The model is being certified."
      lede="Its draws are asked in Certify, with the same keys. Learning goes on afterwards."
      actions={
        <Link className="button primary" to="/certify">
          Go to the audit
        </Link>
      }
    />
  )
}
