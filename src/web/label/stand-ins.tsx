import { type ReactNode, type SubmitEvent, useState } from 'react'
import type { Failure, Phase, Project } from '../../protocol/project.ts'
import { count, counted } from '../../text/wording.ts'
import { api } from '../api/client.ts'
import { useAttempt } from '../api/use-requests.ts'
import { useKeys } from '../keys/use-keys.ts'
import { Button } from '../parts/Button.tsx'
import { StateCard } from '../parts/Card.tsx'
import { TextField } from '../parts/Field.tsx'
import { Icon } from '../parts/Icon.tsx'
import { FailureNote, Rows } from '../parts/Note.tsx'
import { useAfter } from '../parts/use-timers.ts'
import { Link, PrimaryLink } from '../shell/routes.tsx'
import { lookWords, notByLot } from '../text/now.ts'
import { labelling } from './labelling.ts'
import type { PageRound } from './round.ts'

/** Labelling and an audit are never mixed: while a model is measured, its draws are asked where it is measured. */
export function BeingCertified() {
  return (
    <StateCard
      takesFocus
      about="Project"
      title="The model is being certified."
      lede="Its draws are asked in Certify, with the same keys. Learning goes on afterwards."
      actions={<PrimaryLink to="/certify">Go to the audit</PrimaryLink>}
    />
  )
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
      lede="The model has learned from every one of them. A certificate measures it apart from what it learned from, so that others can check it."
      actions={
        <>
          <PrimaryLink to="/certify">Certify this model</PrimaryLink>
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

/** More answers than planned: the next round opens at once. */
function RaiseBudget({ project }: { project: Project }) {
  const [budget, setBudget] = useState(String(Math.min(project.points, project.plan.budget + 5 * project.plan.batch)))
  const { attempt, failure } = useAttempt()

  function raise(event: SubmitEvent) {
    event.preventDefault()
    attempt(() => api.plan({ ...project.plan, budget: Number(budget) }))
  }

  return (
    <form className="raise" onSubmit={raise}>
      <TextField
        label="Answers in all"
        type="number"
        min={project.answers + 1}
        max={project.points}
        required
        value={budget}
        error={failure?.message}
        onChange={(event) => setBudget(event.target.value)}
      />
      <Button type="submit">Go on</Button>
    </form>
  )
}

/** Something went wrong between two rounds: what it was, that nothing is lost, and how to go on. */
export function Failed({ project, failure }: { project: Project; failure: Failure }) {
  const { attempt, failure: refusal } = useAttempt()
  const details = [failure.message, failure.hint, `code ${failure.code}`, project.path].filter(Boolean).join('\n')

  return (
    <StateCard
      takesFocus
      about={project.name}
      title="The next round could not be drawn."
      actions={
        <>
          <Button kind="primary" onClick={() => attempt(api.retry)}>
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

/** A round is closed. */
export function Finished({ project, round }: { project: Project; round: PageRound }) {
  const unknown = [...round.answers.values()].filter((label) => label === null).length
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
      <p className="lede">{nowWords(project, round.number)}</p>
      <Rows
        rows={[
          ...(unknown > 0 ? [['Cannot tell, widens the range', count(unknown)] as const] : []),
          ['Answers so far', `${count(project.answers)} of ${count(project.plan.budget)}`],
        ]}
      />
    </StateCard>
  )
}

/** What the round has changed is in the sentence above, as soon as the model has learned from it. */
function nowWords({ now, strategy }: Project, number: number): string {
  const look = now?.looks.at(-1)
  if (look?.after === number) return `The model has learned from it: wrong on ${lookWords(look)}.`
  if (!strategy.isRandom) return notByLot
  return number === 1 ? 'It teaches the first model.' : 'The model learns from it.'
}

type OpeningPhase = Extract<Phase, { kind: 'opening' }>

/** The next round is on its way. */
export function Fitting({ project, phase }: { project: Project; phase: OpeningPhase }) {
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
function stepsOf({ answers, points, size }: OpeningPhase) {
  const steps = [
    { step: 'learn', says: `Learn from ${counted(answers, 'answer')}` },
    { step: 'score', says: `Score ${counted(points, 'point')}` },
    { step: 'draw', says: `Draw ${count(size)}, each with its probability on record` },
  ]
  return answers === 0 ? steps.slice(2) : steps
}

/** What stands in the point's place. `isPatient`: blank at first, as what takes less than a moment needs no words. */
export function Held({ isPatient = false, children }: { isPatient?: boolean; children: ReactNode }) {
  const isSlow = useAfter(300)
  return <div className="stage">{(isSlow || !isPatient) && children}</div>
}
