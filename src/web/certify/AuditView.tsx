import { type ReactNode, useState } from 'react'
import { unitOf } from '../../metrics/metric-labels.ts'
import type { Audit, Project } from '../../protocol/project.ts'
import { counted } from '../../text/wording.ts'
import { api } from '../api/client.ts'
import { refresh } from '../api/store.ts'
import { useAttempt } from '../api/use-requests.ts'
import { Stage } from '../label/Stage.tsx'
import { Failed, Held } from '../label/stand-ins.tsx'
import { useLabelling } from '../label/state.ts'
import { Button } from '../parts/Button.tsx'
import { StateCard } from '../parts/Card.tsx'
import { FailureNote, Rows } from '../parts/Note.tsx'
import { Funnel, funnelOf } from '../plots/Funnel.tsx'
import { certificatePath, navigate } from '../shell/routes.tsx'
import { aboutHere, headWords, openWords, paceWords, questionRows, standingRows, words } from '../text/certify.ts'

/** The draws of an audit with the same keys as labelling, and beside them the one interval that narrows. */
export function AuditView({ project, audit }: { project: Project; audit: Audit }) {
  return (
    <main className="certify-audit" tabIndex={-1}>
      {standInOf(project, audit) ?? <Stage project={project} />}
      <AuditAside project={project} audit={audit} />
    </main>
  )
}

/** What stands in the point's place, if anything does. */
function standInOf(project: Project, audit: Audit): ReactNode {
  const { phase } = project
  if (phase.kind === 'failed')
    return (
      <Held>
        <Failed project={project} failure={phase.failure} />
      </Held>
    )
  if (phase.kind === 'asking') return undefined
  const [title, lede] = audit.isReached ? [words.writing, words.writingWhy] : [words.drawing, words.drawingWhy]
  return (
    <Held isPatient key={`${audit.isReached} ${audit.steps.length === 0}`}>
      <StateCard role="status" title={title} lede={lede} />
    </Held>
  )
}

const mostListed = 6 // of more questions, the report says where each stands

function AuditAside({ project, audit }: { project: Project; audit: Audit }) {
  const { phase, purpose } = project
  const first = phase.kind === 'asking' ? counted(phase.size, 'answer is', 'answers are') : 'answers are'
  return (
    <aside className="certify-aside" aria-label={words.soFar}>
      <h2 className="big">
        {headWords(audit, purpose)}
        <small>{aboutHere(audit, purpose) ?? `${openWords(audit, purpose)} ${first} in.`}</small>
      </h2>
      {audit.steps.length > 0 && <Funnel data={funnelOf(audit, unitOf(audit))} caption={paceWords(audit, purpose)} />}
      {audit.questions.length > 1 && audit.questions.length <= mostListed && <Rows rows={questionRows(audit)} />}
      <Rows rows={standingRows(audit)} />
      <Ends canLeave={purpose === 'learn'} audit={audit} said={audit.steps.length > 0 ? headWords(audit, purpose) : undefined} />
    </aside>
  )
}

/** The two ways out: with a certificate of what is known by now, or back to learning without one. The first asks before it is done. */
function Ends({ canLeave, audit, said }: { canLeave: boolean; audit: Audit; said: string | undefined }) {
  const { round } = useLabelling()
  const isBegun = round?.purpose === 'audit' && round.answers.size > 0 // the server tells of whole batches only
  const canStop = (audit.answers > 0 || isBegun) && !audit.isReached
  const [isAsking, setAsking] = useState(false)
  const { attempt, failure, isBusy } = useAttempt()

  async function finish() {
    const { seal } = await api.finishAudit()
    await refresh()
    navigate(certificatePath(seal))
  }

  async function leave() {
    await api.leaveAudit()
    await refresh()
    navigate('/label')
  }

  return (
    <div className="stack at-foot">
      {failure && <FailureNote failure={failure} />}
      {isAsking && canStop ? (
        <section className="certify-asks" aria-label={words.stopAsks}>
          <h3>{words.stopAsks}</h3>
          <p>{said === undefined ? words.stopNothing : words.stopSays(said)}</p>
          <p className="quiet">{words.stopLater}</p>
          <div className="tools">
            <Button kind="primary" disabled={isBusy} autoFocus onClick={() => attempt(finish)}>
              {words.write}
            </Button>
            <Button disabled={isBusy} onClick={() => setAsking(false)}>
              {words.goOn}
            </Button>
          </div>
        </section>
      ) : (
        <div className="tools">
          <Button disabled={isBusy || !canStop} onClick={() => setAsking(true)}>
            {words.stop}
          </Button>
          {canLeave && (
            <Button kind="bare" disabled={isBusy} onClick={() => attempt(leave)}>
              {words.leave}
            </Button>
          )}
        </div>
      )}
    </div>
  )
}
