import { useState } from 'react'
import type { Audit, Project } from '../../protocol/project.ts'
import { api } from '../api/client.ts'
import { Failure } from '../api/failure.ts'
import { refresh } from '../api/store.ts'
import { useLabelling } from '../label/state.ts'
import { Button } from '../parts/Button.tsx'
import { FailureNote } from '../parts/Note.tsx'
import { counted, percent } from '../parts/numbers.ts'
import { Rows } from '../parts/Rows.tsx'
import { Funnel } from '../plots/Funnel.tsx'
import { rangeText } from '../plots/precision.ts'
import { navigate } from '../shell/routes.tsx'
import { ofWhat, paceWords, standingRows } from './words.ts'

export function AuditAside({ project, audit }: { project: Project; audit: Audit }) {
  const { phase, purpose } = project
  const batch = phase.kind === 'asking' ? phase.size : undefined
  const newest = audit.steps.at(-1)
  return (
    <aside className="certify-aside" aria-label="The interval so far">
      {newest ? (
        <>
          <h2 className="big">
            {rangeText(newest)}
            <small>
              {ofWhat(audit, purpose)}, at level {percent(audit.goal.level)}, after {counted(newest.answers, 'answer')}
            </small>
          </h2>
          <Funnel steps={audit.steps} asked={audit.goal} more={audit.forecast?.answers} caption={paceWords(audit, purpose)} />
        </>
      ) : (
        <h2 className="big">
          No interval yet.
          <small>
            It is of {ofWhat(audit, purpose)}, and appears when the first{' '}
            {batch ? counted(batch, 'answer is', 'answers are') : 'answers are'} in.
          </small>
        </h2>
      )}
      <Rows rows={standingRows(audit)} />
      <Ends canLeave={purpose === 'learn'} audit={audit} />
    </aside>
  )
}

/** The two ways out: with a certificate of what is known by now, or back to learning without one. */
function Ends({ canLeave, audit }: { canLeave: boolean; audit: Audit }) {
  const { round } = useLabelling()
  const isBegun = round?.purpose === 'audit' && round.answers.size > 0 // the server tells of whole batches only
  const canStop = (audit.answers > 0 || isBegun) && !audit.isReached
  const [failure, setFailure] = useState<Failure>()
  const [isBusy, setBusy] = useState(false)

  async function end(how: () => Promise<void>) {
    setBusy(true)
    setFailure(undefined)
    try {
      await how()
    } catch (problem) {
      if (!(problem instanceof Failure)) throw problem
      setFailure(problem)
    } finally {
      setBusy(false)
    }
  }

  async function finish() {
    const { seal } = await api.finishAudit()
    await refresh()
    navigate(`/certify/${encodeURIComponent(seal)}`)
  }

  async function leave() {
    await api.leaveAudit()
    await refresh()
    navigate('/label')
  }

  return (
    <div className="certify-ends">
      {failure && <FailureNote failure={failure} />}
      <div className="tools">
        <Button disabled={isBusy || !canStop} onClick={() => end(finish)}>
          Stop and write the certificate
        </Button>
        {canLeave && (
          <Button kind="bare" disabled={isBusy} onClick={() => end(leave)}>
            Back to learning
          </Button>
        )}
      </div>
    </div>
  )
}
