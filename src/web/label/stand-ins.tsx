import { type ReactNode, type SubmitEvent, useState } from 'react'
import type { RunningGoal } from '../../protocol/now.ts'
import type { Failure, Phase, Project } from '../../protocol/project.ts'
import { counted } from '../../text/wording.ts'
import { api } from '../api/client.ts'
import { refresh } from '../api/store.ts'
import { useAttempt } from '../api/use-requests.ts'
import { useKeys } from '../keys/use-keys.ts'
import { NowSentence } from '../now/Sentence.tsx'
import { Button } from '../parts/Button.tsx'
import { StateCard } from '../parts/Card.tsx'
import { TextField } from '../parts/Field.tsx'
import { Icon } from '../parts/Icon.tsx'
import { FailureNote } from '../parts/Note.tsx'
import { useAfter } from '../parts/use-timers.ts'
import { togglePanel } from '../shell/panels.ts'
import { certificatePath, Link, PrimaryLink } from '../shell/routes.tsx'
import { cards } from '../text/label.ts'
import { certifiedOf, costOf, goalText, nextGoal, unitOf } from '../text/now.ts'
import { labelling } from './labelling.ts'

/** Labelling and an audit are never mixed: while a model is measured, its questions are asked where it is measured. */
export function BeingCertified() {
  const { title, lede, go } = cards.audit
  return <StateCard takesFocus title={title} lede={lede} actions={<PrimaryLink to="/certify">{go}</PrimaryLink>} />
}

/** The model is certified: it stays as it is until it is told to learn on. */
export function AtRest({ project }: { project: Project }) {
  const { rest } = cards
  const certificate = certifiedOf(project) ?? project.certificates.at(-1)
  const { attempt, failure, isBusy } = useAttempt()
  const isSpent = project.answers >= Math.min(project.points, project.plan.budget)
  const learnOn = () =>
    attempt(async () => {
      await api.learnOn()
      await refresh()
    })
  return (
    <StateCard
      takesFocus
      about={counted(project.answers, 'answer')}
      title={rest.title}
      lede={rest.lede}
      actions={
        <>
          {certificate && <PrimaryLink to={certificatePath(certificate.seal)}>{rest.see}</PrimaryLink>}
          <Link className="button plain" to="/certify">
            {rest.narrow}
          </Link>
          {!isSpent && (
            <Button disabled={isBusy} onClick={learnOn}>
              {rest.learn}
            </Button>
          )}
        </>
      }
    >
      {isSpent && project.answers < project.points && <RaiseBudget project={project} action={rest.learn} then={api.learnOn} />}
      {failure && <FailureNote failure={failure} />}
    </StateCard>
  )
}

/** The budget is spent, or everything is answered. */
export function Done({ project }: { project: Project }) {
  const { spent } = cards
  const [isRaising, setRaising] = useState(false)
  const isAll = project.answers >= project.points
  return (
    <StateCard
      takesFocus
      about={counted(project.answers, 'answer')}
      title={isAll ? spent.all : spent.title}
      lede={isAll ? spent.allLede : spent.lede}
      actions={
        <>
          {!isAll && <PrimaryLink to="/certify">{spent.certify}</PrimaryLink>}
          <Link className="button plain" to="/data?tab=predictions">
            {spent.predictions}
          </Link>
          {!isAll && (
            <Button kind="bare" aria-expanded={isRaising} onClick={() => setRaising(!isRaising)}>
              {spent.raise}
            </Button>
          )}
        </>
      }
    >
      {isRaising && <RaiseBudget project={project} action={spent.go} />}
    </StateCard>
  )
}

interface RaiseProps {
  project: Project
  action: string
  then?: () => Promise<void>
}

/** More answers than planned: the next round opens at once. */
function RaiseBudget({ project, action, then }: RaiseProps) {
  const [budget, setBudget] = useState(String(Math.min(project.points, project.answers + 5 * project.plan.batch)))
  const { attempt, failure } = useAttempt()

  function raise(event: SubmitEvent) {
    event.preventDefault()
    attempt(async () => {
      await api.plan({ ...project.plan, budget: Number(budget) })
      await then?.()
    })
  }

  return (
    <form className="raise" onSubmit={raise}>
      <TextField
        label={cards.spent.inAll}
        type="number"
        min={project.answers + 1}
        max={project.points}
        required
        value={budget}
        error={failure?.message}
        onChange={(event) => setBudget(event.target.value)}
      />
      <Button type="submit">{action}</Button>
    </form>
  )
}

/** Something went wrong between two rounds: what it was, that nothing is lost, and how to go on. */
export function Failed({ project, failure }: { project: Project; failure: Failure }) {
  const { attempt, failure: refusal } = useAttempt()
  const { failed } = cards
  const details = [failure.message, failure.hint, `code ${failure.code}`, project.path].filter(Boolean).join('\n')

  return (
    <StateCard
      takesFocus
      about={project.name}
      title={failed.title}
      actions={
        <>
          <Button kind="primary" onClick={() => attempt(api.retry)}>
            {failed.again}
          </Button>
          <Button kind="bare" onClick={() => navigator.clipboard?.writeText(details)}>
            {failed.copy}
          </Button>
        </>
      }
    >
      <p className="quiet">{failed.saved(project.answers)}</p>
      <FailureNote failure={refusal ?? failure} />
    </StateCard>
  )
}

/** A goal is reached: said once, between two answers. */
export function Reached({ project, goal, onGoOn }: { project: Project; goal: RunningGoal; onGoOn: () => void }) {
  const { reached } = cards
  const next = project.now && nextGoal(project.now)
  const cost = next && costOf(next, { pace: project.now!.pace, left: project.points - project.answers })
  useKeys({ undo: labelling.undo })
  return (
    <StateCard
      takesFocus
      about={counted(project.answers, 'answer')}
      title={`${goalText(goal)} is reached.`}
      actions={
        <>
          <PrimaryLink to="/certify">{reached.write}</PrimaryLink>
          <Button onClick={onGoOn}>{next ? reached.on(goalText(next)) : reached.onOnly}</Button>
        </>
      }
    >
      <p className="lede">
        <NowSentence project={project} onWhy={() => togglePanel('how')} /> {reached.lede}
      </p>
      {next && cost && (
        <p className="caption">{reached.next(goalText(next), [cost.answers, cost.time].filter(Boolean).join(', '))}</p>
      )}
    </StateCard>
  )
}

type OpeningPhase = Extract<Phase, { kind: 'opening' }>

/** The next ones are on their way. */
export function Learning({ project, phase }: { project: Project; phase?: OpeningPhase }) {
  const { learning } = cards
  const steps = phase ? stepsOf(phase, unitOf(project)) : []
  const at = steps.findIndex(({ step }) => step === phase?.step)
  const isFirst = phase?.number === 1
  return (
    <StateCard
      role="status"
      title={isFirst ? learning.first : learning.title(project.answers)}
      lede={isFirst ? undefined : learning.lede}
    >
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
function stepsOf({ answers, points, size }: OpeningPhase, unit: string) {
  const { learning } = cards
  const steps = [
    { step: 'learn', says: learning.learn(answers) },
    { step: 'score', says: learning.score(points, unit) },
    { step: 'draw', says: learning.draw(size) },
  ]
  return answers === 0 ? steps.slice(2) : steps
}

/** What stands in the point's place. `isPatient`: blank at first, as what takes less than a moment needs no words. */
export function Held({ isPatient = false, children }: { isPatient?: boolean; children: ReactNode }) {
  const isSlow = useAfter(300)
  return <div className="stage">{(isSlow || !isPatient) && children}</div>
}
